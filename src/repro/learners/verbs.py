"""What a compiled learner can be asked to do, whatever its state looks like.

==========================  =====================================================================
``votes(state, x, out)``    fill `out` (K,) with votes >= 0 for `x` (d,); all 0: no opinion
``learn(state, x, y, w)``   learn the example `x` (d,) of class `y` with weight `w` > 0
``alarmed(state)``          did the last `learn` raise a drift alarm? (False unless registered)
``restart(state, fresh)``   forget everything; `fresh` is a state that has learned nothing
                            (unless registered, its arrays are copied)
==========================  =====================================================================

A learner's file registers one kernel per verb for its state, see `repro.kernels.dispatch`. States
are changed in place and never grow: what is bounded in memory is allocated at the start. Code that
keeps several states of one kind, an ensemble, has them stacked, see `repro.kernels.states`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from repro.kernels.compiling import kernel
from repro.kernels.dispatch import implements, verb
from repro.kernels.states import copy_into

__all__ = ["alarmed", "implements", "learn", "restart", "votes"]


@kernel
def _never(state):  # type: ignore[no-untyped-def]
    return False


@kernel
def _copied(state, fresh):  # type: ignore[no-untyped-def]
    copy_into(state, fresh)


@verb
def votes(state: Any, x: Any, out: Any) -> None:
    """Fill `out` (K,) with the votes of `state` for `x` (d,)."""


@verb
def learn(state: Any, x: Any, y: Any, weight: Any) -> None:
    """Let `state` learn the example `x` (d,) of class `y` with `weight` > 0."""


@partial(verb, default=_never)
def alarmed(state: Any) -> bool:  # type: ignore[empty-body]
    """Whether the last example that `state` learned raised a drift alarm."""


@partial(verb, default=_copied)
def restart(state: Any, fresh: Any) -> None:
    """Make `state` forget everything; `fresh` is one of its kind that has learned nothing."""
