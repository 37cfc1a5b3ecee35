"""Estimates of the error, which a detector can watch instead of the losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction, equivalent_window, shown
from repro.kernels.compiling import kernel, outlined
from repro.kernels.dispatch import implements, verb
from repro.kernels.fading import faded_sum, faded_weight

__all__ = [
    "Estimate",
    "FadingEstimate",
    "SlidingEstimate",
    "check_estimate",
    "estimate",
    "implements",
]

COUNT, TOTAL, PLACE = range(3)
MOST_IN_WINDOW = 2**27  # losses, which take a gigabyte


@verb
def estimate(state: Any, value: Any) -> float:  # type: ignore[empty-body]
    """Update `state` with `value` and return the estimate."""


class FadingState(NamedTuple):
    """The faded number of values and their faded sum."""

    seen: NDArray[np.float64]  # (2,) COUNT and TOTAL
    alpha: float


class SlidingState(NamedTuple):
    """The last values, in blocks as long as the window, as in `repro.metrics.sliding_error`.

    The ring holds the values of this block before PLACE. From PLACE on it holds sums of the block
    before, each from that position to the end of the block.
    """

    seen: NDArray[np.float64]  # (3,) COUNT of values in the window, TOTAL and PLACE of this block
    ring: NDArray[np.float64]  # (window,)


@dataclass(frozen=True)
class Estimate(ABC):
    """Description of an estimate along a stream, that is, its settings. `Monitor` runs it.

    A subclass is a frozen dataclass that implements `start` and `memory`. The kernel of its state
    is registered for the verb `estimate`.
    """

    @abstractmethod
    def start(self) -> Any:
        """Return the state before the first value: a NamedTuple of arrays of bounded size."""

    @property
    @abstractmethod
    def memory(self) -> float:
        """Number of losses that the estimate is worth in the long run; inf if it forgets none."""

    def along(self, loss: ArrayLike) -> NDArray[np.float64]:
        """Return the estimate after each of the losses (n,), shape (n,)."""
        losses = as_losses(loss)
        curve = np.empty(losses.size)
        _along(self.start(), losses, curve)
        return curve


@dataclass(frozen=True)
class FadingEstimate(Estimate):
    """Mean faded with `alpha`, the weight of the past; 1 is the mean of all losses.

    Online twin of `repro.metrics.fading_error`.

    >>> FadingEstimate(0.5).along([1, 0, 0]).round(3).tolist()
    [1.0, 0.333, 0.143]
    """

    alpha: float = 0.999

    def __post_init__(self) -> None:
        check_fraction(self.alpha, name="alpha")

    def start(self) -> FadingState:
        """Return a state that has seen no value."""
        return FadingState(np.zeros(2), float(self.alpha))

    @property
    def memory(self) -> float:
        """Window with the same variance, (1 + alpha) / (1 - alpha)."""
        return equivalent_window(self.alpha)


@dataclass(frozen=True)
class SlidingEstimate(Estimate):
    """Mean of the last `window` losses. Online twin of `repro.metrics.sliding_error`.

    >>> SlidingEstimate(2).along([1, 0, 0, 1]).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """

    window: int = 500

    def __post_init__(self) -> None:
        check_count(self.window, name="window", most=MOST_IN_WINDOW)

    def start(self) -> SlidingState:
        """Return a state that has seen no value."""
        return SlidingState(np.zeros(3), np.zeros(int(self.window)))

    @property
    def memory(self) -> float:
        """The `window`."""
        return float(self.window)


def check_estimate(estimate: Any, *, name: str = "estimate") -> Estimate:
    """Return `estimate` if it is the description of one."""
    if not isinstance(estimate, Estimate):
        rule = "an Estimate, such as FadingEstimate(0.997)"
        raise ValueError(f"{name} must be {rule}; got {shown(estimate)}")
    return estimate


@kernel
def _along(state, losses, curve):  # type: ignore[no-untyped-def]
    for i in range(losses.size):
        curve[i] = estimate(state, losses[i])


@implements(estimate, FadingState)
def _fade(state, value):  # type: ignore[no-untyped-def]
    seen = state.seen
    seen[TOTAL] = faded_sum(value, seen[TOTAL], state.alpha)
    seen[COUNT] = faded_weight(seen[COUNT], state.alpha)
    return seen[TOTAL] / seen[COUNT]


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
