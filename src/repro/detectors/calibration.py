"""Simulated run lengths of detectors, and thresholds that give a wanted run length."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count, check_number, check_probability, check_rng, shown
from repro.detectors.detector import DRIFT, Detector, check_detector, update
from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.kernels.random import uniform

__all__ = ["Calibration", "calibrate", "run_lengths"]

LONG = 20  # runs stop at so many wanted run lengths; longer ones are too rare to matter
CLOSE = 1e-3  # relative precision of a threshold
LONGEST, MOST_RUNS = 10**9, 10**6  # losses of a simulated run; runs


class Calibration(NamedTuple):
    """A threshold and the simulated mean run length there, each with its standard error."""

    threshold: float
    threshold_standard_error: float
    arl0: float
    arl0_standard_error: float


def run_lengths(
    detector: Detector,
    error: float,
    rng: np.random.Generator,
    n_runs: int = 1000,
    *,
    before: float | None = None,
    position: int = 0,
    limit: int = 1_000_000,
) -> NDArray[np.float64]:
    """Simulate runs, and return the number of losses until `detector` alarms; shape (n_runs,).

    Losses are 0 or 1 and independent. The mean of the result is ARL0, the average run length
    without a drift. With a `position` there is a drift, run lengths count from it on, and their
    mean is ARL1. A run without an alarm is infinite. Page (1954), Biometrika 41, 100-115.

    Parameters
    ----------
    detector : description of a detector.
    error : probability that a loss is 1.
    rng : generator of the runs.
    n_runs : number of runs.
    before : probability that a loss is 1 before the drift.
    position : number of losses before the drift; alarms at them do not count.
    limit : number of losses after which a run stops.

    Raises ValueError for probabilities outside [0, 1], for a `position` without `before`, for
    invalid numbers, and for runs longer than 1e9.

    >>> from repro.detectors import Random
    >>> lengths = run_lengths(Random(0.1, warmup=1), 0.3, np.random.default_rng(1), 4000)
    >>> bool(abs(lengths.mean() - 10) < 0.5)
    True
    """
    check_detector(detector)
    error = check_probability(error, name="error")
    rates = [error, error if before is None else check_probability(before, name="before")]
    check_count(n_runs, name="n_runs", most=MOST_RUNS)
    check_count(position, name="position", least=0, most=LONGEST)
    check_count(limit, name="limit", most=LONGEST)
    if position and before is None:
        raise ValueError(f"before must be given with a position; got position={position}")
    seeds = check_rng(rng).integers(2**62, size=n_runs)
    return _lengths(detector, rates, seeds, int(position), int(limit))


def calibrate(
    make: Callable[[float], Detector],
    arl0: float,
    error: float,
    rng: np.random.Generator,
    n_runs: int = 400,
) -> Calibration:
    r"""Find the threshold at which a detector alarms once in `arl0` losses if there is no drift.

    Bisection uses the same `n_runs` simulated runs for all thresholds, so the mean run length
    increases with the threshold. The standard error of the threshold is that of the mean run
    length, :math:`s / \sqrt{n_{runs}}`, divided by the slope of the mean run length.

    Parameters
    ----------
    make : function from a threshold to a detector, such as ``lambda h: PageHinkley(0.1, h)``. With
        a larger threshold the detector must alarm later.
    arl0 : wanted mean run length, above 1 and at most 5e7 losses.
    error : probability that a loss is 1; losses are 0 or 1 and independent.
    rng : generator of the runs.
    n_runs : number of runs, at least 2.

    Raises ValueError for arguments outside these ranges, and where no threshold from 1e-6 to 1e6
    gives the wanted run length.

    >>> from repro.detectors import PageHinkley
    >>> rng = np.random.default_rng(1)
    >>> found = calibrate(lambda h: PageHinkley(0.1, h), arl0=500, error=0.2, rng=rng)
    >>> 3 < found.threshold < 12, abs(found.arl0 - 500) < 10
    (True, True)
    """
    if not callable(make):
        raise ValueError(f"make must be a function of a threshold; got {shown(make)}")
    wanted = check_number(arl0, name="arl0", above=1)
    if wanted > LONGEST / LONG:
        raise ValueError(f"arl0 must be at most {LONGEST // LONG}; got {shown(arl0)}")
    rates = [check_probability(error, name="error")] * 2
    runs = check_count(n_runs, name="n_runs", least=2, most=MOST_RUNS)
    seeds = check_rng(rng).integers(2**62, size=runs)
    limit = int(np.ceil(LONG * wanted))

    def lengths(threshold: float) -> NDArray[np.float64]:
        detector = check_detector(make(threshold), name="make(threshold)")
        return np.minimum(_lengths(detector, rates, seeds, 0, limit), limit)

    threshold = _solve(lambda h: float(lengths(h).mean()), arl0)
    found = lengths(threshold)
    standard_error = float(found.std(ddof=1) / np.sqrt(n_runs))
    around = [lengths(threshold * factor).mean() for factor in (0.95, 1.05)]
    slope = float(around[1] - around[0]) / (0.1 * threshold)
    of_threshold = standard_error / slope if slope > 0 else float("inf")
    return Calibration(threshold, of_threshold, float(found.mean()), standard_error)


def _solve(mean_length: Callable[[float], float], wanted: float) -> float:
    """Return the least threshold, up to CLOSE, at which the mean length is at least `wanted`."""
    low, high = 1e-6, 1.0
    while mean_length(high) < wanted:
        low, high = high, 2 * high
        if high > 1e6:
            rule = "must be attainable with a threshold of at most 1e6"
            raise ValueError(f"arl0 {rule}; got {wanted}")
    if low < 1.0 and (least := mean_length(low)) > wanted:
        raise ValueError(f"arl0 must be at least {least:g}, its value at threshold 0; got {wanted}")
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if mean_length(middle) >= wanted else (middle, high)
    return high


def _lengths(
    detector: Detector, rates: list[float], seeds: NDArray[np.int64], position: int, limit: int
) -> NDArray[np.float64]:
    error, before = rates
    lengths = [
        _run_length(
            detector.start(seed), random.start(seed, "losses"), error, before, position, limit
        )
        for seed in seeds.tolist()
    ]
    return np.where(np.array(lengths) > 0, lengths, np.inf)


@kernel
def _run_length(state, rng, error, before, position, limit):  # type: ignore[no-untyped-def]
    for _ in range(position):
        update(state, 1.0 if uniform(rng) < before else 0.0)
    for i in range(limit):
        if update(state, 1.0 if uniform(rng) < error else 0.0) == DRIFT:
            return i + 1
    return 0
