r"""How long a learner needs after a drift, from its losses on several draws of a stream."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression
from scipy.stats import t as student

from repro._checks import as_floats, check_count, check_inside, check_number, check_rng, shown
from repro.statistics.estimates import (
    LEVEL,
    Floats,
    PointEstimate,
    mean_estimate,
    student_quantile,
)

__all__ = ["RecoveryTime", "recovery_time"]

SCALES = 30, 100, 300, 1000, 3000  # examples after the drift over which a rise is looked for
BEFORE = 2500  # examples before the drift that give the level there, at most
BINS = 300  # of the examples after the drift, in equal ratios
RESAMPLES = 400
LARGEST = 1e100
FEWEST = 5  # draws from which the time has an interval


class RecoveryTime(NamedTuple):
    """What a drift does to the losses of a learner; times are examples after the drift.

    An *excess* is a loss minus that of the optimum on the same example, or the loss itself.
    """

    rise: PointEstimate  #: excess after the drift minus before, at the scale where it is clearest
    scale: int  #: examples after the drift over which `rise` is a mean
    p_value: float  #: of "no rise", corrected for the number of scales; nan for one draw
    left: PointEstimate  #: excess of the last quarter before the next drift, minus before the drift
    examples: float  #: until the excess is back within the margin; inf if it never is
    low: float  #: end of the interval of `examples`; nan for fewer than five draws
    high: float

    def rises(self, level: float = LEVEL) -> bool:
        """Whether the losses rise at the drift, by the tests of all scales together."""
        return bool(self.p_value <= level)

    def returns(self, margin: float, level: float = LEVEL) -> str:
        """``yes`` or ``no`` where the interval of `left` is below or above `margin`.

        Otherwise ``cannot tell``, as for one draw.
        """
        low, high = self.left.interval(level)
        return "yes" if high < margin else "no" if low > margin else "cannot tell"


def recovery_time(
    excess: ArrayLike,
    at: int,
    rng: np.random.Generator,
    *,
    start: int = 0,
    stop: int | None = None,
    margin: float = 0.02,
    level: float = LEVEL,
) -> RecoveryTime:
    r"""Judge how the losses rise at a drift, and after how many examples they are back.

    No window smooths the losses: their mean over the draws is fitted by the nonincreasing curve
    :math:`\hat e` of least squares,

    .. math:: \hat T = \min\{t : \hat e(t) \le \bar e_{before} + \text{margin}\},

    as a learner forgets the old concept step by step. A curve that rises first, as during a gradual
    drift, is fitted by its mean until it falls. The interval is that of resampled draws, widened
    as Student's quantile asks for. Whether the losses rise is tested with Student's test over the
    draws, of the means of the first 30, 100, 300, 1000 and 3000 examples (Bonferroni).

    Parameters
    ----------
    excess : losses, or losses minus those of the optimum; shape (draws, n).
    at : the drift: the first example of the new concept.
    rng : of the resampled draws.
    start : the first example of the old concept; the last half of it, at most 2500 examples, is
        used.
    stop : the next drift; by default the end.
    margin : excess above that before the drift that counts as recovered.
    level : one minus the confidence of the interval.

    Source: Barlow, Bartholomew, Bremner and Brunk (1972), Statistical inference under order
    restrictions (the curve). Raises ValueError for another shape, for nan and numbers beyond 1e100,
    and for places that are not 0 <= start < at < stop <= n.

    >>> losses = np.zeros((6, 1000))
    >>> losses[:, 500:620] = 1.0
    >>> found = recovery_time(losses, 500, np.random.default_rng(0))
    >>> found.rises(), found.returns(margin=0.02), found.examples  # 120, in bins of two per cent
    (True, 'yes', 121.0)
    """
    values = as_floats(excess, name="excess")
    if values.ndim != 2 or not values.size:
        raise ValueError(f"excess must have shape (draws, n); got shape {values.shape}")
    if not (np.abs(values) <= LARGEST).all():  # of larger ones sums and squares have no end
        raise ValueError(f"excess must hold numbers of at most {LARGEST:g}; got {shown(excess)}")
    n = values.shape[1]
    stop = check_count(n if stop is None else stop, name="stop", least=2, most=n)
    at = check_count(at, name="at", least=1, most=stop - 1)
    start = check_count(start, name="start", least=0, most=at - 1)
    margin = check_number(margin, name="margin", least=0)
    level = check_inside(level, name="level")
    check_rng(rng)
    before = values[:, max((start + at) // 2, at - BEFORE) : at].mean(axis=1)
    after = values[:, at:stop]
    scale, rise, p_value = _rise(after, before)
    left = mean_estimate(after[:, -max(1, after.shape[1] // 4) :].mean(axis=1) - before)
    first, last = _times(after, before, margin, level, rng)
    low, high = np.nan, np.nan
    if len(values) >= FEWEST:
        low = np.quantile(first[1:], level / 2, method="inverted_cdf")
        high = np.quantile(last[1:], 1 - level / 2, method="inverted_cdf")
    return RecoveryTime(rise, scale, p_value, left, float(last[0]), float(low), float(high))


def _rise(after: Floats, before: Floats) -> tuple[int, PointEstimate, float]:
    """The scale with the clearest rise, the rise, and its p-value."""
    m = after.shape[1]
    scales = [k for k in SCALES if k <= m] or [m]
    rises = [mean_estimate(after[:, :k].mean(axis=1) - before) for k in scales]
    if len(before) == 1:
        largest = int(np.argmax([rise.value for rise in rises]))
        return scales[largest], rises[largest], float("nan")
    p = np.array([_above(rise) for rise in rises])
    best = int(p.argmin())
    return scales[best], rises[best], float(min(1.0, len(scales) * p[best]))


def _above(rise: PointEstimate) -> float:
    """One-sided p-value of Student's test that the mean is not above 0."""
    if not rise.standard_error:
        return float(rise.value <= 0)
    return float(student.sf(rise.value / rise.standard_error, rise.df))


def _times(
    after: Floats, before: Floats, margin: float, level: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Examples until the fitted curve is back: of all draws, then of each resample of them.

    The time lies in the last bin above the bound: the start and the end of that bin.
    """
    draws, m = after.shape
    edges = np.unique(np.geomspace(1, m, min(BINS, m)).round().astype(np.int64)) - 1
    widths = np.diff(edges, append=m).astype(np.float64)
    means = np.add.reduceat(after, edges, axis=1) / widths
    equal = np.full((1, draws), 1 / draws)
    weights = equal
    if draws >= FEWEST:
        counts = rng.multinomial(draws, equal[0], size=RESAMPLES) / draws
        weights = np.vstack([equal, equal + _stretch(draws, level) * (counts - equal)])
    curves, bounds = weights @ means, weights @ before + margin
    first, last = np.full(len(weights), float(edges[-1])), np.full(len(weights), np.inf)
    for i, (curve, bound) in enumerate(zip(curves, bounds, strict=True)):
        fit = isotonic_regression(curve, weights=widths, increasing=False).x
        is_back = fit <= bound
        if is_back.any():
            k = int(is_back.argmax())
            first[i], last[i] = edges[max(0, k - 1)], edges[k]
    return first, last


def _stretch(draws: int, level: float) -> float:
    """How much farther from the mean Student's interval reaches than resamples do."""
    student_reach, normal_reach = student_quantile([draws - 1, np.inf], level)
    return float(np.sqrt(draws / (draws - 1)) * student_reach / normal_reach)
