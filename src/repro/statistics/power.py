"""How likely a test is to see a difference."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import nct, t

from repro._checks import as_floats, check_count, check_inside, check_kind, check_number, shown
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
    n = float(check_count(seeds, name="seeds", least=0))  # scipy takes no larger integers
    confidence = check_inside(confidence, name="confidence")
    if n < 2:
        return 0.0
    if deviation == 0:
        return float(effect != 0)
    bound = t.isf((1 - confidence) / 2, n - 1)
    shift = abs(effect) / deviation * np.sqrt(n)
    # The other tail is nan where scipy's series ends, at 1e-4 or less.
    other = np.nan_to_num(nct.cdf(-bound, n - 1, shift))
    return float(np.nan_to_num(nct.sf(bound, n - 1, shift), nan=1.0) + other)


class ResampledTests:
    r"""Paired t-tests of resamples of real runs: their power for differences that are not normal.

    Of `differences`, one for each run, shape (runs,), 10 000 resamples are drawn. They are moved to
    mean 0 and stretched by :math:`\sqrt{n/(n-1)}`, as distances from the mean of n runs are too
    short. A resample without a spread does not reject, so that few runs say nothing of few seeds.

    Raises ValueError for less than two runs, for numbers that are not finite, for more than `MOST`
    seeds and for a confidence outside of (0, 1), and TypeError without a generator.

    >>> rng = np.random.default_rng(0)
    >>> skewed = ResampledTests(rng.exponential(size=300), rng)
    >>> bool(skewed.power(0.8, 15) > paired_power(0.8, 1.0, 15))
    True
    """

    MOST = 200  #: seeds; with more the mean is normal, whatever its runs are
    RESAMPLES = 10_000

    def __init__(self, differences: ArrayLike, rng: np.random.Generator) -> None:
        values = as_floats(differences, name="differences")
        if values.ndim != 1 or values.size < 2 or not np.isfinite(values).all():
            rule = "differences must be finite numbers of two runs or more, of shape (runs,)"
            raise ValueError(f"{rule}; got {shown(differences)}")
        check_kind(rng, np.random.Generator, name="rng", rule="a generator of numpy")
        self._unit = float(np.abs(values).max()) or 1.0  # squares of large numbers would be inf
        values = values / self._unit
        runs, k = values.size, np.arange(1, self.MOST + 1)
        spread = (values - values.mean()) * np.sqrt(runs / (runs - 1))
        drawn = spread[rng.integers(runs, size=(self.RESAMPLES, self.MOST))]
        total, squares = drawn.cumsum(axis=1), (drawn**2).cumsum(axis=1)
        self._means = total / k
        variances = np.maximum(squares - total * self._means, 0.0) / np.maximum(k - 1, 1)
        self._errors = np.sqrt(variances / k)
        self._errors[variances < 1e-12 * spread.var()] = np.inf

    def power(self, effect: float, seeds: int, confidence: float = 0.95) -> float:
        """Share of the resamples of so many `seeds`, at most `MOST`, whose test rejects."""
        if check_count(seeds, name="seeds", least=0, most=self.MOST) < 2:
            return 0.0
        return float(self._rejected(effect, slice(seeds - 1, seeds), confidence)[0])

    def powers(self, effect: float, confidence: float = 0.95) -> Floats:
        """The same for 2, 3, ..., `MOST` seeds."""
        return self._rejected(effect, slice(1, None), confidence)

    def _rejected(self, effect: float, columns: slice, confidence: float) -> Floats:
        moved = check_number(effect, name="effect") / self._unit
        level = 1 - check_inside(confidence, name="confidence")
        bound = t.isf(level / 2, np.arange(self.MOST)[columns])
        rejects = np.abs(self._means[:, columns] + moved) > bound * self._errors[:, columns]
        return np.asarray(rejects.mean(axis=0))
