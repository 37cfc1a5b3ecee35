"""Stacked learner states: one leading axis per member; copies and views of one member.

A state is a NamedTuple of arrays, of other states, and of plain numbers (settings). The states of
an ensemble's members differ in content only, so they are kept as one state whose arrays have one
more axis in front. `member` returns the state of one member as views, in Python and compiled code.
"""

from __future__ import annotations

import copy
import mmap
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from repro.kernels.mode import generated

__all__ = [
    "blank",
    "copied",
    "copy_into",
    "copy_rows",
    "has_large",
    "is_large",
    "member",
    "packed",
    "stacked",
    "state_bytes",
    "unpacked",
]

LARGE = 1 << 17  # bytes
CHUNK = 1 << 16  # bytes searched at once for non-zeros


def blank(shape: tuple[int, ...], dtype: Any = np.float64) -> NDArray[Any]:
    """An array of zeros that takes memory, page by page, only once it is written to.

    `np.zeros` asks for huge pages: each of the ten trees of an ensemble would first clear
    megabytes for its first leaf.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size < LARGE or not hasattr(mmap, "MAP_PRIVATE"):
        return np.zeros(shape, dtype)
    try:
        scratch = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"shape must fit into memory; got {shape}, {size:,} bytes") from error
    return np.frombuffer(scratch, dtype, prod(shape)).reshape(shape)


def is_large(part: Any) -> bool:
    """Whether `part` of a state is an array that `blank` leaves without memory at first."""
    return isinstance(part, np.ndarray) and part.nbytes >= LARGE


def has_large(state: Any) -> bool:
    """Whether `state`, or a state inside it, holds a large array."""
    return any(is_large(part) or (isinstance(part, tuple) and has_large(part)) for part in state)


def stacked(states: Sequence[Any], n: int | None = None, *, large: bool = True) -> Any:
    """One state holding copies of all `states`, or `n` copies of the only one.

    A new large array holds mostly zeros, and zeros that are never written cost no memory: only
    non-zeros are copied. Scanning large arrays for them can cost more than a short run.

    Parameters
    ----------
    states : states of one kind and size
    n : number of copies of the only state; by default one copy of each of the `states`
    large : copy large arrays; otherwise they stay blank, and the caller must set up each member
    """
    first, size = states[0], n or len(states)
    parts: list[Any] = []
    for field, part in enumerate(first):
        if isinstance(part, np.ndarray):
            whole = blank((size, *part.shape), part.dtype)
            for m, state in enumerate(() if is_large(part) and not large else states):
                _copy_nonzero(whole[m:] if len(states) == 1 else whole[m : m + 1], state[field])
            parts.append(whole)
        elif isinstance(part, tuple):
            parts.append(stacked([state[field] for state in states], size, large=large))
        else:
            parts.append(part)
    return type(first)(*parts)


def member(states: Any, m: int) -> Any:
    """The `m`-th of the `stacked` states; its arrays are views."""
    return type(states)(
        *(
            part[m]
            if isinstance(part, np.ndarray)
            else member(part, m)
            if isinstance(part, tuple)
            else part
            for part in states
        )
    )


def copy_into(state: Any, source: Any) -> None:
    """Make `state` equal to `source`, a state of the same kind and sizes."""
    for part, other in zip(state, source, strict=True):
        if isinstance(part, np.ndarray):
            part[...] = other
        elif isinstance(part, tuple):
            copy_into(part, other)
        elif isinstance(part, list):  # objects of Python, see `repro.kernels.dispatch`
            part[:] = copy.deepcopy(other)


def copy_rows(states: Any, source: Any, rows: NDArray[np.int64]) -> None:
    """Make the members `rows` (m,) of stacked `states` equal to the first m of `source`."""
    for part, other in zip(states, source, strict=True):
        if isinstance(part, np.ndarray):
            part[rows] = other[: rows.size]
        elif isinstance(part, tuple):
            copy_rows(part, other, rows)


class PackedArray(NamedTuple):
    """A large array without the chunks that hold only zeros."""

    shape: tuple[int, ...]
    dtype: Any
    chunks: list[tuple[int, NDArray[Any]]]  # position in the flat array, elements


def packed(state: Any) -> Any:
    """`state` in the size of what it holds: large arrays without their chunks of zeros.

    For pickles and copies: a tree reserves megabytes, of which a stream may fill a few thousand
    bytes. The arrays are those of `state`, or views of them. `unpacked` is the inverse.

    >>> from repro.learners import HoeffdingTree
    >>> from repro.streams.stream import Schema
    >>> state = HoeffdingTree().start(Schema((0,) * 5, 2))
    >>> state.nodes.nbytes > 10**6, len(packed(state).nodes.chunks)
    (True, 1)
    """
    if is_large(state):
        return PackedArray(state.shape, state.dtype, list(_nonzero_chunks(state)))
    return type(state)(*map(packed, state)) if isinstance(state, tuple) else state


def unpacked(state: Any) -> Any:
    """The state of which `state` is the `packed` form; it can be written to.

    It shares its small arrays with `state` where these are plain and writeable; memory-mapped and
    read-only ones, which joblib makes when it loads a pickle, are copied.
    """
    if isinstance(state, PackedArray):
        whole = blank(state.shape, state.dtype)
        flat = whole.reshape(-1)
        for start, chunk in state.chunks:
            flat[start : start + chunk.size] = chunk
        return whole
    if isinstance(state, np.ndarray):
        return np.require(state, requirements=["ALIGNED", "WRITEABLE", "ENSUREARRAY"])
    return type(state)(*map(unpacked, state)) if isinstance(state, tuple) else state


def copied(state: Any, memo: dict[int, Any] | None = None) -> Any:
    """A copy of `state` that shares nothing with it; chunks of zeros still take no memory.

    `memo` is that of `copy.deepcopy`, for objects of Python inside the state.
    """
    return unpacked(copy.deepcopy(packed(state), memo))


@singledispatch
def state_bytes(state: Any) -> int:
    """Memory of `state` in bytes: the sum over its arrays, or what its kind registers."""
    return sum(
        part.nbytes if isinstance(part, np.ndarray) else state_bytes(part)
        for part in state
        if isinstance(part, np.ndarray | tuple)
    )


def _copy_nonzero(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy `source` into every row of `target`, which is all zeros."""
    new = target.reshape(len(target), -1)
    for start, chunk in _nonzero_chunks(source):
        new[:, start : start + chunk.size] = chunk


