"""The drift detection method: alarm when the error rate is far above its minimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import capped, check_count, check_number
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector, implements, update

__all__ = ["DDM", "ddm"]


class DDMState(NamedTuple):
    """Counters since the last alarm, the lowest rate and deviation, and settings."""

    seen: NDArray[np.float64]  # (2,) n and total
    lowest: NDArray[np.float64]  # (2,) p and s where p + s was least
    warm_start: int
    warning_threshold: float
    drift_threshold: float


@dataclass(frozen=True)
class DDM(Detector):
    r"""Drift detection method, on losses from 0 to 1; its deviation is wrong for other losses.

    Let :math:`p_i` be the error rate of the *i* losses since the last alarm,
    :math:`s_i = \sqrt{p_i (1 - p_i) / i}`, and :math:`p_{\min}, s_{\min}` their values where
    :math:`p + s` was least. Then

    .. math:: p_i + s_i > p_{\min} + 2 s_{\min}\ \text{is a warning,}\quad
              p_i + s_i > p_{\min} + 3 s_{\min}\ \text{an alarm,}

    from the loss before the `warm_start`-th on (MOA counts from 1, others from 0). After an alarm
    the detector starts from nothing. The factors 2 and 3 are `warning_threshold` and
    `drift_threshold`.

    >>> DDM()
    DDM(warm_start=30, warning_threshold=2.0, drift_threshold=3.0)
    """

    warm_start: int = 30
    warning_threshold: float = 2.0
    drift_threshold: float = 3.0

    paper: ClassVar[str] = "Gama, Medas, Castillo and Rodrigues (2004), SBIA, 286-295"

    def __post_init__(self) -> None:
        check_count(self.warm_start, name="warm_start")
        least = check_number(self.warning_threshold, name="warning_threshold", above=0)
        check_number(self.drift_threshold, name="drift_threshold", least=least)

    def start(self, seed: int = 0) -> DDMState:
        """Return a state that has seen no value."""
        settings = (
            capped(self.warm_start),
            float(self.warning_threshold),
            float(self.drift_threshold),
        )
        return DDMState(np.zeros(2), np.full(2, np.inf), *settings)


def ddm(x: ArrayLike, warm_start: int = 30) -> NDArray[np.int64]:
    """Return the alarms of `DDM` on the losses `x` (n,), as indices.

    >>> ddm([0, 1, 0, 0] * 50 + [1] * 50).tolist()
    [217]
    """
    return DDM(warm_start).alarms(x)


@implements(update, DDMState)
def _update(state, value):  # type: ignore[no-untyped-def]
    state.seen[0] += 1
    state.seen[1] += value
    n = state.seen[0]
    if n + 1 < state.warm_start:
        return CONTROL
    p = state.seen[1] / n
    s = np.sqrt(max(p * (1 - p), 0.0) / n)
    if p + s <= state.lowest[0] + state.lowest[1]:
        state.lowest[0], state.lowest[1] = p, s
    if p + s > state.lowest[0] + state.drift_threshold * state.lowest[1]:
        state.seen[:] = 0.0
        state.lowest[:] = np.inf
        return DRIFT
    if p + s > state.lowest[0] + state.warning_threshold * state.lowest[1]:
        return WARNING
    return CONTROL
