"""The Page-Hinkley test: alarm when the summed deviations from the mean have risen too far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_flag, check_number
from repro.detectors.detector import CONTROL, DRIFT, Detector, implements, readings, update
from repro.kernels.compiling import kernel

__all__ = ["PageHinkley", "page_hinkley"]

COUNT, TOTAL, SUM, LEAST = range(4)


class PageHinkleyState(NamedTuple):
    """Sums since the last restart, and settings."""

    seen: NDArray[np.float64]  # (4,) COUNT and TOTAL of the values, m_T (SUM) and its LEAST
    delta: float
    threshold: float
    restart: bool


@dataclass(frozen=True)
class PageHinkley(Detector):
    r"""Page-Hinkley test for an increase of the mean of losses or other numbers.

    .. math:: PH_T = m_T - \min_{t \le T} m_t,\quad m_T = \sum_{t \le T} (x_t - \bar{x}_t - \delta)

    where :math:`\bar{x}_t` is the mean of the first *t* values. The test alarms when
    :math:`PH_T` is above the `threshold`, and restarts from nothing before the next value. Without
    `restart` it goes on, and alarms at each value at which the statistic is above the threshold.
    There are no warnings.

    Packages give this name to different statistics: with forgetting, cut off at 0, without the
    minimum, or two-sided. This is the statistic of Gama, Sebastião and Rodrigues (2013).

    >>> PageHinkley(delta=0.1, threshold=100)
    PageHinkley(delta=0.1, threshold=100, restart=True)
    """

    delta: float = 0.005
    threshold: float = 50.0
    restart: bool = True

    paper: ClassVar[str] = "Page (1954), Biometrika 41, 100-115; Gama et al. (2013), ML 90, 317-346"

    def __post_init__(self) -> None:
        check_number(self.delta, name="delta", least=0)
        check_number(self.threshold, name="threshold", above=0)
        check_flag(self.restart, name="restart")

    def start(self, seed: int = 0) -> PageHinkleyState:
        """Return a state that has seen no value."""
        settings = float(self.delta), float(self.threshold), self.restart
        return PageHinkleyState(np.zeros(4), *settings)

    def statistics(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the statistic after each value in `x` (n,).

        >>> PageHinkley(delta=0.25, threshold=1).statistics([0, 0, 1, 1, 1, 1]).round(2).tolist()
        [0.0, 0.0, 0.42, 0.67, 0.82, 0.9]
        """
        values = as_losses(x, name="x")
        out = np.empty(values.size)
        _statistics(self.start(), values, out)
        return out

    @property
    def statistic(self) -> float:
        """The statistic after the last `update`; nan before the first. Array twin: `statistics`."""
        return self._seen().statistic


@readings.register
def _readings(state: PageHinkleyState) -> dict[str, float]:
    seen = state.seen
    return {"statistic": float(seen[SUM] - seen[LEAST]) if seen[COUNT] else float("nan")}


def page_hinkley(x: ArrayLike, delta: float = 0.005, threshold: float = 50.0) -> NDArray[np.int64]:
    """Return the alarms of `PageHinkley` on the values `x` (n,), as indices.

    Parameters
    ----------
    x : values, of which an increase of the mean is sought, shape (n,).
    delta : increase that is tolerated, >= 0.
    threshold : statistic above which the test alarms, > 0.

    >>> page_hinkley([0] * 100 + [1] * 100, threshold=20).tolist()
    [122]
    """
    return PageHinkley(delta, threshold).alarms(x)


@implements(update, PageHinkleyState)
def _update(state, value):  # type: ignore[no-untyped-def]
    seen = state.seen
    if state.restart and seen[SUM] - seen[LEAST] > state.threshold:
        for i in range(seen.size):
            seen[i] = 0.0
    seen[COUNT] += 1
    seen[TOTAL] += value
    seen[SUM] += value - seen[TOTAL] / seen[COUNT] - state.delta
    # The minimum may start at 0: the first m is -delta, which is at most 0.
    seen[LEAST] = min(seen[LEAST], seen[SUM])
    return DRIFT if seen[SUM] - seen[LEAST] > state.threshold else CONTROL


@kernel
def _statistics(state, values, out):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        update(state, values[i])
        out[i] = state.seen[SUM] - state.seen[LEAST]
