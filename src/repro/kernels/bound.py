"""Calls of a kernel again and again with the same arrays, from Python.

numba unpacks all arguments at each call. For a state of a dozen arrays that takes ten times as long
as most kernels. Arrays change their content here, but never their place, so `bound` unpacks them
once and then calls the machine code with their address.

A kernel for `bound` takes (`kind`, `place`), and begins with ``arrays = loaded(kind, place)``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from repro.kernels.compiling import all_ours, outlined
from repro.kernels.dispatch import is_interpreted
from repro.kernels.mode import LINKED, generated

__all__ = ["bound", "loaded"]


def bound(kernel: Any, arrays: tuple[Any, ...]) -> Callable[[], int]:
    """`kernel`, which returns an integer, as a function without arguments.

    Parameters
    ----------
    kernel : `outlined`, of this package, with the arguments (`kind`, `place`).
    arrays : what `loaded` gives to the kernel: arrays, states and numbers. Afterwards the content
        of the arrays may change; other arrays need another `bound`.

    An interpreted state runs interpreted. Your state is unpacked at each call, since its
    kernels may raise errors and create arrays; without the linker, so is every state.
    """
    if is_interpreted(arrays):
        return partial(kernel.py_func, None, arrays)
    kind = numba.typeof(arrays)
    if not LINKED or not all_ours([kind]):
        return partial(kernel, None, arrays)
    memory = np.zeros(_size(arrays), np.uint8)
    address = memory.ctypes.data
    _store(arrays, address)
    code = _compiled(kernel, kind)

    def call(keep: Any = (arrays, memory)) -> int:  # the code knows addresses only
        return code(kind, address)

    return call


def loaded(kind: Any, place: Any) -> Any:
    """The arrays that a kernel was `bound` to."""
    return place


def _compiled(kernel: Any, kind: types.Type) -> Any:
    """The compiled function that the dispatcher `kernel` would choose."""
    signature = types.TypeRef(kind), types.int64
    return kernel.compile(signature)


@generated(loaded, forceinline=True)
def _loaded(kind, place):  # type: ignore[no-untyped-def]
    if isinstance(kind, types.TypeRef):
        return lambda kind, place: _load(kind, place)
    return lambda kind, place: place


@intrinsic
def _load(context, kind, address):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        value = context.get_value_type(signature.return_type)
        return builder.load(builder.inttoptr(arguments[1], value.as_pointer()), align=1)

    return kind.instance_type(kind, address), generate


@intrinsic
def _write(context, arrays, address):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        value, target = arguments
        builder.store(value, builder.inttoptr(target, value.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(arrays, address), generate


@intrinsic
def _bytes(context, arrays):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        value = context.get_value_type(signature.args[0])
        return context.get_constant(types.intp, context.get_abi_sizeof(value))

    return types.intp(arrays), generate


@outlined
def _store(arrays, address):  # type: ignore[no-untyped-def]
    _write(arrays, address)


@outlined
def _size(arrays):  # type: ignore[no-untyped-def]
    return _bytes(arrays)
