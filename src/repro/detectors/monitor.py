"""Detectors that watch estimates of the error instead of the losses: one, or several together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, is_whole, settle, shown
from repro.detectors.detector import Detector, implements, readings, update
from repro.detectors.estimates import Estimate, check_estimate, estimate
from repro.detectors.foreign import check_detector

__all__ = ["Monitor", "monitor_all"]


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


def monitor_all(
    loss: ArrayLike, estimates: Mapping[str, Estimate], detector: Detector, *, start: int = 0
) -> dict[str, NDArray[np.int64]]:
    """Return the alarms of `detector` on each of several estimates, as indices, by name.

    With ``start=0`` each result is that of ``Monitor(estimate, detector)``. Algorithm 4 and
    Section 5 of Gama, Sebastião and Rodrigues (2013), Machine Learning 90.

    Parameters
    ----------
    loss : losses of a learner, shape (n,); the estimates see all of them.
    estimates : mapping from names to estimates.
    detector : the detector that watches each estimate, of this package or another.
    start : index of the first loss that the detector sees, in -n..n-1; negative counts from the
        end. It is where monitoring begins, after the learner has learned for a while.

    Raises ValueError for invalid losses or arguments of another kind.

    >>> from repro.detectors import FadingEstimate, PageHinkley, SlidingEstimate
    >>> loss = [0, 0, 0, 1] * 1000 + [1, 1] * 1000
    >>> both = {"faded": FadingEstimate(0.997), "sliding": SlidingEstimate(1000)}
    >>> {k: a.tolist() for k, a in monitor_all(loss, both, PageHinkley(0.1, 100)).items()}
    {'faded': [4439], 'sliding': [4668]}
    """
    losses = as_losses(loss)
    named = isinstance(estimates, Mapping)
    if not named or not all(isinstance(e, Estimate) for e in estimates.values()):
        raise ValueError(f"estimates must map names to estimates; got {shown(estimates)}")
    detector = check_detector(detector)
    n = losses.size
    if not is_whole(start) or not -n <= start < n:
        raise ValueError(f"start must lie in {-n}..{n - 1}; got {shown(start)}")
    first = int(start) % n
    curves = {name: estimate.along(losses)[first:] for name, estimate in estimates.items()}
    return {name: detector.alarms(curve) + first for name, curve in curves.items()}
