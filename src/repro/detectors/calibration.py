"""The parameter of a detector that gives a wanted run length without a drift."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_number, check_probability, check_rng, shown
from repro.detectors._search import CLOSE, between
from repro.detectors.foreign import check_detector
from repro.detectors.run_lengths import LONGEST, MOST_RUNS, simulated

__all__ = ["Calibration", "calibrate"]

LONG = 20  # runs stop at so many wanted run lengths; longer ones are too rare to matter

MeanLength: TypeAlias = Callable[[float], "tuple[float, float]"]  # and its standard error


class Calibration(NamedTuple):
    """A threshold and the mean run length there, each with its standard error."""

    threshold: float
    threshold_standard_error: float
    arl0: float
    arl0_standard_error: float


def calibrate(
    factory: Callable[[float], Any],
    arl0: float,
    error: float | None = None,
    rng: np.random.Generator | None = None,
    n_runs: int = 400,
    *,
    losses: Iterable[ArrayLike] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Calibration:
    r"""Find the threshold at which a detector alarms once in `arl0` losses if there is no drift.

    The losses are simulated, independent with the probability `error`, or are those of a learner on
    streams without a drift, the `losses`. Bisection uses the same losses for all thresholds.

    Simulated, the mean run length is that of `n_runs` runs until the first alarm, and its standard
    error is :math:`s / \sqrt{n_{runs}}`. With `losses` it is their number divided by the number of
    alarms, and its standard error is that of the jackknife over the sequences. The standard error
    of the threshold is that of the mean run length divided by the slope of the mean run length.

    Parameters
    ----------
    factory : function from a threshold, or another parameter, to a detector of this package or
        another, such as ``lambda h: PageHinkley(0.1, h)``.
    arl0 : wanted mean run length, above 1 and at most 5e7 losses.
    error : probability that a loss is 1.
    rng : generator of the runs.
    n_runs : number of runs, at least 2.
    losses : sequences of losses without a drift, (n,) each; in place of `error` and `rng`.
    bounds : least and largest value of the parameter. The run length may increase with the
        parameter, as for a threshold, or decrease, as for a level of significance. Without bounds
        it must increase, and thresholds from 1e-6 to 1e6 are tried.

    Raises ValueError for arguments outside these ranges, for `losses` together with `error` or
    `rng`, and where no threshold gives the wanted run length; the message says what was reached.

    >>> from repro.detectors import ADWIN, PageHinkley
    >>> rng = np.random.default_rng(1)
    >>> fit = calibrate(lambda h: PageHinkley(0.1, h), arl0=500, error=0.2, rng=rng)
    >>> 3 < fit.threshold < 12, abs(fit.arl0 - 500) < 10
    (True, True)
    >>> losses = rng.random((4, 5000)) < 0.2
    >>> fit = calibrate(ADWIN, arl0=2000, losses=losses, bounds=(1e-6, 0.9))
    >>> 0.1 < fit.threshold < 0.9
    True
    """
    if not callable(factory):
        raise ValueError(f"factory must be a function of a threshold; got {shown(factory)}")
    target = check_number(arl0, name="arl0", above=1)
    if target > LONGEST / LONG:
        raise ValueError(f"arl0 must be at most {LONGEST // LONG}; got {shown(arl0)}")
    if losses is None:
        mean_length = _simulated(factory, target, error, rng, n_runs)
    elif error is None and rng is None:
        mean_length = cache(_recorded(factory, losses))  # bounds are asked for more than once
    else:
        raise ValueError("losses must be given without error and rng; got both")
    if bounds is None:
        threshold = _from_zero(mean_length, target)
        around = 0.95 * threshold, 1.05 * threshold
    else:
        least, most = _as_bounds(bounds)
        threshold = between(lambda value: mean_length(value)[0], target, least, most)
        around = max(least, 0.95 * threshold), min(most, 1.05 * threshold)
    length, standard_error = mean_length(threshold)
    rise = abs(mean_length(around[1])[0] - mean_length(around[0])[0])
    of_threshold = standard_error * (around[1] - around[0]) / rise if rise > 0 else float("inf")
    return Calibration(threshold, of_threshold, length, standard_error)


def _simulated(
    factory: Callable[[float], Any], target: float, error: Any, rng: Any, n_runs: int
) -> MeanLength:
    rates = [check_probability(error, name="error")] * 2
    runs = check_count(n_runs, name="n_runs", least=2, most=MOST_RUNS)
    seeds = check_rng(rng).integers(2**62, size=runs)
    limit = int(np.ceil(LONG * target))

    def mean_length(threshold: float) -> tuple[float, float]:
        detector = check_detector(factory(threshold), name="factory(threshold)")
        lengths = np.minimum(simulated(detector, rates, seeds, 0, limit), limit)
        return float(lengths.mean()), float(lengths.std(ddof=1) / np.sqrt(n_runs))

    return mean_length


def _recorded(factory: Callable[[float], Any], losses: Iterable[ArrayLike]) -> MeanLength:
    runs = [as_losses(loss, name="losses") for loss in losses]
    if not runs:
        raise ValueError("losses must hold at least one sequence; got none")
    n = np.array([run.size for run in runs], dtype=np.float64)

    def mean_length(threshold: float) -> tuple[float, float]:
        detector = check_detector(factory(threshold), name="factory(threshold)")
        alarms = np.array([detector.alarms(run, i).size for i, run in enumerate(runs)], float)
        with np.errstate(divide="ignore", invalid="ignore"):
            without: NDArray[np.float64] = (n.sum() - n) / (alarms.sum() - alarms)
            error = np.sqrt((n.size - 1) * without.var()) if n.size > 1 else np.nan
            return float(n.sum() / alarms.sum()), float(error)

    return mean_length


def _as_bounds(bounds: Any) -> tuple[float, float]:
    rule = "bounds must be the least and the largest value of the parameter"
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise ValueError(f"{rule}; got {shown(bounds)}")
    least, most = (check_number(bound, name="bounds") for bound in bounds)
    if not least < most:
        raise ValueError(f"{rule}; got {shown(bounds)}")
    return least, most


def _from_zero(mean_length: MeanLength, target: float) -> float:
    """Return the least threshold, up to CLOSE, at which the mean length is at least `target`."""
    low, high = 1e-6, 1.0
    while mean_length(high)[0] < target:
        low, high = high, 2 * high
        if high > 1e6:
            rule = "must be attainable with a threshold of at most 1e6"
            raise ValueError(f"arl0 {rule}; got {target}")
    if low < 1.0 and (least := mean_length(low)[0]) > target:
        raise ValueError(f"arl0 must be at least {least:g}, its value at threshold 0; got {target}")
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        is_long = mean_length(middle)[0] >= target
        low, high = (low, middle) if is_long else (middle, high)
    return high
