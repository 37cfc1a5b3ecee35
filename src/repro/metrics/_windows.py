"""Sums of the last values of a series, by additions only.

Adding each new value and subtracting the oldest would keep the rounding errors of all values ever
seen: a small loss after a large one would be lost, and a sum of losses >= 0 could fall below 0.
Instead the series is cut into blocks as long as the window. The last `window` values are then the
beginning of this block, summed forwards, and the end of the block before, summed backwards.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from repro.kernels.compiling import kernel

__all__ = ["WindowSum", "running_means", "window_means"]


class WindowSum:
    """Sum of the last `window` values, or of all values while there are fewer.

    Online twin of `window_means`. It keeps the values seen, at most two windows of them.
    """

    def __init__(self, window: int) -> None:
        self.window, self.value = window, 0.0
        self._block, self._head = array("d"), 0.0
        self._tail = np.zeros(0)  # sums of the ends of the block before

    def add(self, value: float) -> None:
        """Take in one value and drop the oldest."""
        if len(self._block) == self.window:
            self._tail = np.cumsum(self._block[::-1])[::-1]
            self._block, self._head = array("d"), 0.0
        self._block.append(value)
        self._head += value
        old = len(self._block)
        self.value = self._head + (float(self._tail[old]) if old < self._tail.size else 0.0)


# The kernels fill arrays made by numpy, which asks the system for large pages; numba does not. For
# ten million losses, getting the pages of the result takes 0.5 ns a loss, and 2.4 ns with numba.


def running_means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of all `values` (n,) so far, at every step; shape (n,)."""
    means = np.empty(values.size)
    _running_means(values, means)
    return means


def window_means(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Return the mean of the last `window` of the `values` (n,), at every step; shape (n,).

    While there are fewer values it is the mean of all.
    """
    if window >= values.size:
        return running_means(values)
    means = np.empty(values.size)
    _window_means(values, np.zeros((2, window + 1)), means)
    return means


@kernel
def _running_means(values, means):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(values.size):
        total += values[i]
        means[i] = total / (i + 1)


@kernel
def _window_means(values, tails, means):  # type: ignore[no-untyped-def]
    window, n = tails.shape[1] - 1, values.size
    before, after = tails[0], tails[1]
    for start in range(0, n, window):
        stop, head, rest = min(start + window, n), 0.0, 0.0
        # The same loop makes the sums from the end of this block, which the next block needs: two
        # additions that do not depend on each other take no longer than one.
        for i in range(stop - start):
            head += values[start + i]
            rest += values[stop - 1 - i]
            after[window - 1 - i] = rest
            means[start + i] = (head + before[i + 1]) / (i + 1 if start == 0 else window)
        before, after = after, before
