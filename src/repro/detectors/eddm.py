"""The early drift detection method: alarm when errors come closer together than before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import capped, check_count, check_fraction
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector, implements, update

__all__ = ["EDDM", "eddm"]

VALUES, LAST, ERRORS, MEAN, SQUARES, LARGEST, LEVEL = range(7)


class EDDMState(NamedTuple):
    """Counters since the last alarm, and settings."""

    seen: NDArray[np.float64]  # (7,) counts, distances, LARGEST p + 2 s, LEVEL at the last error
    warm_start: int
    warning_threshold: float
    drift_threshold: float


@dataclass(frozen=True)
class EDDM(Detector):
    r"""Early drift detection method, on 0/1 losses; every value other than 0 is an error.

    Let :math:`p_i` and :math:`s_i` be the mean and the standard deviation (divisor *i*) of the
    distances between the *i* errors since the last alarm, the first distance from that alarm, and
    :math:`p_{\max}, s_{\max}` their values where :math:`p + 2 s` was largest. Then

    .. math:: \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.95\ \text{is a warning,}\quad
              \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.90\ \text{an alarm,}

    after more than `warm_start` errors. Between errors the level stays. The paper does not say
    from when on the largest value is sought; here it is from the `warm_start`-th value on. After
    an alarm the detector starts from nothing. The ratios 0.95 and 0.90 are `warning_threshold` and
    `drift_threshold`.

    >>> EDDM()
    EDDM(warm_start=30, warning_threshold=0.95, drift_threshold=0.9)
    """

    warm_start: int = 30
    warning_threshold: float = 0.95
    drift_threshold: float = 0.90

    paper: ClassVar[str] = "Baena-García et al. (2006), IWKDDS, 77-86"

    def __post_init__(self) -> None:
        check_fraction(self.warning_threshold, name="warning_threshold")
        check_fraction(self.drift_threshold, name="drift_threshold")
        if self.drift_threshold > self.warning_threshold:
            rule = f"drift_threshold must be at most warning_threshold, {self.warning_threshold}"
            raise ValueError(f"{rule}; got {self.drift_threshold!r}")
        check_count(self.warm_start, name="warm_start")

    def start(self, seed: int = 0) -> EDDMState:
        """Return a state that has seen no value."""
        thresholds = float(self.warning_threshold), float(self.drift_threshold)
        return EDDMState(np.zeros(7), capped(self.warm_start), *thresholds)


def eddm(x: ArrayLike) -> NDArray[np.int64]:
    """Return the alarms of `EDDM` on the losses `x` (n,), as indices.

    >>> eddm(([0] * 9 + [1, 0, 1]) * 30 + [1] * 50).tolist()
    [375]
    """
    return EDDM().alarms(x)


@implements(update, EDDMState)
def _update(state, value):  # type: ignore[no-untyped-def]
    seen = state.seen
    seen[VALUES] += 1
    if value == 0:
        return int(seen[LEVEL])
    seen[ERRORS] += 1
    distance = seen[VALUES] - seen[LAST]
    seen[LAST] = seen[VALUES]
    before = distance - seen[MEAN]
    seen[MEAN] += before / seen[ERRORS]
    seen[SQUARES] += before * (distance - seen[MEAN])
    if seen[VALUES] < state.warm_start:
        return CONTROL
    reach = seen[MEAN] + 2 * np.sqrt(seen[SQUARES] / seen[ERRORS])
    seen[LARGEST] = max(seen[LARGEST], reach)
    enough = seen[ERRORS] > state.warm_start
    if enough and reach < state.drift_threshold * seen[LARGEST]:
        seen[:] = 0.0
        return DRIFT
    seen[LEVEL] = WARNING if enough and reach < state.warning_threshold * seen[LARGEST] else CONTROL
    return int(seen[LEVEL])
