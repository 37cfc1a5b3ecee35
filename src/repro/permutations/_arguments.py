"""Checks of orders, their lengths, and numbers of swaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import MOST_STEPS, as_array, check_count, shown
from repro.kernels.compiling import kernel

__all__ = ["as_order", "check_length", "check_swaps"]

RULE = "order must be a 1-d array of integers with each of 0..n-1 once"


def check_length(n: int) -> int:
    """Return `n` if it is a number of examples that an order may have."""
    return check_count(n, name="n", most=MOST_STEPS)


def check_swaps(k: int | None, n: int) -> int:
    """Return the number of swaps `k` of an order of `n` positions; `n` if it is None."""
    return n if k is None else check_count(k, name="k", least=0, most=2 * n - 1)


def as_order(order: ArrayLike) -> NDArray[np.int64]:
    """Return `order` as an array (n,) of the integers 0..n-1, each once, n >= 1.

    Raises ValueError for anything else, such as floats, booleans, masked values or duplicates.
    """
    given = as_array(order)
    is_number = given.dtype.kind in "biuf"
    if not is_number and given.size:
        raise ValueError(f"{RULE}; got {shown(order)}")
    if given.ndim != 1 or given.size == 0:
        raise ValueError(f"{RULE}; got shape {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"{RULE}; got dtype {given.dtype}")
    # uint64 wraps around to negative numbers, which are refused.
    indices = given.astype(np.int64, copy=False)
    first = _first_fault(indices, np.zeros(indices.size, np.bool_))
    if first < indices.size:
        why = "a second" if 0 <= indices[first] < indices.size else "the value"
        raise ValueError(f"{RULE}; got {why} {given[first]} at index {first}")
    return indices


@kernel
def _first_fault(order, seen):  # type: ignore[no-untyped-def]
    """The first index of a value outside 0..n-1 or seen before; n if there is none."""
    for i in range(order.size):
        if order[i] < 0 or order[i] >= order.size or seen[order[i]]:
            return i
        seen[order[i]] = True
    return order.size
