"""The losses that estimators and detectors are given: the same arrays for all libraries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Losses(NamedTuple):
    """0/1 losses of two learners, and the labels and predictions of the first; each (n,)."""

    loss: NDArray[np.float64]
    other: NDArray[np.float64]
    y: NDArray[np.int64]
    y_pred: NDArray[np.int64]


def stationary(n: int) -> Losses:
    """Independent losses with probability .2."""
    return _draw(np.full(n, 0.2))


def drifting(n: int) -> Losses:
    """With probability .2 and .4 by turns, a tenth of the stream each: nine drifts."""
    return _draw(np.where(np.arange(n) * 10 // n % 2, 0.4, 0.2))


KINDS = {"none": stationary, "nine": drifting}


def _draw(rates: NDArray[np.float64]) -> Losses:
    rng, n = np.random.default_rng(0), rates.size
    loss, other = rng.random(n) < rates, rng.random(n) < 0.2
    y = (rng.random(n) < 0.3).astype(np.int64)
    return Losses(loss.astype(float), other.astype(float), y, np.where(loss, 1 - y, y))
