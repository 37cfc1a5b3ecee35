"""Verbs: functions whose kernel is picked by the type of a state, in Python and in compiled code.

A state is a NamedTuple of arrays (and of other states). A verb is declared once, and every state's
file registers its kernel for it::

    @verb
    def votes(state, x, out): "Fill `out` ..."

    @implements(votes, State)
    def _votes(state, x, out): ...

Compiled code then calls ``votes(state, x, out)`` on any state: numba picks the kernel by the
state's type while it compiles, so an ensemble takes every base learner and pays nothing for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from numba.core import types
from numba.extending import overload

from repro.kernels.compiling import compiled, is_ours, kernel, outlined
from repro.kernels.identity import kernels_of_class

__all__ = ["implements", "kernels_of_yours", "verb"]

_KERNELS: dict[Callable, dict[type, Any]] = {}


def verb(stub: Callable, default: Any = None) -> Callable:
    """Make a verb of the function `stub`, which has a docstring and arguments only.

    `default` is the kernel for states that registered none; without one, such a state is a
    TypeError in Python, and in compiled code numba's error names the verb.
    """
    names = list(inspect.signature(stub).parameters)
    kernels: dict[type, Any] = {}

    def called(state: Any, *args: Any) -> Any:
        found = kernels.get(type(state), default)
        if found is None:
            raise TypeError(
                f"state must have a kernel for {stub.__name__!r}; got {type(state).__name__}"
            )
        return found(state, *args)

    update_wrapper(called, stub)
    _KERNELS[called] = kernels

    def found(kind: types.Type) -> Any:
        return _not_compiling(kernels.get(getattr(kind, "instance_class", type(None)), default))

    # numba compares the names of arguments, so the two functions are written out with them.
    arguments = ", ".join(names)
    scope: dict[str, Any] = {"found": found}
    exec(
        f"def chosen({arguments}):\n"
        f"    kernel = found({names[0]})\n"
        f"    return kernel and (lambda {arguments}: kernel({arguments}))\n",
        scope,
    )
    overload(called, jit_options={"forceinline": True})(scope["chosen"])
    return called


def implements(of: Callable, state: type, *, inline: bool = True) -> Callable[[Callable], Callable]:
    """Compile the decorated kernel and register it as the verb `of` for states of type `state`.

    `inline`: put it in line where the verb is called. That suits short work; a kernel that takes
    long to compile, such as an ensemble's, would be compiled again in each place.

    Once: code that was compiled for `state` keeps the first, so another would be run here and
    there only. Raises ValueError for a second one; define the NamedTuple again with its kernels.
    """
    if state in _KERNELS[of]:
        raise ValueError(
            f"state must be a NamedTuple that has no kernel for {of.__name__!r} yet; "
            f"got {state.__name__}"
        )

    # numba tells compiled functions apart by the names of types: after an edit, a notebook's second
    # State would run the code of its first.
    taken = {known.__name__ for kinds in _KERNELS.values() for known in kinds if known is not state}
    while state.__name__ in taken:
        state.__name__ += "_"

    def register(function: Callable) -> Callable:
        # A learner of yours may make arrays, ours do not.
        ours = kernel if inline else outlined
        _KERNELS[of][state] = (ours if is_ours(function) else compiled)(function)
        return _KERNELS[of][state]

    return register


_TWINS: dict[Any, Any] = {}


def _not_compiling(dispatcher: Any) -> Any:
    """`dispatcher`, or another one of the same function where that is compiled just now.

    An ensemble of ensembles calls its own kernel, for another type. numba takes that for a
    recursive call and does not link it, so that code loaded from disk would jump into nowhere.
    """
    while dispatcher is not None and dispatcher.is_compiling:
        if dispatcher not in _TWINS:
            twin = outlined if is_ours(dispatcher.py_func) else compiled
            _TWINS[dispatcher] = twin(dispatcher.py_func)
        dispatcher = _TWINS[dispatcher]
    return dispatcher


def kernels_of_yours() -> list[tuple[Callable, type, Any]]:
    """Verb, state and kernel, not compiled, of all that other code than this package registered."""
    found = [(of, s, k.py_func) for of, kinds in _KERNELS.items() for s, k in kinds.items()]
    return [(of, state, function) for of, state, function in found if not is_ours(function)]


@kernels_of_class.append
def _kernels_of_state(state: type) -> list[tuple[str, Any]]:
    """Name and kernel of each verb that is registered for `state`."""
    return [(of.__name__, kinds[state]) for of, kinds in _KERNELS.items() if state in kinds]
