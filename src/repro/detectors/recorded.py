"""Detectors on recorded losses: their alarms, and the parameter for a wanted rate of alarms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.detectors._search import between
from repro.detectors.foreign import as_detector

__all__ = ["Fit", "Runs", "alarms_of_groups", "alarms_on", "fit_on", "fit_task"]

CLOSE = 0.2  # a rate within so large a share of the wanted one is the wanted one

Runs = Sequence[NDArray[np.uint8]]  #: losses of several runs, zeros and ones


class Fit(NamedTuple):
    """The parameter nearest to the wanted rate, examples per false alarm there, alarms by run."""

    value: float
    found: float
    counts: tuple[int, ...]

    def reaches(self, target: float) -> bool:
        """Whether the rate is the wanted one."""
        return bool(abs(np.log(self.found / target)) <= np.log1p(CLOSE))


def alarms_on(detector: Any, runs: Sequence[NDArray[Any]]) -> list[NDArray[np.int64]]:
    """The alarms of `detector` on each of the `runs`; the i-th has the seed i."""
    adapted = as_detector(detector)
    return [adapted.alarms(np.asarray(run, np.float64), seed=i) for i, run in enumerate(runs)]


def fit_on(
    make: Callable[[float], Any], target: float, bounds: tuple[float, float], runs: Runs
) -> Fit:
    """The parameter of `make` at which it alarms once in `target` losses.

    Parameters
    ----------
    make : function from a value of the parameter to a detector.
    target : losses per alarm.
    bounds : two values between which the parameter is searched. Where none gives the wanted rate,
        it is the nearer of the two.
    runs : losses of each run, without a drift.
    """
    low, high = min(bounds), max(bounds)
    losses = [run.astype(np.float64) for run in runs]
    n = sum(run.size for run in runs)

    @cache
    def at(value: float) -> Fit:
        counts = tuple(alarms.size for alarms in alarms_on(make(value), losses))
        return Fit(value, n / sum(counts) if sum(counts) else float("inf"), counts)

    ends = sorted((at(low), at(high)), key=lambda fit: fit.found)
    if not ends[0].found <= target <= ends[1].found:
        return min(at(low), at(high), key=lambda fit: abs(np.log(fit.found / target)))
    return at(between(lambda value: at(value).found, target, low, high))


def alarms_of_groups(settings: tuple[Any, tuple[int, ...]], runs: Runs) -> dict[str, Any]:
    """The alarms of a detector on groups of so many `runs`, one group after the other."""
    detector, sizes = settings
    edges = np.cumsum([0, *sizes])
    parts = [runs[a:b] for a, b in pairwise(edges)]
    return {"alarms": [alarms for part in parts for alarms in alarms_on(detector, part)]}


def fit_task(
    search: tuple[Callable[[float], Any], float, tuple[float, float]], runs: Runs
) -> dict[str, Any]:
    """The fit of a `search`: what makes the detector, the wanted rate, and the bounds."""
    return {**fit_on(*search, runs)._asdict()}
