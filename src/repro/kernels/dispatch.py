"""Verbs: functions whose kernel depends on the type of a state, in Python and in compiled code.

A state is a NamedTuple of arrays (and of other states). A verb is declared once, and the file of
each state registers its kernel::

    @verb
    def votes(state, x, out): "Fill `out` ..."

    @implements(votes, State)
    def _votes(state, x, out): ...

Compiled code then calls ``votes(state, x, out)`` on any state. numba picks the kernel by the
state's type while it compiles, so an ensemble takes any base learner at no cost at run time.

A state that holds an object of Python, such as a detector of another library, cannot be compiled.
Its kernels are `interpreted`, and so is every kernel that is called with a state that holds such a
state. The other parts of that state stay compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from numba import types

from repro.kernels.compiling import compiled, is_ours, kernel, outlined
from repro.kernels.mode import called_as

__all__ = ["implements", "interpreted", "is_interpreted", "kernels_of_yours", "runnable", "verb"]

Verb = Callable[..., Any]

_KERNELS: dict[Verb, dict[type, Any]] = {}
_INTERPRETED: set[type] = set()  # types of states that hold objects of Python


def verb(stub: Verb, default: Any = None) -> Verb:
    """Make a verb of the function `stub`, which has only a docstring and arguments.

    `default` is the kernel for states without one of their own. Without a default such a state
    raises TypeError in Python, and in compiled code numba's error names the verb.
    """
    kernels: dict[type, Any] = {}

    def called(state: Any, *args: Any) -> Any:
        run = kernels.get(type(state), default)
        if run is None:
            raise TypeError(
                f"state must have a kernel for {stub.__name__!r}; got {type(state).__name__}"
            )
        if type(state) not in _INTERPRETED:
            run = runnable(run, state)
        return run(state, *args)

    update_wrapper(called, stub)
    _KERNELS[called] = kernels

    @called_as(called)
    def choose(kind: types.Type, *args: types.Type) -> Any:
        return kernels.get(getattr(kind, "instance_class", type(None)), default)

    return called


def implements(of: Verb, state: type, *, inline: bool = True) -> Callable[[Verb], Any]:
    """Compile the decorated kernel and register it for a verb and a type of state.

    Compiled code keeps the first kernel of a state, so a second one would be used in some places
    only. It raises ValueError: define the NamedTuple again together with its kernels.

    Parameters
    ----------
    of : the verb
    state : the NamedTuple that the kernel takes as its first argument
    inline : compile the kernel into each caller; False for work that is rare, such as a restart
    """
    if state in _KERNELS[of]:
        raise ValueError(
            f"state must be a NamedTuple that has no kernel for {of.__name__!r} yet; "
            f"got {state.__name__}"
        )

    # numba tells compiled functions apart by the names of types: without another name, the second
    # State of a notebook would run the code of the first.
    taken = {other.__name__ for kinds in _KERNELS.values() for other in kinds if other is not state}
    while state.__name__ in taken:
        state.__name__ += "_"

    def register(function: Verb) -> Any:
        # Your learner may create arrays; ours do not.
        ours = kernel if inline else outlined
        _KERNELS[of][state] = (ours if is_ours(function) else compiled)(function)
        return _KERNELS[of][state]

    return register


def interpreted(of: Verb, state: type) -> Callable[[Verb], Verb]:
    """Register the decorated function, which is not compiled, for a verb and a type of state."""

    def register(function: Verb) -> Verb:
        _INTERPRETED.add(state)
        _KERNELS[of][state] = function
        return function

    return register


def is_interpreted(state: Any) -> bool:
    """Whether `state`, or a state inside it, holds an object of Python."""
    parts = (part for part in state if isinstance(part, tuple))
    return type(state) in _INTERPRETED or any(map(is_interpreted, parts))


def runnable(kernel: Any, state: Any) -> Any:
    """`kernel`, or the Python function that it is compiled from if `state` is interpreted."""
    return getattr(kernel, "py_func", kernel) if is_interpreted(state) else kernel


def kernels_of_yours() -> list[tuple[Verb, type, Any]]:
    """Verb, state and Python function of each kernel registered outside this package."""
    pairs = [(of, s, k) for of, kinds in _KERNELS.items() for s, k in kinds.items()]
    functions = [(of, s, getattr(k, "py_func", k)) for of, s, k in pairs]
    return [(of, state, function) for of, state, function in functions if not is_ours(function)]
