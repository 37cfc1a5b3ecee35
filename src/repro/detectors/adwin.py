"""ADWIN: a window that grows while its mean is stable, and drops its old part after a change."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import capped, check_count, check_inside
from repro.detectors.detector import CONTROL, DRIFT, Detector, implements, readings, update
from repro.kernels.compiling import kernel, outlined

__all__ = ["ADWIN", "adwin", "adwin_mean", "adwin_rose", "adwin_width"]

TOTAL, SQUARES, WIDTH, CLOCK = range(4)  # a bucket has a sum and a sum of squared deviations
CAPACITY = 40  # log2 of the longest window


class ADWINState(NamedTuple):
    """The window in buckets: row r is a ring of up to M buckets of 2**r values each."""

    buckets: NDArray[np.float64]  # (rows, 2, M) TOTAL and SQUARES
    held: NDArray[np.int8]  # (rows,) buckets in use
    oldest: NDArray[np.int8]  # (rows,) where the ring begins
    window: NDArray[np.float64]  # (4,) TOTAL, SQUARES and WIDTH; inputs since the last check
    delta: float
    clock: int
    min_window_length: int
    grace_period: int


@dataclass(frozen=True)
class ADWIN(Detector):
    r"""Adaptive windowing, on losses from 0 to 1 (the second term of the bound has their scale).

    Once the window is longer than `grace_period`, every `clock` values, the detector checks all
    splits of the window between buckets into :math:`n_0` old and :math:`n_1` new values. While
    some split has

    .. math:: |\mu_0 - \mu_1| > \sqrt{\frac{2}{m} \sigma^2_W \ln \frac{2 \ln n}{\delta}}
              + \frac{2}{3m} \ln \frac{2 \ln n}{\delta}

    it drops the oldest bucket and raises an alarm; the rest of the window stays. Here *n* and
    :math:`\sigma^2_W` are length and variance (divisor *n*) of the window, and *m* is the harmonic
    mean of the paper, except that *l*, the `min_window_length`, gives short parts less weight:

    .. math:: 1 / m = 1 / (n_0 - l + 1) + 1 / (n_1 - l + 1),\quad n_0, n_1 > l + 1.

    There are up to `max_buckets` buckets of each size 1, 2, 4, ...: memory is fixed and holds
    windows of up to 2**40 values.

    The detector alarms on increases and on decreases; comparing `mean` before and after the alarm
    shows which. There are no warnings.

    >>> ADWIN(delta=0.01)
    ADWIN(delta=0.01, clock=32, max_buckets=5, min_window_length=5, grace_period=10)
    """

    delta: float = 0.002
    clock: int = 32
    max_buckets: int = 5
    min_window_length: int = 5
    grace_period: int = 10

    paper: ClassVar[str] = "Bifet and Gavaldà (2007), SDM, 443-448"

    def __post_init__(self) -> None:
        check_inside(self.delta, name="delta")
        check_count(self.clock, name="clock")
        check_count(self.max_buckets, name="max_buckets", least=2, most=100)
        check_count(self.min_window_length, name="min_window_length")
        check_count(self.grace_period, name="grace_period")

    def start(self, seed: int = 0) -> ADWINState:
        """Return an empty window."""
        rows = ceil(CAPACITY - log2(self.max_buckets - 1))
        return ADWINState(
            np.zeros((rows, 2, self.max_buckets)),
            np.zeros(rows, np.int8),
            np.zeros(rows, np.int8),
            np.zeros(4),
            float(self.delta),
            *(capped(n) for n in (self.clock, self.min_window_length, self.grace_period)),
        )

    @property
    def mean(self) -> float:
        """Mean of the window after the last `update`; nan while it is empty."""
        return self._seen().mean

    @property
    def width(self) -> int:
        """Length of the window after the last `update`."""
        return int(self._seen().width)


@readings.register
def _readings(state: ADWINState) -> dict[str, float]:
    return {"mean": float(adwin_mean(state)), "width": int(adwin_width(state))}


def adwin(x: ArrayLike, delta: float = 0.002) -> NDArray[np.int64]:
    """Return the alarms of `ADWIN` on the values `x` (n,), as indices.

    >>> adwin([0, 1, 0, 0] * 50 + [1] * 100).tolist()
    [255]
    """
    return ADWIN(delta).alarms(x)


@kernel
def adwin_mean(state):  # type: ignore[no-untyped-def]
    """Return the mean of the window of `state`, an `ADWINState`; nan while it is empty."""
    width = state.window[WIDTH]
    return state.window[TOTAL] / width if width else np.nan


@kernel
def adwin_width(state):  # type: ignore[no-untyped-def]
    """Return the length of the window of `state`, an `ADWINState`."""
    return int(state.window[WIDTH])


@kernel
def adwin_rose(state, value):  # type: ignore[no-untyped-def]
    """Add `value`; whether older values were dropped and the mean is higher than before."""
    before = adwin_mean(state)
    return update(state, value) == DRIFT and adwin_mean(state) > before


@implements(update, ADWINState)
def _update(state, value):  # type: ignore[no-untyped-def]
    _insert(state, value)
    state.window[CLOCK] += 1
    if state.window[CLOCK] < state.clock:
        return CONTROL
    state.window[CLOCK] = 0
    return _check(state)


@kernel
def _insert(state, value):  # type: ignore[no-untyped-def]
    """Put a bucket of one value in row 0; a full row passes its two oldest up, merged into one."""
    window = state.window
    n = window[WIDTH]
    if n:
        window[SQUARES] += n / (n + 1) * (value - window[TOTAL] / n) ** 2
    window[TOTAL] += value
    window[WIDTH] = n + 1
    total, squares, size, share = value, 0.0, 1.0, 1.0
    for row in range(state.held.size):
        bucket, k, first = state.buckets[row], state.held[row], state.oldest[row]
        if k < bucket.shape[1]:
            slot = _slot(bucket, first + k)
            bucket[TOTAL, slot], bucket[SQUARES, slot] = total, squares
            state.held[row] = k + 1
            return
        second = _slot(bucket, first + 1)
        both = bucket[TOTAL, first] + bucket[TOTAL, second]
        # A size is a power of 2, so multiplying by its inverse is exact division.
        between = size / 2 * ((bucket[TOTAL, first] - bucket[TOTAL, second]) * share) ** 2
        within = bucket[SQUARES, first] + bucket[SQUARES, second]
        bucket[TOTAL, first], bucket[SQUARES, first] = total, squares
        state.held[row], state.oldest[row] = k - 1, _slot(bucket, second + 1)
        total, squares, size, share = both, within + between, 2 * size, share / 2
    _sum_up(state)  # there is no row above: the oldest buckets are dropped


@kernel
def _slot(bucket, k):  # type: ignore[no-untyped-def]
    """Return the slot of bucket `k` in the ring of a row; `k` is below twice the ring's size."""
    return k - bucket.shape[1] if k >= bucket.shape[1] else k


