"""Batch means: means over stretches of a stream, in place of runs that cannot be repeated."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_matrix, check_count

__all__ = ["batch_means"]


def batch_means(x: ArrayLike, batches: int = 20) -> NDArray[np.float64]:
    """Return the means of `x` (n,) or (n, parts) over `batches` stretches of equal length.

    A real stream exists only once, and neighbouring losses depend on each other. Means over long
    stretches hardly depend on each other: their spread gives the standard error of the mean of the
    whole stream. Lengths differ by at most one example. The result has shape (batches,) or
    (batches, parts), and is a margin for `repro.published.claim`. Conway (1963), Management Science
    10, 47-61. Raises ValueError for values that are not finite numbers, and for fewer rows than
    `batches`.

    >>> batch_means([0, 0, 0, 1, 1, 1], batches=3).tolist()
    [0.0, 0.5, 1.0]
    """
    try:
        table = np.ndim(x) == 2
    except ValueError:  # rows of different length
        table = True
    values = as_matrix(x, name="x") if table else as_losses(x, name="x")
    batches = check_count(batches, name="batches")
    if len(values) < batches:
        raise ValueError(f"x must have at least {batches} rows, one per batch; got {len(values)}")
    with np.errstate(over="ignore"):
        return np.array([part.mean(axis=0) for part in np.array_split(values, batches)])
