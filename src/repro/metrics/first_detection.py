"""Delay and false alarms of one run on a stream with one drift."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import check_count
from repro.metrics._alarms import as_alarms

__all__ = ["FirstDetection", "first_detection"]


class FirstDetection(NamedTuple):
    """Delay of the first alarm from the drift on (nan without one); number of alarms before."""

    delay: float
    false_alarms: int


def first_detection(alarms: ArrayLike, position: int) -> FirstDetection:
    """Return the delay of the detection and the number of false alarms, for a drift at `position`.

    `alarms` are increasing indices. The first alarm at or after `position` detects the drift,
    however late it is, with the delay (index - position). Alarms before it are false, as Gama,
    Sebastião and Rodrigues (2013) count them in Table 3; alarms after it are repetitions.
    `detection_report` without a `tolerance` agrees, and also counts the repetitions.

    Raises ValueError for a `position` that is not a whole number >= 0, and for alarms that are not
    increasing indices.

    >>> first_detection([150, 420, 430], position=400)
    FirstDetection(delay=20.0, false_alarms=1)
    >>> first_detection([150], position=400)
    FirstDetection(delay=nan, false_alarms=1)
    """
    position = check_count(position, name="position", least=0)
    indices = as_alarms(list(alarms) if np.iterable(alarms) else [alarms])  # as in the report
    before = int((indices < position).sum())
    delay = int(indices[before]) - position if before < indices.size else np.nan
    return FirstDetection(float(delay), before)
