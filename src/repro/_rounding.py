"""A standard error that only rounding leaves, of numbers that are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["without_rounding"]

ROUNDING = 1e-12  # of a number: a smaller standard error is none


def without_rounding(error: ArrayLike, value: ArrayLike) -> np.ndarray:
    """The standard `error` of a `value`, and 0 where it is at most 1e-12 of that.

    Means of equal numbers, summed in another order, differ in their last digits: a test would take
    these for a spread, and the mean for certain.

    >>> without_rounding([5e-17, 0.1], 0.3).tolist()
    [0.0, 0.1]
    """
    errors, size = np.asarray(error, dtype=np.float64), np.abs(value)
    return np.where((errors <= ROUNDING * size) & np.isfinite(size), 0.0, errors)
