"""The e-detector: bets on a risen error rate, with a promised time between false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, capped, check_count, check_inside, check_number
from repro.detectors.detector import CONTROL, DRIFT, Detector, implements, readings, update
from repro.kernels.compiling import kernel

__all__ = ["EDetector", "e_detector"]

#: Shares of the largest bet, 1 / rate, that are placed side by side: for small and large rises.
SHARES = np.array([0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64])
COUNT, MEAN, SQUARES, RATE = range(4)


class EDetectorState(NamedTuple):
    """The wealth of each bet since the last restart, what was learned of the rate, and settings."""

    wealth: NDArray[np.float64]  # (7,)
    shares: NDArray[np.float64]  # (7,)
    seen: NDArray[np.float64]  # (4,) COUNT, MEAN and SQUARES of the warm-up, and the RATE
    run_length: float
    warm_up: int
    log_risk: float


@dataclass(frozen=True)
class EDetector(Detector):
    r"""E-detector of an increase of the mean of losses from 0 to 1, of Shiryaev-Roberts' form.

    .. math:: M_t = \frac1K \sum_{k=1}^K S_t^{(k)},\qquad
              S_t^{(k)} = \bigl(S_{t-1}^{(k)} + 1\bigr)
              \Bigl(1 + \frac{c_k}{r}\,(x_t - r)\Bigr),\qquad S_0^{(k)} = 0

    with the rate *r* and the shares :math:`c_k` = .01, .02, ..., .64. The detector alarms when
    :math:`M_t` reaches the `run_length`, and restarts from nothing before the next value.

    **The promise.** While the mean of each loss, given those before it, is at most *r*, the mean
    number of losses until a false alarm is at least `run_length`. The losses may depend on each
    other and change their distribution. (:math:`M_t - t` is then a supermartingale.) On losses
    outside of [0, 1] nothing is promised.

    Without a `rate` the first `warm_up` losses after each start decide it: it is the upper limit of
    their mean with probability 1 - `risk`, by the empirical Bernstein bound of Maurer and Pontil
    (2009), :math:`\bar x + \sqrt{2 v \ln(2 / \rho) / n} + 7 \ln(2 / \rho) / (3 (n - 1))`. Then the
    promise holds if that limit does, and rises below it are not sought.

    Parameters
    ----------
    rate : the largest mean loss that needs no alarm, in (0, 1); None to learn it.
    run_length : of the promise, >= 1.
    warm_up : losses that decide the rate, at least 2.
    risk : probability that the learned rate is below the mean, in (0, 1).

    Raises ValueError for arguments outside of these ranges.

    >>> EDetector(rate=0.1).alarms([0, 0, 0, 0, 1] * 100 + [1] * 20)[:1] < 520
    array([ True])
    """

    rate: float | None = None
    run_length: float = 10_000.0
    warm_up: int = 500
    risk: float = 0.05

    paper: ClassVar[str] = "Shin, Ramdas and Rinaldo (2023), NEJSDS 2, 229-260"

    def __post_init__(self) -> None:
        if self.rate is not None:
            check_inside(self.rate, name="rate")
        check_inside(self.risk, name="risk")
        check_number(self.run_length, name="run_length", least=1)
        check_count(self.warm_up, name="warm_up", least=2)

    def start(self, seed: int = 0) -> EDetectorState:
        """Return a state that has seen no value."""
        seen, warm_up = np.zeros(4), capped(self.warm_up)
        if self.rate is not None:
            seen[RATE], warm_up = self.rate, 0
        log_risk = float(np.log(2 / float(self.risk)))
        return EDetectorState(
            np.zeros(SHARES.size), SHARES.copy(), seen, float(self.run_length), warm_up, log_risk
        )

    def statistics(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return :math:`M_t` after each value in `x` (n,); 0 during the warm-up.

        >>> EDetector(rate=0.5).statistics([1, 1, 0]).round(2).tolist()
        [1.18, 2.62, 2.8]
        """
        values = as_losses(x, name="x")
        out = np.empty(values.size)
        _statistics(self.start(), values, out)
        return out

    @property
    def statistic(self) -> float:
        """The statistic after the last `update`. Array twin: `statistics`."""
        return self._seen().statistic


@readings.register
def _readings(state: EDetectorState) -> dict[str, float]:
    rate = state.seen[RATE]
    return {"statistic": float(state.wealth.mean()), "rate": float(rate) if rate else float("nan")}


def e_detector(
    x: ArrayLike, rate: float | None = None, run_length: float = 10_000.0
) -> NDArray[np.int64]:
    """Return the alarms of `EDetector` on the losses `x` (n,), as indices.

    >>> e_detector([0, 0, 0, 0, 0, 0, 0, 0, 0, 1] * 50 + [1] * 20, rate=0.1).tolist()
    [504, 510, 516]
    """
    return EDetector(rate, run_length).alarms(x)


@implements(update, EDetectorState)
def _update(state, value):  # type: ignore[no-untyped-def]
    wealth, seen = state.wealth, state.seen
    if wealth.mean() >= state.run_length:
        wealth[:] = 0.0
        if state.warm_up:
            seen[:] = 0.0
    if seen[COUNT] < state.warm_up:
        seen[COUNT] += 1
        step = value - seen[MEAN]
        seen[MEAN] += step / seen[COUNT]
        seen[SQUARES] += step * (value - seen[MEAN])
        if seen[COUNT] == state.warm_up:
            free = seen[COUNT] - 1
            reach = np.sqrt(2 * max(seen[SQUARES], 0.0) / free * state.log_risk / seen[COUNT])
            reach += 7 * state.log_risk / (3 * free)
            seen[RATE] = min(max(seen[MEAN] + reach, 1e-300), 1.0)
        return CONTROL
    rate = seen[RATE]
    if rate >= 1.0:  # no mean is above it
        return CONTROL
    for k in range(wealth.size):
        # At least 0, which losses below 0 would not leave it.
        factor = max(1.0 + state.shares[k] / rate * (value - rate), 0.0)
        wealth[k] = (wealth[k] + 1.0) * factor
    return DRIFT if wealth.mean() >= state.run_length else CONTROL


@kernel
def _statistics(state, values, out):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        update(state, values[i])
        out[i] = state.wealth.mean()
