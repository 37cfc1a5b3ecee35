"""Distance of generated samples from the nearest new sample, in blocks of bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_matrix

__all__ = ["nearest_distance"]

BLOCK = 1024


def nearest_distance(X: ArrayLike, others: ArrayLike) -> NDArray[np.float32]:
    r"""Euclidean distance of each row of `X` from the nearest row of `others`.

    .. math:: \min_a \|x - a\|

    The nearest row is found in blocks of rows with :math:`\|x\|^2 + \|a\|^2 - 2 x^T a`, in single
    precision; the distance from it is then computed directly.

    Parameters
    ----------
    X : shape (n, d).
    others : shape (m, d).

    Returns shape (n,). Raises ValueError for arrays that are empty, not finite, or of different
    width.

    >>> nearest_distance([[0.0, 0.0], [3.0, 4.0]], [[0.0, 1.0], [3.0, 3.0]]).tolist()
    [1.0, 1.0]
    """
    a, b = (np.asarray(as_matrix(m, name=n), np.float32) for m, n in ((X, "X"), (others, "others")))
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"others must have {a.shape[1]} columns, as X; got {b.shape[1]}")
    found = [_nearest(a[i : i + BLOCK], b) for i in range(0, len(a), BLOCK)]
    return np.concatenate(found)


def _nearest(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """`nearest_distance` for one block of rows."""
    best, row = np.full(len(a), np.inf, np.float32), np.zeros(len(a), np.int64)
    for i in range(0, len(b), BLOCK):
        part = b[i : i + BLOCK]
        square = (part * part).sum(axis=1) - 2 * (a @ part.T)  # without the constant |x|^2
        nearest = square.argmin(axis=1)
        value = square[np.arange(len(a)), nearest]
        better = value < best
        best[better], row[better] = value[better], i + nearest[better]
    return np.asarray(np.linalg.norm(a - b[row], axis=1))
