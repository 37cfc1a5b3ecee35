r"""The rule of every verdict on a published number.

A reproduced number *differs* from a published one when their difference exceeds the `resolution`,
the smallest difference that could have been seen,

.. math:: |\bar x - p| > \sqrt{t_{1-\alpha/2,\,\nu}^2\, v + z_{1-\alpha/2}^2\, r^2 / 12},
          \qquad v = \sum_i v_i,

with Student's and the normal quantile at the level :math:`\alpha = 0.05`, the variances
:math:`v_i` of the two means, and the step *r* to which the published number is rounded. The
degrees of freedom are those of Welch (1947), Biometrika 34, 28-35:

.. math:: \nu = v^2 \big/ \sum_i v_i^2 / \nu_i,

where a mean of *n* runs has :math:`\nu_i = n - 1`. If both numbers are the same in truth, 5 % of
the cells differ by chance. For a side with fewer than six runs Welch's formula would let up to
12 % differ; there each variance has its own quantile, :math:`\sum_i t_{\nu_i}^2 v_i` in place of
:math:`t_\nu^2 v`, which keeps the level below 5 % (Banerjee 1961, Sankhya A 23, 359-378).
Exact numbers, with all :math:`v_i = 0`, agree if and only if ours rounds to the published one:
their resolution is r/2.

The *p-value* of a cell is the level :math:`\alpha` at which its difference would equal the
resolution: the cell differs if and only if p < 0.05. An exact number has none, because chance has
no part in it.

A cell that does not differ *agrees*, unless it is *too coarse to tell*: its resolution is worse
than a tenth of the published number, or than half a point where the number is an error in percent.
Nothing finer than the printed step is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from repro.published.words import AGREES, DIFFERS, LEVEL, NOT_RUN, TOO_COARSE

__all__ = [
    "LEVEL",
    "Floats",
    "Means",
    "Spread",
    "compared",
    "quantile",
    "spread",
    "spread_of_means",
    "too_coarse",
    "verdicts",
]

Floats = NDArray[np.float64]

FEW = 5.0  # degrees of freedom from which Welch's formula keeps the level
ROUNDING_ERROR = 1e-9  # relative; the floating-point error of a difference may not decide
LEAST_P = 1e-12  # smaller p-values are shown as this one
FINE_SHARE = 0.1  # of the published number; a resolution that is worse is too coarse to tell


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
            welch = quantile(df, level) ** 2 * sampling
        banerjee = (quantile(self.df, level) ** 2 * self.variance).sum(axis=0)
        squared = np.where((self.df < FEW).any(axis=0), banerjee, welch)
        bound = np.sqrt(squared + quantile(np.inf, level) ** 2 * (self.step**2 / 12))
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


def quantile(df: ArrayLike, level: ArrayLike = LEVEL) -> Floats:
    """Student's two-sided quantile: a mean is farther out with the probability `level`.

    >>> quantile([1, 9, np.inf]).round(2).tolist()
    [12.71, 2.26, 1.96]
    """
    return np.asarray(stdtrit(df, 1 - np.asarray(level) / 2), dtype=np.float64)


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

    >>> found = spread([[0.04], [0.05]], [[9], [np.inf]])
    >>> found.standard_error.round(3), found.resolution.round(3)
    (array([0.3]), array([0.604]))
    """
    given = (np.asarray(values, dtype=np.float64) for values in (variance, df, step, level))
    return Spread(*given)


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
    known = ~np.isnan(deviation)
    with np.errstate(divide="ignore"):  # a side without runs has no mean either
        per_run = np.where(known.all(axis=0), 1 / n, (1 / n).sum(axis=0))
        variance = np.where(known, deviation, 0.0) ** 2 * per_run
    variance = np.where(known.any(axis=0), variance, np.nan)
    return spread(variance, np.where(known, n - 1, np.inf), step=step, level=level)


def too_coarse(
    published: ArrayLike,
    resolution: ArrayLike,
    *,
    step: ArrayLike = 0.0,
    points: float | None = None,
) -> NDArray[np.bool_]:
    """Whether so little could have been seen that a cell that does not differ says nothing.

    Parameters
    ----------
    published : the published numbers, shape (cells,).
    resolution : of each cell, in the same units.
    step : to which the published numbers are rounded; nothing finer is asked for.
    points : the worst resolution that is fine, in the units of the numbers. None for a tenth of
        the published number.

    >>> too_coarse([4.0, 0.2, 30.0], 0.4).tolist(), too_coarse([4.0, 30.0], 0.4, points=0.5).any()
    ([False, True, False], np.False_)
    """
    fine = FINE_SHARE * np.abs(published) if points is None else points
    worst = np.maximum(fine, step) * (1 + ROUNDING_ERROR)
    return np.asarray(np.asarray(resolution) > worst, dtype=np.bool_)


def verdicts(
    difference: ArrayLike, resolution: ArrayLike, is_coarse: ArrayLike = False
) -> NDArray[np.str_]:
    """*differs* where |difference| exceeds the resolution, *not run* where one of them is nan.

    The other cells agree, or are too coarse to tell where `is_coarse`.

    >>> verdicts([0.1, -0.3, np.nan], 0.2).tolist()
    ['agrees', 'differs', 'not run']
    """
    size, bound = np.abs(difference), np.asarray(resolution) * (1 + ROUNDING_ERROR)
    found = np.where(size <= bound, np.where(is_coarse, TOO_COARSE, AGREES), DIFFERS)
    return np.where(np.isnan(size) | np.isnan(bound), NOT_RUN, found)


def compared(
    published: Floats,
    reproduced: Floats,
    standard_error: Floats,
    found: Spread,
    *,
    points: float | None = None,
) -> dict[str, ArrayLike]:
    """The columns of a comparison from reproduced to verdict, each of shape (cells,).

    `points` is that of `too_coarse`.
    """
    difference, resolution = reproduced - published, found.resolution
    is_coarse = too_coarse(published, resolution, step=found.step, points=points)
    return {
        "reproduced": reproduced,
        "s.e.": standard_error,
        "difference": difference,
        "s.e. of difference": found.standard_error,
        "resolution": resolution,
        "p": found.p(difference),
        "verdict": verdicts(difference, resolution, is_coarse),
    }
