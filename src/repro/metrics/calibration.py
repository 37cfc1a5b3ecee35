r"""Are probabilities right? Of the examples with a probability p, a share p should occur."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from repro._checks import check_count
from repro._rounding import without_rounding
from repro.metrics._probabilities import as_probabilities
from repro.metrics.block_errors import block_standard_error, default_block, ratio_influence

__all__ = ["Calibration", "calibration"]

MOST_BINS = 10_000


class Calibration(NamedTuple):
    """How well probabilities agree with what occurs; `calibration` makes it."""

    #: one row per bin with examples: columns examples, probability (mean), share (that occurred)
    #: and its standard_error
    frame: pd.DataFrame
    expected_error: float  #: mean over examples of |share - probability| of their bin
    gap: float  #: mean probability less mean share; above 0 the probabilities are too high
    gap_standard_error: float
    #: slope of what occurs on the probability, 1 if right and below 1 if the probabilities are too
    #: extreme; nan where all probabilities are equal
    slope: float
    slope_standard_error: float
    p_value: float  #: of "gap 0 and slope 1": the smaller of the two that follow
    gap_p_value: float  #: of "gap 0", corrected for two tests (Bonferroni); nan with one block
    slope_p_value: float  #: of "slope 1", likewise


def calibration(y: ArrayLike, proba: ArrayLike, bins: int = 10) -> Calibration:
    r"""Compare probabilities with what occurred, with standard errors that hold along a stream.

    .. math:: \mathrm{gap} = \bar p - \bar y,\qquad
              \mathrm{slope} = \frac{\sum_t (p_t - \bar p)\, y_t}{\sum_t (p_t - \bar p)^2},\qquad
              \mathrm{ECE} = \sum_b \frac{n_b}{n} |\bar p_b - \bar y_b|

    The expected calibration error (Naeini, Cooper and Hauskrecht 2015, AAAI, 2901-2907) is above 0
    by chance, the more so the fewer examples a bin has; gap and slope are not, and are tested.
    Standard errors are those of `block_standard_error`, with blocks of one length, but at least
    those of independent examples whose probabilities are right, with the variance p(1 - p) of each:
    few examples that occur, or none, show too little spread. P-values are Student's, with the
    number of blocks less one as degrees of freedom.

    Parameters
    ----------
    y : labels 0..K-1, shape (n,).
    proba : probabilities of class 1 of two, shape (n,): y is what occurs. Or those of all classes,
        shape (n, K): what occurs is that the most probable class, the lowest of equals, is right.
    bins : number of bins of equal width on [0, 1].

    Raises ValueError as `brier_loss` does, and for a number of bins that is not in 1..10,000.

    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(10_000)
    >>> result = calibration(rng.random(10_000) < p, p)
    >>> result.p_value > 0.05, result.expected_error < 0.02, len(result.frame)
    (True, True, 10)
    >>> calibration(rng.random(10_000) < 0.25 + p / 2, p).slope < 0.6
    True
    """
    bins = check_count(bins, name="bins", most=MOST_BINS)
    labels, p = as_probabilities(y, proba)
    occurs = labels.astype(np.float64)
    if p.ndim == 2:
        occurs, p = (p.argmax(axis=1) == labels).astype(np.float64), p.max(axis=1)
    n, gap = p.size, float(p.mean() - occurs.mean())
    errors = p - occurs - gap
    block = default_block(errors, n)
    df = -(-n // block) - 1
    gap_error = max(block_standard_error(errors, block), _by_chance(p, np.ones(n)))
    p_gap, p_slope = _p_value(gap, gap_error, df), np.nan
    slope, slope_error = _slope(occurs, p, block)
    if not np.isnan(slope):
        p_slope = _p_value(slope - 1, slope_error, df)
        p_gap, p_slope = (float(np.minimum(1.0, 2 * each)) for each in (p_gap, p_slope))
    frame = _bins(occurs, p, bins, block)
    distance = (frame["share"] - frame["probability"]).abs()
    ece = float((distance * frame["examples"]).sum() / n)
    # Without a slope there is one test; where one of two has no p-value, neither is told.
    either = p_gap if np.isnan(slope) else float(np.minimum(p_gap, p_slope))
    return Calibration(frame, ece, gap, gap_error, slope, slope_error, either, p_gap, p_slope)


def _slope(occurs: NDArray[np.float64], p: NDArray[np.float64], block: int) -> tuple[float, float]:
    """Slope of what occurs on the probability, and its standard error; nan if all are equal."""
    centred = p - p.mean()
    spread = float(centred @ centred) / p.size
    if not spread > 1e-24:
        return float("nan"), float("nan")
    slope = float(centred @ occurs) / p.size / spread
    influence = centred * (occurs - occurs.mean() - slope * centred) / spread
    error = block_standard_error(influence, block)
    return slope, max(error, _by_chance(p, centred / spread))


def _by_chance(p: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Standard error of the mean of weights times what occurs, if `p` are right."""
    return float(weights**2 @ (p * (1 - p))) ** 0.5 / p.size


def _p_value(value: float, error: float, df: int) -> float:
    """Two-sided p-value of Student's test of 0, nan with one block.

    A standard error of 0 is that of events with the probabilities 0 and 1. They leave nothing to
    chance: either all are right, or one has occurred that cannot. Probabilities and the slope are
    numbers of size 1, so rounding is judged beside that.
    """
    value, error = (float(without_rounding(abs(part), 1.0)) for part in (value, error))
    if error == 0:
        return float(value == 0)
    if df < 1:
        return float("nan")
    return float(2 * stdtr(df, -value / error))


def _bins(
    occurs: NDArray[np.float64], p: NDArray[np.float64], bins: int, block: int
) -> pd.DataFrame:
    of = np.minimum((p * bins).astype(np.int64), bins - 1)
    rows = {}
    for b in np.unique(of):
        here = (of == b).astype(np.float64)
        count = int(here.sum())
        rows[int(b)] = {
            "examples": count,
            "probability": float(p @ here) / count,
            "share": float(occurs @ here) / count,
            "standard_error": block_standard_error(ratio_influence(occurs * here, here), block),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("bin")
