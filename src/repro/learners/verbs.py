"""The verbs of learners: functions that every kind of state has a kernel for.

==========================  =====================================================================
``votes(state, x, out)``    fill `out` (K,) with votes >= 0 for `x` (d,); all 0: no opinion
``learn(state, x, y, w)``   learn the example `x` (d,) of class `y` with weight `w` > 0
``learn_predicted(...)``    the same, when `votes` for this `x` was the last call on `state`: what
                            it found need not be computed again (default: `learn`)
``alarmed(state)``          whether the last `learn` raised a drift alarm (default: False)
``restart(state, fresh)``   forget everything; `fresh` is a state that has learned nothing
                            (default: copy the arrays of `fresh`)
==========================  =====================================================================

A learner's file registers one kernel per verb for its state, see `repro.kernels.dispatch`. Kernels
change a state in place, and a state never grows: all its memory is allocated at the start. An
ensemble keeps the states of its members stacked, see `repro.kernels.states`.

What kernels need of votes and other weights of classes is here too: their sum, the class with the
most, their shares. numba would compile its own `sum` and `argmax` anew for each learner, with all
that they can do, and could not inline them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from repro.kernels.compiling import kernel
from repro.kernels.dispatch import implements, verb
from repro.kernels.states import copy_into

__all__ = [
    "alarmed",
    "as_shares",
    "implements",
    "learn",
    "learn_predicted",
    "predicted",
    "restart",
    "total_weight",
    "votes",
]


@kernel
def _never(state):  # type: ignore[no-untyped-def]
    return False


@kernel
def _learned(state, x, y, weight):  # type: ignore[no-untyped-def]
    learn(state, x, y, weight)


@kernel
def _copied(state, fresh):  # type: ignore[no-untyped-def]
    copy_into(state, fresh)


@verb
def votes(state: Any, x: Any, out: Any) -> None:
    """Fill `out` (K,) with the votes of `state` for `x` (d,)."""


@verb
def learn(state: Any, x: Any, y: Any, weight: Any) -> None:
    """Let `state` learn the example `x` (d,) of class `y` with `weight` > 0."""


@partial(verb, default=_learned)
def learn_predicted(state: Any, x: Any, y: Any, weight: Any) -> None:
    """`learn` the example for which `votes` was the last call on `state`, with the same result."""


@partial(verb, default=_never)
def alarmed(state: Any) -> bool:  # type: ignore[empty-body]
    """Whether the last example that `state` learned raised a drift alarm."""


@partial(verb, default=_copied)
def restart(state: Any, fresh: Any) -> None:
    """Make `state` forget everything; `fresh` is such a state that has learned nothing."""


@kernel
def total_weight(weights):  # type: ignore[no-untyped-def]
    """The sum of `weights` (K,), added from the first to the last."""
    total = 0.0
    for k in range(weights.size):
        total += weights[k]
    return total


@kernel
def predicted(weights):  # type: ignore[no-untyped-def]
    """The class with the most of `weights` (K,), votes or counts; the lowest of equals."""
    best, most = 0, weights[0]
    for k in range(1, weights.size):
        if weights[k] > most:
            best, most = k, weights[k]
    return best


@kernel
def as_shares(votes):  # type: ignore[no-untyped-def]
    """Divide `votes` (K,) by their sum, in place; equal shares when it is 0."""
    total = total_weight(votes)
    for k in range(votes.size):
        votes[k] = votes[k] / total if total > 0 else 1.0 / votes.size
