"""Checks that stream descriptions share: times, sizes and points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_matrix, as_numbers, check_count, check_fits, has_masked, shown

__all__ = ["as_points", "as_times", "check_previous", "check_size"]


def as_times(t: ArrayLike, *, n: int | None = None, name: str = "t") -> NDArray[np.float64]:
    """Return `t`, one time or several, as finite floats >= 0 of shape (m,).

    With `n`, the number of rows that the times belong to, m is 1 or n.
    """
    single = t.ndim == 0 if isinstance(t, np.ndarray) else not hasattr(t, "__len__")
    values: Any = [t] if single else t
    times = as_numbers(values, name=name)
    if not (np.isfinite(times) & (times >= 0)).all():
        first = int(np.flatnonzero(~(np.isfinite(times) & (times >= 0)))[0])
        raise ValueError(f"{name} must be finite and >= 0; got {times[first]} at index {first}")
    if n is not None and times.size not in (1, n):
        raise ValueError(f"{name} must be one time or one per row, {n}; got {times.shape}")
    return times


def check_size(n: int, *, row: int, name: str = "n", least: int = 1) -> int:
    """Return the count `n` if a stream of `n` examples, `row` numbers each, fits into memory."""
    check_fits(8 * row * check_count(n, name=name, least=least), name=name, value=n)
    return int(n)


def as_points(means: Any) -> NDArray[np.float64]:
    """`means` as points (K, d), with d = 1 for numbers."""
    if has_masked(means):
        raise ValueError(f"means must hold no masked values; got {shown(means)}")
    try:
        single = np.ndim(means) == 1
    except ValueError:  # lists of several lengths
        single = False
    return as_matrix([[mean] for mean in means] if single else means, name="means")


def check_previous(previous: Any, n: int) -> int:
    """Number of `previous` labels, which must be n or n - 1."""
    try:
        size = int(np.shape(previous)[0]) if np.ndim(previous) == 1 else -1
    except ValueError:  # lists of several lengths
        size = -1
    if size not in (n, n - 1):
        got = size if size >= 0 else shown(previous)
        raise ValueError(f"previous must hold {n} labels, or one less; got {got}")
    return size
