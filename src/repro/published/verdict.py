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
Exact numbers, with all
:math:`v_i = 0`, agree if and only if ours rounds to the published one: their resolution is r/2.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from repro._checks import check_mapping
from repro.published.words import AGREES, DIFFERS, NOT_EXPLAINED, NOT_RUN

__all__ = [
    "LEVEL",
    "NO_REASONS",
    "Floats",
    "Means",
    "Spread",
    "compared",
    "explained",
    "quantile",
    "spread",
    "spread_of_means",
    "verdicts",
]

Floats = NDArray[np.float64]

#: Probability that a cell differs, or a claim is decided wrongly, by chance.
LEVEL = 0.05
NO_REASONS: Mapping[Any, str] = MappingProxyType({})
FEW = 5.0  # degrees of freedom from which Welch's formula keeps the level
ROUNDING_ERROR = 1e-9  # relative; the floating-point error of a difference may not decide


class Means(NamedTuple):
    """Means over runs, with the runs' standard deviations and numbers; each has shape (cells,)."""

    mean: Floats
    deviation: Floats  #: nan where unknown, as for one run
    n: Floats


class Spread(NamedTuple):
    """What chance and rounding do to differences; each field has shape (cells,)."""

    standard_error: Floats
    resolution: Floats  #: smallest difference that could have been seen


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
    parts, nu = np.asarray(variance, dtype=np.float64), np.asarray(df, dtype=np.float64)
    sampling, rounding = parts.sum(axis=0), np.asarray(step) ** 2 / 12
    with np.errstate(all="ignore"):  # exact cells have no degrees of freedom
        welch = quantile(1 / ((parts / sampling) ** 2 / nu).sum(axis=0), level) ** 2 * sampling
    banerjee = (quantile(nu, level) ** 2 * parts).sum(axis=0)
    squared = np.where((nu < FEW).any(axis=0), banerjee, welch)
    bound = np.sqrt(squared + quantile(np.inf, level) ** 2 * rounding)
    resolution = np.where(sampling == 0, np.asarray(step) / 2, bound)
    return Spread(np.sqrt(sampling + rounding), resolution)


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


def verdicts(difference: ArrayLike, resolution: ArrayLike) -> NDArray[np.str_]:
    """*differs* where |difference| exceeds the resolution, *not run* where one of them is nan.

    >>> verdicts([0.1, -0.3, np.nan], 0.2).tolist()
    ['agrees', 'differs', 'not run']
    """
    size, bound = np.abs(difference), np.asarray(resolution) * (1 + ROUNDING_ERROR)
    found = np.where(size <= bound, AGREES, DIFFERS)
    return np.where(np.isnan(size) | np.isnan(bound), NOT_RUN, found)


def compared(
    published: Floats, reproduced: Floats, standard_error: Floats, found: Spread
) -> dict[str, ArrayLike]:
    """The columns of a comparison from reproduced to verdict, each of shape (cells,)."""
    difference = reproduced - published
    return {
        "reproduced": reproduced,
        "s.e.": standard_error,
        "difference": difference,
        "s.e. of difference": found.standard_error,
        "resolution": found.resolution,
        "verdict": verdicts(difference, found.resolution),
    }


def explained(
    comparison: pd.DataFrame, keys: list[str], reasons: Mapping[Any, str] = NO_REASONS
) -> list[str]:
    """The reason of each row of `comparison` that differs, "" for the other rows.

    Parameters
    ----------
    comparison : frame with the columns `keys` and verdict.
    keys : columns that name a cell.
    reasons : cells, as values of the one key or tuples of several, to reasons.
    """
    check_mapping(reasons, name="reasons", rule="cells to reasons")
    cells = comparison[keys].itertuples(index=False, name=None)
    return [
        reasons.get(cell if len(cell) > 1 else cell[0], NOT_EXPLAINED) if word == DIFFERS else ""
        for cell, word in zip(cells, comparison["verdict"], strict=True)
    ]
