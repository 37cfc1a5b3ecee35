"""Simulated run lengths: how many losses until a detector alarms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count, check_probability, check_rng
from repro.detectors.detector import DRIFT, Detector, update
from repro.detectors.foreign import check_detector
from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.kernels.dispatch import runnable
from repro.kernels.random import uniform

__all__ = ["LONGEST", "MOST_RUNS", "run_lengths", "simulated"]

LONGEST, MOST_RUNS = 10**9, 10**6  # losses of a simulated run; runs


def run_lengths(
    detector: Detector,
    rate: float,
    rng: np.random.Generator,
    n_runs: int = 1000,
    *,
    rate_before: float | None = None,
    drift_at: int = 0,
    limit: int = 1_000_000,
) -> NDArray[np.float64]:
    """Simulate runs, and return the number of losses until `detector` alarms; shape (n_runs,).

    Losses are 0 or 1 and independent. The mean of the result is ARL0, the average run length
    without a drift. With `drift_at` there is a drift, run lengths count from it on, and their
    mean is ARL1. A run without an alarm is infinite. Page (1954), Biometrika 41, 100-115.

    Parameters
    ----------
    detector : of this package or another.
    rate : probability that a loss is 1.
    rng : generator of the runs.
    n_runs : number of runs.
    rate_before : probability that a loss is 1 before the drift.
    drift_at : number of losses before the drift; alarms at them do not count.
    limit : number of losses after which a run stops.

    Raises ValueError for probabilities outside [0, 1], for `drift_at` without `rate_before`, for
    invalid numbers, and for runs longer than 1e9.

    >>> from repro.detectors import RandomAlarms
    >>> lengths = run_lengths(RandomAlarms(0.1, warmup=1), 0.3, np.random.default_rng(1), 4000)
    >>> bool(abs(lengths.mean() - 10) < 0.5)
    True
    """
    detector = check_detector(detector)
    rates = [check_probability(rate, name="rate")] * 2
    if rate_before is not None:
        rates[1] = check_probability(rate_before, name="rate_before")
    n_runs = check_count(n_runs, name="n_runs", most=MOST_RUNS)
    drift_at = check_count(drift_at, name="drift_at", least=0, most=LONGEST)
    limit = check_count(limit, name="limit", most=LONGEST)
    if drift_at and rate_before is None:
        raise ValueError(f"rate_before must be given with drift_at; got drift_at={drift_at}")
    seeds = check_rng(rng).integers(2**62, size=n_runs)
    return simulated(detector, rates, seeds, int(drift_at), int(limit))


def simulated(
    detector: Detector, rates: list[float], seeds: NDArray[np.int64], drift_at: int, limit: int
) -> NDArray[np.float64]:
    """Return the run lengths of `run_lengths`, one per seed, for arguments that were checked.

    `rates` are the probabilities of a loss of 1 after and before the drift.
    """
    rate, rate_before = rates
    lengths = []
    for seed in seeds.tolist():
        state = detector.start(seed)
        run = runnable(_run_length, state)
        lengths.append(run(state, random.start(seed, "losses"), rate, rate_before, drift_at, limit))
    return np.where(np.array(lengths) > 0, lengths, np.inf)


@kernel
def _run_length(state, rng, rate, rate_before, drift_at, limit):  # type: ignore[no-untyped-def]
    for _ in range(drift_at):
        update(state, 1.0 if uniform(rng) < rate_before else 0.0)
    for i in range(limit):
        if update(state, 1.0 if uniform(rng) < rate else 0.0) == DRIFT:
            return i + 1
    return 0
