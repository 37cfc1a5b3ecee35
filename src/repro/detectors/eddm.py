"""The early drift detection method: alarm when errors come closer together than they did."""

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
    """Since the last drift."""

    seen: NDArray[np.float64]  # (7,) counts, distances, LARGEST p + 2 s, LEVEL at the last error
    minimum: int
    warning: float
    drift: float


@dataclass(frozen=True)
class EDDM(Detector):
    r"""Early drift detection method, on 0/1 losses: every value but 0 is an error.

    With the mean :math:`p_i` and the standard deviation :math:`s_i` (divisor *i*) of the distances
    between the *i* errors since the last drift (the first is counted from there), and their values
    where :math:`p + 2 s` was largest,

    .. math:: \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.95\ \text{is a warning,}\quad
              \frac{p_i + 2 s_i}{p_{\max} + 2 s_{\max}} < 0.90\ \text{a drift,}

    after more than `minimum` errors; from one error to the next the level stays. The paper leaves
    open from when on the largest is sought: here from the `minimum`-th value on. At a drift
    everything is forgotten.

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
        """Nothing seen."""
        minimum = capped(self.minimum)
        return EDDMState(np.zeros(7), minimum, float(self.warning), float(self.drift))


def eddm(x: ArrayLike) -> NDArray[np.int64]:
    """Alarms of `EDDM` on the losses `x` (n,), as indices.

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
