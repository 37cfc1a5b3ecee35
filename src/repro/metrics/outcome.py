"""What the alarms of one run come to where the stream has one drift."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import check_count

__all__ = ["Outcome", "outcome"]


class Outcome(NamedTuple):
    """Delay of the first alarm from the drift on, nan if there is none; alarms before the drift."""

    delay: float
    false_alarms: int


def outcome(alarms: ArrayLike, position: int) -> Outcome:
    """The delay of a detection and the number of false alarms, with one drift at `position`.

    `alarms` are increasing indices; the first one at or after `position` detects the drift, with
    the delay (index - position), however late it is; those before are false. `detection_report`
    does the same for many runs and drifts, and sets limits to a delay.

    Raises ValueError for a `position` that is no count and for alarms not in order.

    >>> outcome([150, 420, 430], position=400)
    Outcome(delay=20.0, false_alarms=1)
    >>> outcome([150], position=400)
    Outcome(delay=nan, false_alarms=1)
    """
    check_count(position, name="position", least=0)
    indices = np.asarray(alarms, dtype=np.float64).reshape(-1)
    if (np.diff(indices) <= 0).any():
        raise ValueError(f"alarms must be increasing; got {indices.tolist()}")
    before = int(np.searchsorted(indices, position))
    delay = indices[before] - position if before < indices.size else np.nan
    return Outcome(float(delay), before)
