"""The detector that watches an estimate of the error instead of the losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from repro._checks import settle
from repro.detectors._estimate import estimate
from repro.detectors.detector import Detector, implements, readings, update
from repro.detectors.estimates import Estimate, check_estimate
from repro.detectors.foreign import check_detector

__all__ = ["Monitor"]


class MonitorState(NamedTuple):
    """The states of an estimate and of the detector that watches it."""

    estimate: Any
    detector: Any


@dataclass(frozen=True)
class Monitor(Detector):
    """Detector that watches an `estimate` of the error instead of the losses themselves.

    Online twin of ``detector.alarms(estimate.along(loss))``, for any detector and any estimate.
    After an alarm the detector restarts as usual, and the estimate goes on.

    >>> from repro.detectors import FadingEstimate, PageHinkley
    >>> monitor = Monitor(FadingEstimate(0.997), PageHinkley(delta=0.1, threshold=100))
    >>> monitor.alarms([0, 0, 0, 1] * 1000 + [1, 1] * 1000).tolist()
    [4439]
    """

    estimate: Estimate
    detector: Detector

    paper: ClassVar[str] = "Gama, Sebastião and Rodrigues (2013), Machine Learning 90, 317-346"

    def __post_init__(self) -> None:
        check_estimate(self.estimate)
        settle(self, detector=check_detector(self.detector))

    def start(self, seed: int = 0) -> MonitorState:
        """Return a state that has seen no value."""
        return MonitorState(self.estimate.start(), self.detector.start(seed))


@readings.register
def _readings(state: MonitorState) -> dict[str, float]:
    return readings(state.detector)


@implements(update, MonitorState)
def _watch(state, value):  # type: ignore[no-untyped-def]
    return update(state.detector, estimate(state.estimate, value))
