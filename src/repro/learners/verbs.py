"""What a compiled learner can be asked to do, whatever its state looks like.

A learner's state is a NamedTuple of arrays (and of other states, for ensembles and wrappers). Its
file registers one kernel per verb for that tuple::

    @implements(votes, State)
    def _votes(state, x, out): ...

Compiled code then calls ``votes(state, x, out)`` on any state: numba picks the kernel by the
state's type while it compiles, so an ensemble takes every base learner and pays nothing for it.

==========================  =====================================================================
``votes(state, x, out)``    fill `out` (K,) with votes >= 0 for `x` (d,); all 0: no opinion
``learn(state, x, y, w)``   learn the example `x` (d,) of class `y` with weight `w` > 0
``alarmed(state)``          did the last `learn` raise a drift alarm? (False unless registered)
==========================  =====================================================================

States are changed in place and never grow: what is bounded in memory is allocated at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import overload

from repro._compiled import compiled

__all__ = ["alarmed", "implements", "learn", "votes"]


def votes(state: Any, x: Any, out: Any) -> None:
    """Fill `out` (K,) with the votes of `state` for `x` (d,)."""
    _KERNELS[votes][type(state)](state, x, out)


def learn(state: Any, x: Any, y: Any, weight: Any) -> None:
    """Let `state` learn the example `x` (d,) of class `y` with `weight`."""
    _KERNELS[learn][type(state)](state, x, y, weight)


def alarmed(state: Any) -> bool:
    """Whether the last example that `state` learned raised a drift alarm."""
    return bool(_KERNELS[alarmed].get(type(state), _never)(state))


_KERNELS: dict[Callable, dict[type, Callable]] = {votes: {}, learn: {}, alarmed: {}}


def implements(verb: Callable, state: type) -> Callable[[Callable], Callable]:
    """Compile the decorated kernel and register it as `verb` for states of the type `state`."""

    def register(kernel: Callable) -> Callable:
        _KERNELS[verb][state] = compiled(kernel)
        return _KERNELS[verb][state]

    return register


@compiled
def _never(state):  # type: ignore[no-untyped-def]
    return False


def _kernel(verb: Callable, state: types.Type) -> Callable | None:
    return _KERNELS[verb].get(getattr(state, "instance_class", None))  # type: ignore[arg-type]


@overload(votes)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    kernel = _kernel(votes, state)
    return kernel and (lambda state, x, out: kernel(state, x, out))


@overload(learn)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    kernel = _kernel(learn, state)
    return kernel and (lambda state, x, y, weight: kernel(state, x, y, weight))


@overload(alarmed)
def _alarmed(state):  # type: ignore[no-untyped-def]
    kernel = _kernel(alarmed, state) or _never
    return lambda state: kernel(state)
