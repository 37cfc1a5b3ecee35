"""Detectors beside that of the user, set to the same rate of false alarms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from repro.detectors.adwin import ADWIN
from repro.detectors.calibration import calibrate
from repro.detectors.ddm import DDM
from repro.detectors.detector import Detector
from repro.detectors.eddm import EDDM
from repro.detectors.foreign import as_detector
from repro.detectors.monitor import Monitor
from repro.detectors.page_hinkley import PageHinkley
from repro.detectors.random_alarm import Random
from repro.detectors.ratio import ErrorRatio
from repro.judge._detector_work import Runs

__all__ = ["CLOSE", "NEVER", "RANDOM", "REFERENCES", "Family", "Fit", "fit_on", "random_at"]

RANDOM, NEVER = "random alarms", "no alarm"
CLOSE = 0.2  # a rate within so large a share of the wanted one is the wanted one


class Family(NamedTuple):
    """A detector with one parameter that decides how often it alarms."""

    parameter: str
    make: Callable[[float], Any]
    values: tuple[float, ...]  # of the curve; the first and the last bound the search


class Fit(NamedTuple):
    """The parameter nearest to the wanted rate, and examples per false alarm there."""

    value: float
    found: float

    def reaches(self, wanted: float) -> bool:
        """Whether the rate is the wanted one."""
        return bool(abs(np.log(self.found / wanted)) <= np.log1p(CLOSE))


def ddm(drift: float) -> Detector:
    """DDM with a threshold that may be below that of its warnings."""
    return DDM(warning=min(2.0, drift), drift=drift)


def eddm(drift: float) -> Detector:
    """EDDM with a ratio that may be above that of its warnings."""
    return EDDM(warning=max(0.95, drift), drift=drift)


def adwin(delta: float) -> Detector:
    """ADWIN."""
    return ADWIN(delta=delta)


def page_hinkley(threshold: float) -> Detector:
    """Page-Hinkley on the losses, with the tolerance of Gama, Sebastião and Rodrigues (2013)."""
    return PageHinkley(0.1, threshold)


def sensitive_page_hinkley(threshold: float) -> Detector:
    """Page-Hinkley on the losses, with a tolerance for small changes."""
    return PageHinkley(0.005, threshold)


def ratio(threshold: float) -> Detector:
    """Page-Hinkley on the ratio of two fading estimates."""
    return Monitor(ErrorRatio(), PageHinkley(0.1, threshold))


REFERENCES = {
    "reference DDM": Family("drift", ddm, (1.0, 2.0, 3.0, 4.0, 6.0, 12.0)),
    "reference EDDM": Family("drift", eddm, (0.99, 0.94, 0.9, 0.8, 0.7, 0.3)),
    "reference ADWIN": Family("delta", adwin, (0.9, 0.3, 0.05, 0.002, 1e-5, 1e-10, 1e-30)),
    "reference PH (.1)": Family("threshold", page_hinkley, (1.0, 3.0, 10.0, 30.0, 100.0, 1000.0)),
    "reference PH (.005)": Family(
        "threshold", sensitive_page_hinkley, (1.0, 10.0, 30.0, 100.0, 300.0, 3000.0)
    ),
    "reference ratio": Family("threshold", ratio, (1.0, 10.0, 30.0, 100.0, 300.0, 3000.0)),
}


def random_at(per_alarm: float) -> Detector:
    """Random alarms, once in `per_alarm` examples."""
    return Random(min(1.0, 1 / per_alarm), warmup=1)


def fit_on(thing: tuple[Callable[[float], Any], float, float, float], runs: Runs) -> Fit:
    """The value from `low` to `high` at which ``make(value)`` alarms once in `wanted` losses.

    `thing` is (make, wanted, low, high). Where no value does, it is the nearer of the two ends.
    """
    make, wanted, low, high = thing
    low, high = min(low, high), max(low, high)
    losses = [run.astype(np.float64) for run in runs]
    ends = [Fit(value, _per_alarm(make(value), losses)) for value in (low, high)]
    rates = sorted(fit.found for fit in ends)
    if not rates[0] <= wanted <= rates[1]:
        return min(ends, key=lambda fit: abs(np.log(fit.found / wanted)))
    fit = calibrate(make, wanted, losses=losses, bounds=(low, high))
    return Fit(fit.threshold, fit.arl0)


def _per_alarm(detector: Any, losses: list[Any]) -> float:
    own = as_detector(detector)
    alarms = sum(own.alarms(x, seed=i).size for i, x in enumerate(losses))
    n = sum(x.size for x in losses)
    return n / alarms if alarms else float("inf")
