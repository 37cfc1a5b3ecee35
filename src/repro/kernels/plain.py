"""Kernels by numba's public names alone: slower to compile, and not kept on disk.

It has the functions of `linking` and `disk`, for a numba that these do not fit. Kernels give the
same bits. They are compiled in each process: numba's own cache notices no edit of the functions
that a kernel calls, and would keep kernels for your states.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.extending import overload

__all__ = ["called_as", "generated", "jitted"]


def jitted(function: Callable[..., Any], options: dict[str, Any], **on_disk: Any) -> Any:
    """`function`, compiled with `options` of numba for each kind of arguments; never on disk."""
    kernel = numba.jit(function, **_accepted(options))
    _MADE_OF[kernel] = function, options
    return kernel


_MADE_OF: dict[Any, tuple[Callable[..., Any], dict[str, Any]]] = {}


@cache
def _twin(kernel: Any, kinds: tuple[Any, ...]) -> Any:
    """What compiled code calls in place of `kernel` with arguments of the types `kinds`.

    An ensemble of ensembles calls its own kernel for another type. numba would take that for a
    recursive call, and not find the code.
    """
    function, options = _MADE_OF[kernel]
    return numba.jit(function, **_accepted(options))


def called_as(stub: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Let the decorated function choose what compiled code calls in place of `stub`.

    It gets the types of the arguments, and returns a compiled function, or None if there is none.
    """

    def register(choose: Callable[..., Any]) -> Any:
        def twin(*kinds: Any) -> Any:
            kernel = choose(*kinds)
            return kernel if kernel is None else _twin(kernel, kinds)

        # numba compares the names of arguments, so both functions get those of the stub.
        names = ", ".join(inspect.signature(stub).parameters)
        scope: dict[str, Any] = {"twin": twin}
        exec(
            f"def chosen({names}):\n"
            f"    kernel = twin({names})\n"
            f"    return None if kernel is None else lambda {names}: kernel({names})\n",
            scope,
        )
        generated(stub, forceinline=True)(scope["chosen"])
        return choose

    return register


def generated(stub: Callable[..., Any], **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Let compiled code call, in place of `stub`, what the decorated function writes.

    It gets the types of the arguments, and returns a function of Python, which is compiled with
    `options` of numba.
    """
    register: Callable[[Callable[..., Any]], Any] = overload(stub, jit_options=_accepted(options))
    return register


def _accepted(options: dict[str, Any]) -> dict[str, Any]:
    """The `options` that this numba takes; without those that it does not document, if it must."""
    return {name: options[name] for name in options if name not in _unknown()}


@cache
def _unknown() -> frozenset[str]:
    """The options that only make kernels faster, if numba does not compile with them.

    It does not document them, nor the error; it raises it at the first call.
    """
    options = {"forceinline": True, "_nrt": False}
    try:
        numba.njit(lambda: 0, **options)()
    except Exception:
        return frozenset(options)
    return frozenset()
