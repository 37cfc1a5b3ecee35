"""KSWIN on losses, with the alarms of river's in less time."""

from __future__ import annotations

import warnings
from collections import deque
from functools import cache
from itertools import islice

from river import drift
from scipy.stats import ks_2samp

__all__ = ["KSWIN"]


@cache
def _test(ones: int, recent: int, size: int) -> tuple[float, float]:
    """Statistic and p value of the test of two samples of `size` losses, with so many ones."""
    samples = ([0] * (size - count) + [1] * count for count in (ones, recent))
    with warnings.catch_warnings(action="ignore"):  # it may take the asymptotic test, as river's
        return ks_2samp(*samples, method="auto")


class KSWIN(drift.KSWIN):  # type: ignore[misc]  # river has no types
    """river's KSWIN for losses of 0 and 1: the same draws, tests and alarms.

    The test of Kolmogorov and Smirnov, most of river's time, knows of such samples only how many
    ones they have. So each of its results is computed once.
    """

    def update(self, x: float) -> None:
        """Take a loss, 0 or 1."""
        if x not in (0, 1):
            raise ValueError(f"x must be 0 or 1; got {x}")
        if self.drift_detected:
            self._reset()
        self.n += 1
        self.window.append(x)
        self._drift_detected = False
        if len(self.window) < self.window_size:
            return
        older, window = self.window_size - self.stat_size, list(self.window)
        drawn = self._rng.sample(range(older), self.stat_size)
        ones, recent = sum(window[i] for i in drawn), sum(window[older:])
        statistic, self.p_value = _test(int(ones), int(recent), self.stat_size)
        if self.p_value <= self.alpha and statistic > 0.1:
            self._drift_detected = True
            self.window = deque(islice(window, older, None), maxlen=self.window_size)
