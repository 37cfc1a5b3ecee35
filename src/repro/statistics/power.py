"""How likely a test is to see a difference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import nct, t

from repro._checks import check_count, check_inside, check_number
from repro.statistics.estimates import Floats

__all__ = ["ResampledTests", "paired_power"]


def paired_power(effect: float, deviation: float, seeds: int, confidence: float = 0.95) -> float:
    r"""Power of the two-sided paired t-test over `seeds` differences.

    .. math:: P(|T| > t_{1-\alpha/2,\,k-1}),\quad
              T \sim t_{k-1}(\sqrt k\,\delta / \sigma)\ \text{noncentral}

    `effect` is the difference in truth, `deviation` the standard deviation of the difference of a
    run; no spread at all sees every difference but 0.

    Raises ValueError for a `deviation` below 0, for `seeds` that are no whole number >= 0, for a
    `confidence` outside of (0, 1), and for what is no finite number.

    >>> round(paired_power(1.0, 1.0, 10), 3)
    0.803
    """
    effect = check_number(effect, name="effect")
    deviation = check_number(deviation, name="deviation", least=0)
    seeds = check_count(seeds, name="seeds", least=0)
    confidence = check_inside(confidence, name="confidence")
    if seeds < 2:
        return 0.0
    if deviation == 0:
        return float(effect != 0)
    bound, shift = t.isf((1 - confidence) / 2, seeds - 1), effect / deviation * np.sqrt(seeds)
    both = nct.sf(bound, seeds - 1, shift) + nct.cdf(-bound, seeds - 1, shift)
    return float(np.nan_to_num(both, nan=1.0))  # nan where scipy's series ends: far from 0


class ResampledTests:
    r"""Paired t-tests of resamples of real runs: their power for differences that are not normal.

    Of `differences`, one for each run, shape (runs,), 10 000 resamples are drawn. They are moved to
    mean 0 and stretched by :math:`\sqrt{n/(n-1)}`, as distances from the mean of n runs are too
    short. A resample without a spread does not reject.

    >>> rng = np.random.default_rng(0)
    >>> skewed = ResampledTests(rng.exponential(size=300), rng)
    >>> bool(skewed.power(0.8, 15) > paired_power(0.8, 1.0, 15))
    True
    """

    MOST = 200  #: seeds; with more the mean is normal, whatever its runs are
    RESAMPLES = 10_000

    def __init__(self, differences: Floats, rng: np.random.Generator) -> None:
        runs = len(differences)
        spread = (differences - differences.mean()) * np.sqrt(runs / (runs - 1))
        drawn = spread[rng.integers(runs, size=(self.RESAMPLES, self.MOST))]
        k = np.arange(1, self.MOST + 1)
        total, squares = drawn.cumsum(axis=1), (drawn**2).cumsum(axis=1)
        self._means = total / k
        variances = np.maximum(squares - total * self._means, 0.0) / np.maximum(k - 1, 1)
        self._errors = np.sqrt(variances / k)
        self._errors[variances < 1e-12 * spread.var()] = np.inf

    def power(self, effect: float, seeds: int, confidence: float = 0.95) -> float:
        """Share of the resamples of so many `seeds` whose test rejects."""
        if seeds < 2:
            return 0.0
        of = slice(seeds - 1, seeds)
        return float(self._rejects(effect, of, np.array([seeds]), confidence)[0])

    def powers(self, effect: float, confidence: float = 0.95) -> Floats:
        """The same for 2, 3, ..., `MOST` seeds."""
        return self._rejects(effect, slice(1, None), np.arange(2, self.MOST + 1), confidence)

    def _rejects(
        self, effect: float, of: slice, seeds: NDArray[np.int64], confidence: float
    ) -> Floats:
        bound = t.isf((1 - confidence) / 2, seeds - 1)
        rejects = np.abs(self._means[:, of] + effect) > bound * self._errors[:, of]
        return np.asarray(rejects.mean(axis=0))
