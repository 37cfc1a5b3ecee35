r"""Differences of means over runs: their standard error, and the smallest that could be seen.

The difference of two means, one of which may be printed to a step *r*, has the *resolution*

.. math:: \sqrt{t_{1-\alpha/2,\,\nu}^2\, v + z_{1-\alpha/2}^2\, r^2 / 12}, \qquad v = \sum_i v_i,

with Student's and the normal quantile at the level :math:`\alpha` and the variances :math:`v_i` of
the means: two means that are equal in truth differ by more with the probability :math:`\alpha`. The
degrees of freedom are those of Welch (1947), Biometrika 34, 28-35:

.. math:: \nu = v^2 \big/ \sum_i v_i^2 / \nu_i,

where a mean of *n* runs has :math:`\nu_i = n - 1`. For a side with fewer than six runs Welch's
formula would let up to 12 % differ at 5 %; there each variance has its own quantile,
:math:`\sum_i t_{\nu_i}^2 v_i` in place of :math:`t_\nu^2 v`, which keeps the level (Banerjee 1961,
Sankhya A 23, 359-378). If all :math:`v_i = 0`, the resolution is r/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro.statistics.estimates import LEVEL, Floats, student_quantile

__all__ = ["Means", "Spread", "spread", "spread_of_means"]

FEW = 5.0  # degrees of freedom from which Welch's formula keeps the level
LEAST_P = 1e-12  # smaller p-values are shown as this one


class Means(NamedTuple):
    """Means over runs, with the runs' standard deviations and numbers; each has shape (cells,)."""

    mean: Floats
    deviation: Floats  #: nan where unknown, as for one run
    n: Floats


@dataclass(frozen=True)
class Spread:
    """What chance and rounding do to differences, one for each cell."""

    variance: Floats  #: of each term of a difference, shape (terms, cells); 0 for an exact term
    df: Floats  #: degrees of freedom of each variance, shape (terms, cells)
    step: Floats  #: to which the published numbers are rounded, one for all or shape (cells,)
    level: Floats  #: probability that equal numbers differ, one for all or shape (cells,)

    @property
    def standard_error(self) -> Floats:
        """Standard error of each difference, with the rounding; shape (cells,)."""
        with np.errstate(over="ignore"):
            return np.asarray(np.sqrt(self.variance.sum(axis=0) + self.step**2 / 12))

    @property
    def resolution(self) -> Floats:
        """The smallest difference that could have been seen; shape (cells,)."""
        return self.reach(self.level)

    def reach(self, level: Floats) -> Floats:
        """What a difference of equal numbers exceeds with the probability `level`."""
        sampling = self.variance.sum(axis=0)
        with np.errstate(all="ignore"):  # exact cells have no degrees of freedom
            df = 1 / ((self.variance / sampling) ** 2 / self.df).sum(axis=0)
            welch = student_quantile(df, level) ** 2 * sampling
        banerjee = (student_quantile(self.df, level) ** 2 * self.variance).sum(axis=0)
        squared = np.where((self.df < FEW).any(axis=0), banerjee, welch)
        with np.errstate(over="ignore"):
            bound = np.sqrt(squared + student_quantile(np.inf, level) ** 2 * (self.step**2 / 12))
        return np.where(sampling == 0, self.step / 2, bound)

    def p(self, difference: ArrayLike) -> Floats:
        """The level at which each difference equals its `reach`; nan for exact numbers.

        It is found by bisection of its logarithm, since the reach falls as the level rises.
        """
        size = np.abs(np.asarray(difference, dtype=np.float64))
        low, high = np.full(size.shape, np.log(LEAST_P)), np.zeros(size.shape)
        for _ in range(50):
            middle = (low + high) / 2
            is_far = size > self.reach(np.exp(middle))
            low, high = np.where(is_far, low, middle), np.where(is_far, middle, high)
        is_known = ~np.isnan(size) & (self.variance.sum(axis=0) > 0)
        return np.where(is_known, np.exp(high), np.nan)


def spread(
    variance: ArrayLike, df: ArrayLike, *, step: ArrayLike = 0.0, level: ArrayLike = LEVEL
) -> Spread:
    """Standard error and resolution of differences whose terms have these variances.

    Parameters
    ----------
    variance : shape (terms, cells); 0 for an exact term, nan makes the cell nan.
    df : degrees of freedom of each variance, shape (terms, cells).
    step : step to which the published numbers are rounded, one for all or shape (cells,).
    level : probability that equal numbers differ by chance, one for all or shape (cells,).

    >>> result = spread([[0.04], [0.05]], [[9], [np.inf]])
    >>> result.standard_error.round(3), result.resolution.round(3)
    (array([0.3]), array([0.604]))
    """
    return Spread(*(np.asarray(v, dtype=np.float64) for v in (variance, df, step, level)))


def spread_of_means(
    one: Means, other: Means, *, step: ArrayLike = 0.0, level: ArrayLike = LEVEL
) -> Spread:
    """Standard error and resolution of the difference of two means over runs.

    Where the deviation of one side is unknown, its runs are taken to spread as the other's do:
    the variance is :math:`s^2 (1/n + 1/m)` with the degrees of freedom of *s*. Where neither is
    known the result is nan.

    Parameters
    ----------
    one, other : the two sides, each with arrays of shape (cells,).
    step : step to which the published means are rounded.
    level : probability that equal numbers differ by chance.
    """
    deviation = np.stack([one.deviation, other.deviation])
    n = np.stack([one.n, other.n])
    has_deviation = ~np.isnan(deviation)
    with np.errstate(divide="ignore"):  # a side without runs has no mean either
        per_run = np.where(has_deviation.all(axis=0), 1 / n, (1 / n).sum(axis=0))
        variance = np.where(has_deviation, deviation, 0.0) ** 2 * per_run
    variance = np.where(has_deviation.any(axis=0), variance, np.nan)
    return spread(variance, np.where(has_deviation, n - 1, np.inf), step=step, level=level)
