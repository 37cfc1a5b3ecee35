"""Missing values are replaced by the last value known, never by a later one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fill_last"]


def fill_last(X: NDArray[np.float64], first: float = 0.0) -> int:
    """Replace each nan of X (n, d) by the last number above it, or by `first` if there is none.

    Changes X in place; returns the number of values replaced.

    >>> X = np.array([[np.nan], [2.0], [np.nan]])
    >>> fill_last(X), X.ravel().tolist()
    (2, [0.0, 2.0, 2.0])
    """
    n_filled = 0
    for column in X.T:
        missing = np.isnan(column)
        if missing.any():
            last = np.maximum.accumulate(np.where(missing, -1, np.arange(len(column))))
            column[:] = np.where(last < 0, first, column[last])
            n_filled += int(missing.sum())
    return n_filled
