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
    minimum: int
    warning: float
    drift: float


@dataclass(frozen=True)
class EDDM(Detector):
    r"""Early drift detection method, on 0/1 losses; every value other than 0 is an error.

    Let :math:`p_i` and :math:`s_i` be the mean and the standard deviation (divisor *i*) of the
    distances between the *i* errors since the last alarm, the first distance from that alarm, and
    :math:`p_{\max}, s_{\max}` their values where :math:`p + 2 s` was largest. Then

    .. math:: \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.95\ \text{is a warning,}\quad
              \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.90\ \text{an alarm,}

    after more than `minimum` errors. Between errors the level stays. The paper does not say from
    when on the largest value is sought; here it is from the `minimum`-th value on. After an alarm
    the detector starts from nothing. The ratios 0.95 and 0.90 are `warning` and `drift`.

    >>> EDDM()
    EDDM(warning=0.95, drift=0.9, minimum=30)
    """

    warning: float = 0.95
    drift: float = 0.90
    minimum: int = 30

    paper: ClassVar[str] = "Baena-García et al. (2006), IWKDDS, 77-86"

    def __post_init__(self) -> None:
        check_fraction(self.warning, name="warning")
        check_fraction(self.drift, name="drift")
        if self.drift > self.warning:
            raise ValueError(f"drift must be at most warning, {self.warning}; got {self.drift!r}")
        check_count(self.minimum, name="minimum")

    def start(self, seed: int = 0) -> EDDMState:
        """Return a state that has seen no value."""
        minimum = capped(self.minimum)
        return EDDMState(np.zeros(7), minimum, float(self.warning), float(self.drift))


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
    if seen[VALUES] < state.minimum:
        return CONTROL
    reach = seen[MEAN] + 2 * np.sqrt(seen[SQUARES] / seen[ERRORS])
    seen[LARGEST] = max(seen[LARGEST], reach)
    enough = seen[ERRORS] > state.minimum
    if enough and reach < state.drift * seen[LARGEST]:
        seen[:] = 0.0
        return DRIFT
    seen[LEVEL] = WARNING if enough and reach < state.warning * seen[LARGEST] else CONTROL
    return int(seen[LEVEL])