@outlined
def _check(state):  # type: ignore[no-untyped-def]
    """Drop the oldest bucket while some split shows a change, and return the level."""
    level = CONTROL
    while state.window[WIDTH] > state.grace_period and _changed(state):
        top = state.held.size - 1
        while state.held[top] == 0:
            top -= 1
        state.held[top] -= 1
        state.oldest[top] = _slot(state.buckets[top], state.oldest[top] + 1)
        _sum_up(state)
        level = DRIFT
    return level


@kernel
def _changed(state):  # type: ignore[no-untyped-def]
    """Whether some split has sides whose means differ by more than the bound."""
    n, total = state.window[WIDTH], state.window[TOTAL]
    mean, spread = total / n, max(state.window[SQUARES] / n, 0.0)
    logs = np.log(2 * np.log(n) / state.delta)
    shortest, possible = state.min_window_length, 2 * spread * logs / n
    n0, u0, size = 0.0, 0.0, 2.0**state.held.size
    for row in range(state.held.size - 1, -1, -1):
        size /= 2
        bucket, first = state.buckets[row], state.oldest[row]
        for k in range(state.held[row]):
            n0 += size
            u0 += bucket[TOTAL, _slot(bucket, first + k)]
            n1 = n - n0
            # Division is slow. A lower bound, with 1 / m at its least, 1 / n0 + 1 / n1, and without
            # the second term, already excludes most splits.
            if (u0 - n0 * mean) ** 2 <= possible * n0 * n1:
                continue
            if min(n0, n1) <= shortest + 1:
                continue
            parts = 1 / (n0 - shortest + 1) + 1 / (n1 - shortest + 1)
            bound = np.sqrt(2 * parts * spread * logs) + 2 / 3 * parts * logs
            if abs(u0 / n0 - (total - u0) / n1) > bound:
                return True
    return False


@outlined
def _sum_up(state):  # type: ignore[no-untyped-def]
    """Sum the window from its buckets; subtracting the one dropped would add up rounding errors."""
    n, total, squares, size = 0.0, 0.0, 0.0, 1.0
    for row in range(state.held.size):
        bucket, first = state.buckets[row], state.oldest[row]
        for k in range(state.held[row]):
            slot = _slot(bucket, first + k)
            u = bucket[TOTAL, slot]
            if n:
                squares += n * size / (n + size) * (total / n - u / size) ** 2
            squares += bucket[SQUARES, slot]
            total += u
            n += size
        size *= 2
    state.window[TOTAL], state.window[SQUARES], state.window[WIDTH] = total, squares, n
