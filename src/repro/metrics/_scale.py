"""Numbers brought to size before they are squared: what does not depend on a unit has none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["scaled"]


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """`values` times the power of 2 that brings the largest in size to [0.5, 1); zeros stay.

    A power of 2 changes no digit, so what is computed from `values` of ordinary size is the same
    to the last bit; squares of others would overflow, or vanish.
    """
    return np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
