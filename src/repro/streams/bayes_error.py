"""The Bayes error that a description of a stream states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BayesError"]


class BayesError(NamedTuple):
    """Bayes error at some times, (m,) each, and its standard error: 0 if it was integrated."""

    error: NDArray[np.float64]
    standard_error: NDArray[np.float64]
