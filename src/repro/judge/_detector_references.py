"""Detectors beside that of the user, set to the same rate of false alarms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from repro.detectors.adwin import ADWIN
from repro.detectors.ddm import DDM
from repro.detectors.detector import Detector
from repro.detectors.eddm import EDDM
from repro.detectors.monitor import Monitor
from repro.detectors.page_hinkley import PageHinkley
from repro.detectors.random_alarm import RandomAlarms
from repro.detectors.ratio import ErrorRatio

__all__ = ["NEVER", "RANDOM", "REFERENCES", "Family", "random_at"]

RANDOM, NEVER = "random alarms", "no alarm"


class Family(NamedTuple):
    """A detector with one parameter that decides how often it alarms."""

    parameter: str
    make: Callable[[float], Any]
    values: tuple[float, ...]  # of the curve; the first and the last bound the search


def ddm(drift: float) -> Detector:
    """DDM with a threshold that may be below that of its warnings."""
    return DDM(warning_threshold=min(2.0, drift), drift_threshold=drift)


def eddm(drift: float) -> Detector:
    """EDDM with a ratio that may be above that of its warnings."""
    return EDDM(warning_threshold=max(0.95, drift), drift_threshold=drift)


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
    return RandomAlarms(min(1.0, 1 / per_alarm), warmup=1)
