"""What comparisons of two learners share: losses in pairs, and sums of them that lose no digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, as_numbers, shown
from repro.kernels.compiling import compiled, kernel
from repro.metrics._windows import WindowSum

__all__ = [
    "PairSums",
    "as_loss_pair",
    "check_loss",
    "fade",
    "faded_ratios",
    "signed_log",
    "signed_ratio",
    "window_ratios",
]

SMALL, TINY = 1e-200, 1e-300  # arithmetic below 1e-308 takes a hundred times as long
LARGEST = np.finfo(np.float64).max
BLOCK = 8192  # numbers that fit into a processor's cache together


def as_loss_pair(
    loss_a: ArrayLike, loss_b: ArrayLike, binary: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two arrays of losses >= 0 (or 0 and 1 only) of equal length."""
    a, b = as_numbers(loss_a, name="loss_a"), as_numbers(loss_b, name="loss_b")
    if a.size != b.size:
        raise ValueError(f"loss_b must be as long as loss_a, {a.size}; got {b.size}")
    for name, loss in (("loss_a", a), ("loss_b", b)):
        if _bad(loss, binary):  # all rules in one pass: which one it was is asked afterwards
            bad = _first_that_is_none(as_losses(loss, name=name), binary)
            rule = "hold 0 and 1 only" if binary else "be >= 0"
            raise ValueError(f"{name} must {rule}; got {loss[bad]} at index {bad}")
    return a, b


def check_loss(loss: float, *, name: str, binary: bool = False) -> float:
    """Return one `loss` if it is one."""
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
            faded = fade(*self.sums, self.alpha) if self.alpha < 1.0 else self.sums
            self.sums = a + faded[0], b + faded[1]
            return
        for window, value in zip(self._windows, (a, b), strict=True):
            window.add(value)
        self.sums = self._windows[0].value, self._windows[1].value


@compiled
def fade(a, b, alpha):  # type: ignore[no-untyped-def]
    """Both sums times `alpha`; not where both are next to nothing, so that their ratio stays."""
    if max(a, b) > SMALL:
        a, b = a * alpha, b * alpha
        a, b = a if a > TINY else 0.0, b if b > TINY else 0.0
    return a, b


@kernel
def faded_ratios(a, b, alpha, out):  # type: ignore[no-untyped-def]
    """`signed_ratio` of the sums S_i = x_i + alpha S_(i-1) of both, shape (n,)."""
    total_a = total_b = 0.0
    for i in range(a.size):
        if alpha < 1.0:
            total_a, total_b = fade(total_a, total_b, alpha)
        total_a += a[i]
        total_b += b[i]
        out[i] = signed_ratio(total_a, total_b)


@compiled
def window_ratios(a, b, window, out):  # type: ignore[no-untyped-def]
    """`signed_ratio` of the sums of the last `window` values of both, shape (n,).

    Block by block, as in `_windows`: a sum of zeros is 0.
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
    """The larger over the smaller, negative when that is b: log(a / b) by `signed_log`."""
    return a / b if a >= b else -(b / a)


def signed_log(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """The `ratios` (n,), in place, as log(a / b): exactly its negative when a and b change places.

    numpy takes several logarithms at a time, compiled code one by one. Block by block, so that
    what lies between the steps stays in the cache.
    """
    for start in range(0, ratios.size, BLOCK):
        block = ratios[start : start + BLOCK]
        _put_with_signs(np.log(np.abs(block)), block)
    return ratios


@kernel
def _put_with_signs(values, signed):  # type: ignore[no-untyped-def]
    for i in range(signed.size):
        signed[i] = -values[i] if signed[i] < 0.0 else values[i]


def _first_that_is_none(loss: NDArray[np.float64], binary: bool) -> int:
    if not _bad(loss, binary):
        return -1
    wrong = (loss != 0) & (loss != 1) if binary else loss < 0
    return int(np.flatnonzero(wrong)[0])


@kernel
def _bad(loss, binary):  # type: ignore[no-untyped-def]
    """How many of the losses are none; what is not finite is none."""
    count = 0
    if binary:
        for i in range(loss.size):
            count += (loss[i] != 0.0) & (loss[i] != 1.0)  # without branches to guess
    else:
        for i in range(loss.size):
            count += 1 - ((loss[i] >= 0.0) & (loss[i] <= LARGEST))
    return count
