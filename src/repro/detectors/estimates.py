"""Estimates of the error that a detector can watch in place of the losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction
from repro.detectors._estimate import estimate, implements
from repro.kernels.compiling import NEGLIGIBLE, kernel, outlined

__all__ = ["MOST_IN_WINDOW", "Estimate", "FadingEstimate", "SlidingEstimate"]

COUNT, TOTAL, PLACE = range(3)
MOST_IN_WINDOW = 2**27  # losses: their memory is that of the state, a gigabyte


class FadingState(NamedTuple):
    """Weight and total of the values, faded."""

    seen: NDArray[np.float64]  # (2,)
    alpha: float


class SlidingState(NamedTuple):
    """The last values in blocks of a window, as in `repro.metrics.sliding_error`.

    Up to the place in the ring stand the values of this block, whose total is kept; from there on
    the sums of the values of the block before, each from its place to the end of the block.
    """

    seen: NDArray[np.float64]  # (3,) number of values in the window, total and place of this block
    ring: NDArray[np.float64]  # (window,)


@dataclass(frozen=True)
class Estimate(ABC):
    """A description of an estimate along a stream: its settings. `Monitor` puts it to use.

    A subclass is a frozen dataclass and implements `start`; the kernel of its state is registered
    for the verb `estimate`.
    """

    @abstractmethod
    def start(self) -> Any:
        """The state before the first value: a NamedTuple of arrays, of bounded size."""

    def along(self, loss: ArrayLike) -> NDArray[np.float64]:
        """The estimate after each of the losses, shape (n,)."""
        losses = as_losses(loss)
        curve = np.empty(losses.size)
        _along(self.start(), losses, curve)
        return curve


@dataclass(frozen=True)
class FadingEstimate(Estimate):
    """The mean faded with `alpha` (weight of the past; 1: of all losses), as metrics.fading_error.

    >>> FadingEstimate(0.5).along([1, 0, 0]).round(3).tolist()
    [1.0, 0.333, 0.143]
    """

    alpha: float = 0.999

    def __post_init__(self) -> None:
        check_fraction(self.alpha, name="alpha")

    def start(self) -> FadingState:
        """Nothing seen."""
        return FadingState(np.zeros(2), float(self.alpha))


@dataclass(frozen=True)
class SlidingEstimate(Estimate):
    """The mean of the last `window` losses, as metrics.sliding_error.

    >>> SlidingEstimate(2).along([1, 0, 0, 1]).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """

    window: int = 500

    def __post_init__(self) -> None:
        check_count(self.window, name="window", most=MOST_IN_WINDOW)

    def start(self) -> SlidingState:
        """Nothing seen."""
        return SlidingState(np.zeros(3), np.zeros(int(self.window)))


@kernel
def _along(state, losses, curve):  # type: ignore[no-untyped-def]
    for i in range(losses.size):
        curve[i] = estimate(state, losses[i])


@implements(estimate, FadingState)
def _fade(state, value):  # type: ignore[no-untyped-def]
    seen = state.seen
    total = value + state.alpha * seen[TOTAL]
    if abs(total) < NEGLIGIBLE:
        total = 0.0
    count = 1.0 + state.alpha * seen[COUNT]
    seen[COUNT], seen[TOTAL] = count, total
    return total / count


@implements(estimate, SlidingState)
def _slide(state, value):  # type: ignore[no-untyped-def]
    seen, ring = state.seen, state.ring
    place = int(seen[PLACE])
    seen[TOTAL] += value
    rest = ring[place + 1] if place + 1 < ring.size else 0.0
    ring[place] = value
    seen[COUNT] = min(seen[COUNT] + 1.0, ring.size)
    mean = (seen[TOTAL] + rest) / seen[COUNT]
    seen[PLACE] = place + 1.0
    if place + 1 == ring.size:
        _sum_from_the_end(ring)
        seen[TOTAL] = seen[PLACE] = 0.0
    return mean


@outlined
def _sum_from_the_end(ring):  # type: ignore[no-untyped-def]
    rest = 0.0
    for i in range(ring.size - 1, -1, -1):
        rest += ring[i]
        ring[i] = rest
