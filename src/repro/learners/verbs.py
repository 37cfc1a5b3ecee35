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

__all__ = ["alarmed", "implements", "kernels_of", "learn", "votes"]


def votes(state: Any, x: Any, out: Any) -> None:
    """Fill `out` (K,) with the votes of `state` for `x` (d,)."""
    _KERNELS[votes][type(state)](state, x, out)


def learn(state: Any, x: Any, y: Any, weight: Any) -> None:
    """Let `state` learn the example `x` (d,) of class `y` with `weight`."""
    _KERNELS[learn][type(state)](state, x, y, weight)


def alarmed(state: Any) -> bool:
    """Whether the last example that `state` learned raised a drift alarm."""
    return bool(_KERNELS[alarmed].get(type(state), _never)(state))


_KERNELS: dict[Callable, dict[type, Any]] = {votes: {}, learn: {}, alarmed: {}}


def implements(verb: Callable, state: type) -> Callable[[Callable], Callable]:
    """Compile the decorated kernel and register it as `verb` for states of the type `state`.

    Once: code that was compiled for `state` keeps the first, so another would be run here and
    there only. Raises ValueError for a second one; define the NamedTuple again with its kernels.
    """
    if state in _KERNELS[verb]:
        raise ValueError(
            f"state must be a NamedTuple that has no kernel for {verb.__name__!r} yet; "
            f"got {state.__name__}"
        )

    # numba tells compiled functions apart by the names of types: after an edit, a notebook's second
    # State would run the code of its first.
    taken = {known.__name__ for kinds in _KERNELS.values() for known in kinds if known is not state}
    while state.__name__ in taken:
        state.__name__ += "_"

    def register(kernel: Callable) -> Callable:
        _KERNELS[verb][state] = compiled(kernel)
        return _KERNELS[verb][state]

    return register


def kernels_of(module: str) -> list[tuple[Callable, type, Any]]:
    """Verb, state and kernel, not compiled, of all that `module` registered."""
    found = [(verb, s, k.py_func) for verb, kinds in _KERNELS.items() for s, k in kinds.items()]
    return [(verb, state, kernel) for verb, state, kernel in found if kernel.__module__ == module]


@compiled
def _never(state):  # type: ignore[no-untyped-def]
    return False


def _kernel(verb: Callable, state: types.Type) -> Callable | None:
    return _KERNELS[verb].get(getattr(state, "instance_class", None))  # type: ignore[arg-type]


@overload(votes, jit_options={"forceinline": True})
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    kernel = _kernel(votes, state)
    return kernel and (lambda state, x, out: kernel(state, x, out))


@overload(learn, jit_options={"forceinline": True})
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    kernel = _kernel(learn, state)
    return kernel and (lambda state, x, y, weight: kernel(state, x, y, weight))


@overload(alarmed, jit_options={"forceinline": True})
def _alarmed(state):  # type: ignore[no-untyped-def]
    kernel = _kernel(alarmed, state) or _never
    return lambda state: kernel(state)
