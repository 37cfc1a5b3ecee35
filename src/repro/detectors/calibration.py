"""How long a detector runs until it alarms, by simulation, and thresholds for wanted lengths."""

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

LONG = 20  # in wanted run lengths: runs that take longer are too rare to matter
CLOSE = 1e-3  # relative precision of a threshold
LONGEST, MOST_RUNS = 10**9, 10**6  # losses of a simulated run; runs


class Calibration(NamedTuple):
    """A threshold, its standard error, and the simulated run length there, with its own."""

    threshold: float
    threshold_error: float
    arl0: float
    arl0_error: float


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
    """Numbers of losses until `detector` alarms, in `n_runs` simulated runs; shape (n_runs,).

    Losses are 0 or 1, independent, and 1 with probability `error`. Their mean is ARL0, the average
    run length without a drift. With `position` losses first that are 1 with probability `before`,
    of which alarms do not count, it is ARL1: run lengths are counted from the drift on. A run
    without an alarm among the first `limit` losses is infinite.

    Page (1954), Biometrika 41, 100-115. Raises ValueError for probabilities outside [0, 1], for a
    `position` without `before`, for counts that are none, and for runs longer than 1e9.

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
    r"""The threshold at which a detector alarms once in `arl0` losses where there is no drift.

    `make` gives the detector for a threshold, such as ``lambda h: PageHinkley(0.1, h)``, and the
    greater the threshold, the later it must alarm. Losses are 0 or 1, independent, and 1 with
    probability `error`. The threshold is found by bisection over the same `n_runs` simulated runs,
    which makes the mean run length an increasing function of it. Its standard error is that of the
    mean run length, :math:`s / \sqrt{n_{runs}}`, over the slope of the latter.

    Raises ValueError for an `error` outside [0, 1], an `arl0` that is not above 1 or above 5e7,
    fewer than 2 runs, and where no threshold from 1e-6 to 1e6 gives the wanted length.

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
    spread = float(found.std(ddof=1) / np.sqrt(n_runs))
    around = [lengths(threshold * factor).mean() for factor in (0.95, 1.05)]
    slope = float(around[1] - around[0]) / (0.1 * threshold)
    return Calibration(
        threshold, spread / slope if slope > 0 else float("inf"), float(found.mean()), spread
    )


def _solve(mean_length: Callable[[float], float], wanted: float) -> float:
    """The least threshold, but for CLOSE, at which the mean length is as wanted."""
    low, high = 1e-6, 1.0
    while mean_length(high) < wanted:
        low, high = high, 2 * high
        if high > 1e6:
            raise ValueError(f"arl0 must be in reach of a threshold up to 1e6; got {wanted}")
    if low < 1.0 and (least := mean_length(low)) > wanted:
        raise ValueError(f"arl0 must be at least {least:g}, the one at threshold 0; got {wanted}")
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
