"""One rule for every library: a measurement is the least time of several calls in a row.

Time is that of the processor in the calling thread, `now`, so that other programs on the same
machine hardly count. Java that is called from Python runs in the thread that calls it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

now = time.thread_time
TOGETHER = 0.2  # seconds that the calls of one measurement take at least, all together
LONG = 1.0  # the same for arrays of a million and more: now and then the system takes ten times as
# long as usual to find large pages for a result, and one such call must not be the only one


class Timed(NamedTuple):
    """What one measurement says."""

    seconds: float
    examples: int
    error: float
    bytes: float = float("nan")  # memory of the learner at the end, where it can be had


def least(call: Callable[[], Timed], together: float = TOGETHER) -> Timed:
    """The fastest of as many calls as fit in `together` seconds; at least one.

    Short runs are repeated more often, so that a pause of the machine or of a garbage collector
    does not decide a measurement of a millisecond.
    """
    begin, best = now(), call()
    while now() - begin < together:
        best = min(best, call())
    return best


def seconds_for(n: int) -> float:
    """Seconds of one measurement of calls on `n` losses."""
    return LONG if n >= 1_000_000 else TOGETHER


def clock(function: Callable[[], Any], together: float = TOGETHER) -> float:
    """Least seconds of a call of `function`."""

    def call() -> Timed:
        begin = now()
        function()
        return Timed(now() - begin, 0, 0.0)

    return least(call, together).seconds
