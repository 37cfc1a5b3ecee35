"""Scaling before squaring, for results that do not depend on a unit: squares may overflow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["scaled"]


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `values` times the power of 2 that brings the largest absolute value to [0.5, 1).

    Zeros stay. Multiplying by a power of 2 changes no digit, so results from values of ordinary
    size do not change; squares of very large values would overflow, and of very small ones vanish.
    """
    return np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
