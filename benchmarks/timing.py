"""One rule for every library: a measurement is the least time of several calls in a row."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

TOGETHER = 0.2  # seconds that the calls of one measurement take at least, all together


class Timed(NamedTuple):
    """What one measurement says."""

    seconds: float
    examples: int
    error: float


def least(call: Callable[[], Timed], together: float = TOGETHER) -> Timed:
    """The fastest of as many calls as fit in `together` seconds; at least one.

    Short runs are repeated more often, so that a pause of the machine or of a garbage collector
    does not decide a measurement of a millisecond.
    """
    begin, best = time.perf_counter(), call()
    while time.perf_counter() - begin < together:
        best = min(best, call())
    return best


def clock(function: Callable[[], Any], together: float = TOGETHER) -> float:
    """Least seconds of a call of `function`."""

    def call() -> Timed:
        begin = time.perf_counter()
        function()
        return Timed(time.perf_counter() - begin, 0, 0.0)

    return least(call, together).seconds
