r"""Estimators of the error of a learner from its losses, at every time step.

Gama, Sebastião and Rodrigues (2013), Algorithms 1 to 3. Each estimator is a function on arrays
and a small class for use online; both agree at every step.

Sums of the last values use additions only. Adding each new value and subtracting the oldest would
keep the rounding errors of all values ever seen: a small loss after a large one would be lost, and
a sum of losses >= 0 could fall below 0. Instead the series is cut into blocks as long as the
window. The last `window` values are then the beginning of this block, summed forwards, and the end
of the block before, summed backwards.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, check_count, check_fraction, shown
from repro.kernels.compiling import kernel
from repro.kernels.fading import faded_sum, faded_weight

__all__ = [
    "FadingError",
    "HoldoutError",
    "PrequentialError",
    "SlidingError",
    "WindowSum",
    "fading_error",
    "holdout_error",
    "prequential_error",
    "sliding_error",
]


def prequential_error(loss: ArrayLike) -> NDArray[np.float64]:
    r"""Mean of all losses so far (paper 1, Eq. 1; paper 2, Algorithm 1).

    .. math:: P_i = \frac{1}{i} \sum_{k=1}^{i} L_k

    `loss` has shape (n,), and so has the result.

    >>> prequential_error([1, 0, 0, 1]).round(3).tolist()
    [1.0, 0.5, 0.333, 0.5]
    """
    return running_means(as_losses(loss))


def sliding_error(loss: ArrayLike, window: int = 500) -> NDArray[np.float64]:
    r"""Mean of the last `window` losses, or of all losses while there are fewer.

    .. math:: P^w_i = \frac{1}{\min(w, i)} \sum_{k=\max(1, i-w+1)}^{i} L_k

    `loss` has shape (n,), and so has the result. Paper 2, Algorithm 2. Paper 1's Eq. 3 adds
    w + 1 terms and divides by w; that is an erratum, w terms are meant. The sums only add and never
    subtract: a mean of losses >= 0 stays >= 0, and a small loss counts beside a large one.

    >>> sliding_error([1, 0, 0, 1], window=2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    return window_means(as_losses(loss), check_count(window, name="window"))


def fading_error(loss: ArrayLike, alpha: float = 0.999) -> NDArray[np.float64]:
    r"""Mean of the losses so far, weighted by age with the fading factor `alpha`.

    .. math:: P_i = S_i / B_i,\quad S_i = L_i + \alpha S_{i-1},\quad B_i = 1 + \alpha B_{i-1}

    `loss` has shape (n,), and so has the result. A loss *k* steps old has the weight ``alpha**k``;
    with 1 nothing is forgotten. (river's `fading_factor` and pandas' `alpha` are 1 - alpha.)
    Paper 2, Algorithm 3.

    >>> fading_error([1, 0, 0], alpha=0.5).round(3).tolist()
    [1.0, 0.333, 0.143]
    """
    losses = as_losses(loss)
    error = np.empty(losses.size)
    _fading(losses, check_fraction(alpha, name="alpha"), error)
    return error


def holdout_error(loss: ArrayLike) -> NDArray[np.float64]:
    r"""Mean loss on each of several test sets: one error for each time a learner was tested.

    .. math:: H_i = \frac{1}{m} \sum_{k=1}^{m} L_{ik}

    `loss` has shape (times, m): row i holds the losses of the i-th test, on m examples that the
    learner has not seen. The result has shape (times,). Paper 2, Sec. 3.2.

    >>> holdout_error([[0, 1], [0, 0]]).tolist()
    [0.5, 0.0]
    """
    rule = "loss must have shape (times, m), times, m >= 1"
    try:
        shape = np.asarray(loss).shape
    except (TypeError, ValueError) as error:  # rows of different length
        raise ValueError(f"{rule}; got {shown(loss)}") from error
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"{rule}; got {shape}")
    with np.errstate(over="ignore"):
        return as_losses(np.ravel(loss)).reshape(shape).mean(axis=1)


class PrequentialError:
    """Online twin of `prequential_error`: two numbers of state."""

    def __init__(self) -> None:
        self._total, self._count = 0.0, 0

    def update(self, loss: float) -> None:
        """Take in one loss."""
        self._total += as_number(loss, name="loss")
        self._count += 1

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._total / self._count if self._count else float("nan")


class SlidingError:
    """Online twin of `sliding_error`: it keeps at most two windows of losses."""

    def __init__(self, window: int = 500) -> None:
        self.window = check_count(window, name="window")
        self._sum, self._count = WindowSum(self.window), 0

    def update(self, loss: float) -> None:
        """Take in one loss and drop the oldest."""
        self._sum.add(as_number(loss, name="loss"))
        self._count += 1

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._sum.value / min(self._count, self.window) if self._count else float("nan")


class FadingError:
    """Online twin of `fading_error`: two numbers of state."""

    def __init__(self, alpha: float = 0.999) -> None:
        self.alpha = check_fraction(alpha, name="alpha")
        self._total = self._weight = 0.0

    def update(self, loss: float) -> None:
        """Take in one loss."""
        self._total = faded_sum(as_number(loss, name="loss"), self._total, self.alpha)
        self._weight = faded_weight(self._weight, self.alpha)

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._total / self._weight if self._weight else float("nan")


class HoldoutError:
    """Online twin of `holdout_error`: the mean loss on the latest test set."""

    def __init__(self) -> None:
        self.value = float("nan")  #: the error now; nan before the first test set

    def update(self, loss: ArrayLike) -> None:
        """Take in the losses (m,) on one whole test set."""
        self.value = float(holdout_error([as_losses(loss)])[0])


@kernel
def _fading(loss, alpha, error):  # type: ignore[no-untyped-def]
    total = weight = 0.0
    for i in range(loss.size):
        total = faded_sum(loss[i], total, alpha)
        weight = faded_weight(weight, alpha)
        error[i] = total / weight


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
