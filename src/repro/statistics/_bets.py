"""Bets against each of many means: the hedged capital of Waudby-Smith and Ramdas (2024)."""

from __future__ import annotations

import numpy as np

__all__ = ["Bets"]

GRID = 1000  # means that bets are made against


class Bets:
    """Capital of bets that the mean is higher, and lower, than each of `GRID` means."""

    def __init__(self, level: float) -> None:
        self.means = (np.arange(GRID) + 0.5) / GRID
        self.up, self.down = np.zeros(GRID), np.zeros(GRID)  # logarithms
        self.wins = np.log(1 / level)
        self.n, self.total, self.squares = 0, 0.5, 0.25
        self.low, self.high = 0.0, 1.0

    def place(self, x: float) -> None:
        """Bet, then see `x`."""
        self.n += 1
        variance = self.squares / self.n
        size = np.sqrt(2 * self.wins / (variance * self.n * np.log(1 + self.n)))
        self.up += np.log1p(np.minimum(size, 0.5 / self.means) * (x - self.means))
        self.down += np.log1p(-np.minimum(size, 0.5 / (1 - self.means)) * (x - self.means))
        self.total += x
        self.squares += (x - self.total / (self.n + 1)) ** 2
        refuted = self.means[self.up >= self.wins]
        if refuted.size:
            self.low = max(self.low, float(refuted[-1]))
        refuted = self.means[self.down >= self.wins]
        if refuted.size:
            self.high = min(self.high, float(refuted[0]))

    @property
    def interval(self) -> tuple[float, float]:
        """The means that no capital refutes; of contradicting bets, the middle."""
        middle = (self.low + self.high) / 2
        return (self.low, self.high) if self.low <= self.high else (middle, middle)
