"""Checks of orders, their lengths, and the strengths of permutations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import (
    LONGEST,
    MOST_STEPS,
    check_choice,
    check_count,
    check_probability,
    has_masked,
    shown,
)
from repro.kernels.compiling import kernel

__all__ = ["as_order", "as_strength", "check_length", "check_swaps"]

KINDS = ("time", "speed", "shape", "random")
RULE = "order must be a 1-d array of integers with each of 0..n-1 once"


def check_length(n: int) -> int:
    """Return `n` if it is a number of examples that an order may have."""
    return check_count(n, name="n", most=MOST_STEPS)


def check_swaps(k: int | None, n: int) -> int:
    """Return the number of swaps `k` of an order of `n` positions; `n` if it is None."""
    return n if k is None else check_count(k, name="k", least=0, most=2 * n - 1)


def as_strength(kind: str, n: int, p: float | None, k: int | None) -> tuple[int, float, int]:
    """Return `n`, `p` and `k` of a permutation of this `kind`, with the defaults 1/2 and n.

    Parameters
    ----------
    kind : "time", "speed", "shape" or "random".
    n : number of examples, >= 1.
    p : probability in [0, 1], for time and speed only; 1/2 if None.
    k : number of swaps, 0 <= k < 2n, for shape only; n if None.
    """
    check_choice(kind, KINDS, name="kind")
    n = check_count(n, name="n", most=LONGEST)
    if p is not None and kind not in ("time", "speed"):
        raise ValueError(f"p must be None for the kind {kind}; got {shown(p)}")
    if k is not None and kind != "shape":
        raise ValueError(f"k must be None for the kind {kind}; got {shown(k)}")
    return n, check_probability(0.5 if p is None else p, name="p"), check_swaps(k, n)


def as_order(order: ArrayLike) -> NDArray[np.int64]:
    """Return `order` as an array (n,) of the integers 0..n-1, each once, n >= 1.

    Raises ValueError for anything else, such as floats, booleans, masked values or duplicates.
    """
    try:
        given = np.asarray(None if has_masked(order) else order)
    except (TypeError, ValueError, OverflowError):
        given = np.array(None)
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
