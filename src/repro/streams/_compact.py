"""Rows and columns of a large matrix are left out and reordered in the memory it has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["compact", "reorder"]

BLOCK = 10_000  # rows copied at once


def compact(
    flat: NDArray[np.float64], rows: NDArray[np.bool_], columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The numbers of ``X[rows][:, columns]``, where `flat` holds the rows of X one by one.

    `flat` must own its memory, which is given back from the end. No other view of it may be used
    after the call.

    >>> X = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    >>> compact(X, np.array([True, False, True]), np.array([1])).tolist()
    [1.0, 5.0]
    """
    n, end = len(rows), 0
    if rows.all() and n * len(columns) == flat.size:
        return flat
    X = flat.reshape(n, -1)
    for i in range(0, n, BLOCK):
        part = X[i : i + BLOCK][rows[i : i + BLOCK]][:, columns].ravel()  # a copy
        flat[end : end + part.size] = part
        end += part.size
    del X
    flat.resize(end, refcheck=False)
    return flat


def reorder(X: NDArray[np.float64], order: NDArray[np.intp]) -> None:
    """Set X to ``X[order]`` in place, column by column."""
    for j in range(X.shape[1]):
        X[:, j] = X[order, j]
