"""Distance of generated samples from the nearest new sample, in blocks of bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_matrix
from repro.networks._jax import jax, jnp, transposed
from repro.networks._objectives import Floats

__all__ = ["nearest_distance"]

BLOCK = 1024
LARGEST = 1e15


def nearest_distance(X: ArrayLike, others: ArrayLike) -> NDArray[np.float32]:
    r"""Euclidean distance of each row of `X` from the nearest row of `others`.

    .. math:: \min_a \|x - a\|

    The nearest row is found with :math:`\|a\|^2 - 2 x^T a`, 1024 times 1024 pairs at a time; the
    distance from that row is then computed directly.

    Parameters
    ----------
    X : shape (n, d).
    others : shape (m, d).

    Returns shape (n,). Raises ValueError for arrays that are empty, not finite, beyond 1e15, or of
    different width.

    >>> nearest_distance([[0.0, 0.0], [3.0, 4.0]], [[0.0, 1.0], [3.0, 3.0]]).tolist()
    [1.0, 1.0]
    """
    a, b = _single(X, "X"), _single(others, "others")
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"others must have {a.shape[1]} columns, as X; got {b.shape[1]}")
    return np.concatenate([_distance(a[i : i + BLOCK], b) for i in range(0, len(a), BLOCK)])


def _single(values: ArrayLike, name: str) -> Floats:
    """`values` in single precision, in which a squared distance must not overflow."""
    matrix = as_matrix(values, name=name)
    if (largest := max(abs(float(matrix.min())), abs(float(matrix.max())))) > LARGEST:
        raise ValueError(f"{name} must lie in [-{LARGEST:g}, {LARGEST:g}]; got {largest}")
    return matrix.astype(np.float32)


def _distance(a: Floats, b: Floats) -> Floats:
    """`nearest_distance` for at most `BLOCK` rows `a`."""
    best, row = np.full(len(a), np.inf, np.float32), np.zeros(len(a), np.int64)
    for i in range(0, len(b), BLOCK):
        part = b[i : i + BLOCK]
        pair = _nearest(_filled(a), _filled(part), len(part))
        square, nearest = (np.asarray(values)[: len(a)] for values in pair)
        better = square < best
        best[better], row[better] = square[better], i + nearest[better]
    difference = a - b[row]
    return np.asarray(np.sqrt((difference * difference).sum(axis=1)))


def _filled(rows: Floats) -> Floats:
    return np.pad(rows, ((0, BLOCK - len(rows)), (0, 0)))


@jax.jit
def _nearest(a: Any, b: Any, n: Any) -> Any:
    """The nearest of the first `n` rows of `b` for each row of `a`.

    Returns the squared distances less |a|^2, and the rows.
    """
    square = (b * b).sum(axis=1) - 2 * (a @ transposed(b))
    square = jnp.where(jnp.arange(BLOCK) < n, square, jnp.inf)
    return square.min(axis=1), square.argmin(axis=1)
