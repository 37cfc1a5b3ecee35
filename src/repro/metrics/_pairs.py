"""Shared parts of the comparisons of two learners: pairs of losses, and exact sums of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, as_numbers, shown
from repro.kernels.compiling import compiled, kernel
from repro.kernels.fading import fade_pair
from repro.metrics._windows import WindowSum

__all__ = [
    "PairSums",
    "as_loss_pair",
    "check_loss",
    "faded_ratios",
    "signed_log",
    "signed_ratio",
    "window_ratios",
]

LARGEST = np.finfo(np.float64).max
BLOCK = 8192  # numbers in a block; two blocks fit into a processor's cache


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


@kernel
def faded_ratios(a, b, alpha, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n,) with `signed_ratio` of the sums S_i = x_i + alpha S_(i-1) of both."""
    total_a = total_b = 0.0
    for i in range(a.size):
        if alpha < 1.0:
            total_a, total_b = fade_pair(total_a, total_b, alpha)
        total_a += a[i]
        total_b += b[i]
        out[i] = signed_ratio(total_a, total_b)


@compiled
def window_ratios(a, b, window, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n,) with `signed_ratio` of the sums of the last `window` values of both.

    It adds block by block, as `_windows` does, so a sum of zeros is exactly 0.
    """
    tail = np.zeros((2, min(window, a.size) + 1))
    for start in range(0, a.size, window):
        stop, head_a, head_b = min(start + window, a.size), 0.0, 0.0
        for i in range(start, stop):
            head_a += a[i]
            head_b += b[i]
            old = i - start + 1
            out[i] = signed_ratio(head_a + tail[0, old], head_b + tail[1, old])
        if stop < a.size:
            for j in range(window - 1, -1, -1):
                tail[0, j] = tail[0, j + 1] + a[start + j]
                tail[1, j] = tail[1, j + 1] + b[start + j]


@kernel
def signed_ratio(a, b):  # type: ignore[no-untyped-def]
    """Return a / b where a >= b, and -b / a elsewhere; `signed_log` turns it into log(a / b)."""
    return a / b if a >= b else -(b / a)


def signed_log(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace the `ratios` (n,) by log(a / b), in place, and return them.

    Swapping a and b changes the sign and nothing else. numpy computes several logarithms at a
    time and compiled code only one; the work is cut into blocks that stay in the cache.
    """
    for start in range(0, ratios.size, BLOCK):
        block = ratios[start : start + BLOCK]
        _put_with_signs(np.log(np.abs(block)), block)
    return ratios


@kernel
def _put_with_signs(values, signed):  # type: ignore[no-untyped-def]
    for i in range(signed.size):
        signed[i] = -values[i] if signed[i] < 0.0 else values[i]


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
