"""Pairs of series: losses of two learners, their sums online, and a scale for squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, as_numbers, shown
from repro.kernels.compiling import kernel
from repro.kernels.fading import fade_pair
from repro.metrics.estimators import WindowSum

__all__ = [
    "PairSums",
    "as_loss_pair",
    "check_loss",
    "scaled",
]

LARGEST = np.finfo(np.float64).max


def as_loss_pair(
    loss_a: ArrayLike, loss_b: ArrayLike, binary: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two arrays of losses >= 0 (0 and 1 only if `binary`) of equal length."""
    a, b = as_numbers(loss_a, name="loss_a"), as_numbers(loss_b, name="loss_b")
    if a.size != b.size:
        raise ValueError(f"loss_b must be as long as loss_a, {a.size}; got {b.size}")
    for name, loss in (("loss_a", a), ("loss_b", b)):
        if _count_invalid(loss, binary):  # one pass for all rules; then find the one broken
            bad = _first_invalid(as_losses(loss, name=name), binary)
            rule = "hold 0 and 1 only" if binary else "be >= 0"
            raise ValueError(f"{name} must {rule}; got {loss[bad]} at index {bad}")
    return a, b


def check_loss(loss: float, *, name: str, binary: bool = False) -> float:
    """Return one `loss` if it is >= 0 (0 or 1 if `binary`)."""
    value = as_number(loss, name=name)
    if value not in (0.0, 1.0) if binary else value < 0:
        raise ValueError(f"{name} must be {'0 or 1' if binary else '>= 0'}; got {shown(loss)}")
    return value


class PairSums:
    """Sums of two series online: faded with `alpha`, or of the last `window` values."""

    def __init__(self, alpha: float, window: int | None) -> None:
        self.alpha, self.sums = alpha, (0.0, 0.0)
        self._windows = [WindowSum(window) for _ in "ab"] if window is not None else None

    def add(self, a: float, b: float) -> None:
        """Take in one value of each."""
        if self._windows is None:
            faded = fade_pair(*self.sums, self.alpha) if self.alpha < 1.0 else self.sums
            self.sums = a + faded[0], b + faded[1]
            return
        for window, value in zip(self._windows, (a, b), strict=True):
            window.add(value)
        self.sums = self._windows[0].value, self._windows[1].value


def _first_invalid(loss: NDArray[np.float64], binary: bool) -> int:
    """Return the index of the first loss that breaks the rule; all of them are finite."""
    wrong = (loss != 0) & (loss != 1) if binary else loss < 0
    return int(np.flatnonzero(wrong)[0])


@kernel
def _count_invalid(loss, binary):  # type: ignore[no-untyped-def]
    """Return the number of invalid losses; non-finite values are invalid."""
    count = 0
    if binary:
        for i in range(loss.size):
            count += (loss[i] != 0.0) & (loss[i] != 1.0)  # no branch: the processor predicts none
    else:
        for i in range(loss.size):
            count += 1 - ((loss[i] >= 0.0) & (loss[i] <= LARGEST))
    return count


def scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `values` times the power of 2 that brings the largest absolute value to [0.5, 1).

    Zeros stay. Multiplying by a power of 2 changes no digit, so results from values of ordinary
    size do not change; squares of very large values would overflow, and of very small ones vanish.
    """
    return np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