def _nonzero_chunks(array: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Position and elements (views) of each chunk of `array`, flat, that is not all zeros."""
    flat, step = array.reshape(-1), max(1, CHUNK // array.itemsize)
    for start in range(0, flat.size, step):
        chunk = flat[start : start + step]
        if chunk.tobytes() != bytes(chunk.nbytes):
            yield start, chunk


# numba does not compile loops over the fields of a NamedTuple, so the code for each kind of state
# is generated, field by field.


@generated(member, forceinline=True)
def _member(states, m):  # type: ignore[no-untyped-def]
    fields = []
    for name, kind in _fields(states):
        if isinstance(kind, types.Array):
            fields.append(f"states.{name}[m]")
        elif isinstance(kind, types.BaseTuple):
            fields.append(f"member(states.{name}, m)")
        else:
            fields.append(f"states.{name}")
    return _written(f"lambda states, m: State({', '.join(fields)})", states)


@generated(copy_into)
def _copy_into(state, source):  # type: ignore[no-untyped-def]
    lines = ["def copy(state, source):", "    pass"]
    for name, kind in _fields(state):
        if isinstance(kind, types.Array):
            lines += _element_by_element(name, kind.ndim)
        elif isinstance(kind, types.BaseTuple):
            lines.append(f"    copy_into(state.{name}, source.{name})")
    scope: dict[str, Any] = {"copy_into": copy_into}
    exec("\n".join(lines), scope)
    return scope["copy"]


def _element_by_element(name: str, ndim: int) -> list[str]:
    """Loops that copy one array: a slice would create an array, which kernels must not do."""
    lines, index = [], [f"i{axis}" for axis in range(ndim)]
    for axis, i in enumerate(index):
        lines.append(f"{'    ' * (axis + 1)}for {i} in range(state.{name}.shape[{axis}]):")
    cell = f"{name}[{', '.join(index)}]"
    return [*lines, f"{'    ' * (ndim + 1)}state.{cell} = source.{cell}"]


def _fields(state: Any) -> list[tuple[str, types.Type]]:
    return list(zip(state.fields, state.types, strict=True))


def _written(code: str, state: Any) -> Callable[..., Any]:
    return eval(code, {"State": state.instance_class, "member": member})
