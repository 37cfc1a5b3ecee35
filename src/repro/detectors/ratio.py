"""The ratio of two estimates of the error, and detectors that watch an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction, shown
from repro.detectors._estimate import estimate, implements
from repro.detectors.detector import Detector, readings, update
from repro.detectors.detector import implements as implements_update
from repro.detectors.estimates import (
    MOST_IN_WINDOW,
    Estimate,
    FadingEstimate,
    SlidingEstimate,
)
from repro.kernels.compiling import NEGLIGIBLE, kernel

__all__ = ["ErrorRatio", "Monitor", "error_ratio"]


class RatioState(NamedTuple):
    """Two estimates."""

    short: Any
    long: Any


class MonitorState(NamedTuple):
    """An estimate, and the detector that watches it."""

    estimate: Any
    detector: Any


@dataclass(frozen=True)
class ErrorRatio(Estimate):
    r"""A short-term over a long-term estimate of the error: above 1 where it has just risen.

    .. math:: R_i = \frac{M_{short}(i)}{M_{long}(i)}

    `short` and `long` are both fading factors, numbers in (0, 1], or both windows, whole numbers
    (1 is a window of one, 1.0 a factor that forgets nothing); `short` is the smaller. R is 1 as
    long as there were no losses but 0, where both are 0: nothing has risen. Gama, Sebastião and
    Rodrigues (2013), Algorithm 4, where :math:`\alpha_2` is `short` and :math:`\alpha_1` `long`.

    >>> ErrorRatio()
    ErrorRatio(short=0.997, long=0.999)
    """

    short: float = 0.997
    long: float = 0.999

    def __post_init__(self) -> None:
        kinds = {type(_memory(value, name)) for value, name in self._both()}
        if len(kinds) > 1 or not self.short < self.long:
            raise ValueError(
                "short must be below long, both fading factors or both windows; "
                f"got {shown(self.short)} and {shown(self.long)}"
            )

    def start(self) -> RatioState:
        """Nothing seen."""
        return RatioState(*(_memory(value, name).start() for value, name in self._both()))

    def _both(self) -> list[tuple[float, str]]:
        return [(self.short, "short"), (self.long, "long")]


def error_ratio(loss: ArrayLike, short: float = 0.997, long: float = 0.999) -> NDArray[np.float64]:
    """The ratio `ErrorRatio` after each of the losses (n,), shape (n,).

    The ratio detector is `page_hinkley` on it, and online ``Monitor(ErrorRatio(), PageHinkley())``;
    in the paper with a delta of .1 and a threshold of 100. Source: see `ErrorRatio`. Raises
    ValueError for losses that are none, and for `short` and `long` that are not two fading factors
    or two windows, the smaller first.

    >>> error_ratio([0, 1, 1, 0], short=1, long=2).round(3).tolist()
    [1.0, 2.0, 1.0, 0.0]
    >>> from repro.detectors import page_hinkley
    >>> loss = [0, 0, 0, 1] * 1000 + [1, 1] * 1000
    >>> page_hinkley(error_ratio(loss), delta=0.1, threshold=100).tolist()
    [4323]
    """
    ratio = ErrorRatio(short, long)
    if any(isinstance(_memory(value, "short or long"), SlidingEstimate) for value in (short, long)):
        return ratio.along(loss)
    losses = as_losses(loss)
    curve = np.empty(losses.size)
    _faded_ratios(losses, float(short), float(long), curve)
    return curve


@dataclass(frozen=True)
class Monitor(Detector):
    """A detector that watches an `estimate` of the error in place of the losses themselves.

    Online twin of ``detector.alarms(estimate.along(loss))``, for any of the two: the detector
    starts anew after an alarm, as it does by itself, and the estimate goes on.

    >>> from repro.detectors import PageHinkley
    >>> monitor = Monitor(FadingEstimate(0.997), PageHinkley(delta=0.1, threshold=100))
    >>> monitor.alarms([0, 0, 0, 1] * 1000 + [1, 1] * 1000).tolist()
    [4439]
    """

    estimate: Estimate
    detector: Detector

    paper: ClassVar[str] = "Gama, Sebastião and Rodrigues (2013), Machine Learning 90, 317-346"

    def __post_init__(self) -> None:
        for name, kind in (("estimate", Estimate), ("detector", Detector)):
            if not isinstance(getattr(self, name), kind):
                found = shown(getattr(self, name))
                raise ValueError(f"{name} must be a {kind.__name__}; got {found}")

    def start(self, seed: int = 0) -> MonitorState:
        """Nothing seen."""
        return MonitorState(self.estimate.start(), self.detector.start(seed))


@readings.register
def _readings(state: MonitorState) -> dict[str, float]:
    return readings(state.detector)


def _memory(value: float, name: str) -> FadingEstimate | SlidingEstimate:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return SlidingEstimate(check_count(value, name=name, most=MOST_IN_WINDOW))
    return FadingEstimate(check_fraction(value, name=name))


@implements(estimate, RatioState)
def _divide(state, value):  # type: ignore[no-untyped-def]
    short, long = estimate(state.short, value), estimate(state.long, value)
    return short / long if long > 0.0 else 1.0


@implements_update(update, MonitorState)
def _watch(state, value):  # type: ignore[no-untyped-def]
    return update(state.detector, estimate(state.estimate, value))


@kernel
def _faded_ratios(losses, short, long, curve):  # type: ignore[no-untyped-def]
    """`_along` with a pair of faded estimates: numbers stay in registers, a state is in memory."""
    total_s = total_l = count_s = count_l = 0.0
    for i in range(losses.size):
        total_s = losses[i] + short * total_s
        total_l = losses[i] + long * total_l
        total_s = 0.0 if abs(total_s) < NEGLIGIBLE else total_s
        total_l = 0.0 if abs(total_l) < NEGLIGIBLE else total_l
        count_s = 1.0 + short * count_s
        count_l = 1.0 + long * count_l
        mean = total_l / count_l
        curve[i] = total_s / count_s / mean if mean > 0.0 else 1.0
