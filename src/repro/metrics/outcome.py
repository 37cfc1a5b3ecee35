"""What the alarms of one run come to where the stream has one drift."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import check_count
from repro.metrics._alarms import as_alarms

__all__ = ["Outcome", "outcome"]


class Outcome(NamedTuple):
    """Delay of the first alarm from the drift on, nan if there is none; alarms before the drift."""

    delay: float
    false_alarms: int


def outcome(alarms: ArrayLike, position: int) -> Outcome:
    """The delay of a detection and the number of false alarms, with one drift at `position`.

    `alarms` are increasing indices; the first one at or after `position` detects the drift, with
    the delay (index - position), however late it is. Those before are false, as Gama, Sebastião and
    Rodrigues (2013) count them in Table 3; those after the detection are repetitions. This is what
    `detection_report` says of one run and one drift without a `tolerance`, where `repeated` counts
    the repetitions.

    Raises ValueError for a `position` that is no count, and for alarms that are no increasing
    indices.

    >>> outcome([150, 420, 430], position=400)
    Outcome(delay=20.0, false_alarms=1)
    >>> outcome([150], position=400)
    Outcome(delay=nan, false_alarms=1)
    """
    position = check_count(position, name="position", least=0)
    indices = as_alarms(list(alarms) if np.iterable(alarms) else [alarms])  # as in the report
    before = int((indices < position).sum())
    delay = int(indices[before]) - position if before < indices.size else np.nan
    return Outcome(float(delay), before)
