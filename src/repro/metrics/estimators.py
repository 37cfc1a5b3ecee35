r"""Estimators of the error of a learner from its losses, at every time step.

Gama, Sebastião and Rodrigues (2013), Algorithms 1 to 3. Each is a function on arrays and, beside
it, a small class for use online; both agree at every step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction
from repro._compiled import NEGLIGIBLE, compiled, kernel

__all__ = [
    "FadingError",
    "HoldoutError",
    "PrequentialError",
    "SlidingError",
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
    losses = as_losses(loss)
    error = np.empty(losses.size)
    _prequential(losses, error)
    return error


def sliding_error(loss: ArrayLike, window: int = 500) -> NDArray[np.float64]:
    r"""Mean of the last `window` losses; of all of them before there are so many.

    .. math:: P^w_i = \frac{1}{\min(w, i)} \sum_{k=\max(1, i-w+1)}^{i} L_k

    `loss` has shape (n,), and so has the result. Paper 2, Algorithm 2. Paper 1's Eq. 3 adds
    w + 1 terms and divides by w: an erratum, w terms are meant.

    >>> sliding_error([1, 0, 0, 1], window=2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    losses = as_losses(loss)
    error = np.empty(losses.size)
    _sliding(losses, check_count(window, name="window"), error)
    return error


def fading_error(loss: ArrayLike, alpha: float = 0.999) -> NDArray[np.float64]:
    r"""Mean of the losses so far, weighted by age with the fading factor `alpha`.

    .. math:: P_i = S_i / B_i,\quad S_i = L_i + \alpha S_{i-1},\quad B_i = 1 + \alpha B_{i-1}

    `loss` has shape (n,), and so has the result. A loss *k* steps old weighs ``alpha**k``: 1
    forgets nothing. (river's `fading_factor` and pandas' `alpha` are 1 - alpha.) Paper 2,
    Algorithm 3.

    >>> fading_error([1, 0, 0], alpha=0.5).round(3).tolist()
    [1.0, 0.333, 0.143]
    """
    losses = as_losses(loss)
    error = np.empty(losses.size)
    _fading(losses, check_fraction(alpha, name="alpha"), error)
    return error


def holdout_error(loss: ArrayLike) -> NDArray[np.float64]:
    r"""Mean loss over each of several test sets: one error for each time a learner was tested.

    .. math:: H_i = \frac{1}{m} \sum_{k=1}^{m} L_{ik}

    `loss` has shape (times, m): row i holds the losses on a test set of m examples that the
    learner has not seen, at the i-th time; the result has shape (times,). Paper 2, Sec. 3.2.

    >>> holdout_error([[0, 1], [0, 0]]).tolist()
    [0.5, 0.0]
    """
    losses = np.asarray(loss, dtype=np.float64)
    if losses.ndim != 2 or 0 in losses.shape:
        raise ValueError(f"loss must have shape (times, m), times, m >= 1; got {losses.shape}")
    as_losses(losses.ravel())
    return losses.mean(axis=1)


class PrequentialError:
    """Online twin of `prequential_error`: two numbers of state."""

    def __init__(self) -> None:
        self._total, self._count = 0.0, 0

    def update(self, loss: float) -> None:
        """Take in one loss."""
        self._total += loss
        self._count += 1

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._total / self._count if self._count else float("nan")


class SlidingError:
    """Online twin of `sliding_error`: a ring of `window` losses."""

    def __init__(self, window: int = 500) -> None:
        self.window = check_count(window, name="window")
        self._ring, self._count, self._total = np.zeros(self.window), 0, 0.0

    def update(self, loss: float) -> None:
        """Take in one loss and let go of the oldest."""
        place = self._count % self.window
        self._total += loss - self._ring[place]
        self._ring[place] = loss
        self._count += 1
        if self._count % self.window == 0:  # as in _sliding: rounding does not build up
            self._total = _sum(self._ring)

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._total / min(self._count, self.window) if self._count else float("nan")


class FadingError:
    """Online twin of `fading_error`: two numbers of state."""

    def __init__(self, alpha: float = 0.999) -> None:
        self.alpha = check_fraction(alpha, name="alpha")
        self._total = self._weight = 0.0

    def update(self, loss: float) -> None:
        """Take in one loss."""
        total = loss + self.alpha * self._total
        self._total = 0.0 if -NEGLIGIBLE < total < NEGLIGIBLE else total
        self._weight = 1.0 + self.alpha * self._weight

    @property
    def value(self) -> float:
        """The error now; nan before the first loss."""
        return self._total / self._weight if self._weight else float("nan")


class HoldoutError:
    """Online twin of `holdout_error`: the mean of the test set that was last handed in."""

    def __init__(self) -> None:
        self.value = float("nan")  #: the error now; nan before the first test set

    def update(self, loss: ArrayLike) -> None:
        """Take in the losses (m,) on a whole test set."""
        self.value = float(as_losses(loss).mean())


# The kernels fill arrays that numpy made. It asks the system for large pages, numba does not: for
# ten million losses, fetching the pages of the result takes 0.5 ns a loss so, and 2.4 ns else.


@kernel
def _prequential(loss, error):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(loss.size):
        total += loss[i]
        error[i] = total / (i + 1)


@kernel
def _sliding(loss, window, error):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(min(window, loss.size)):
        total += loss[i]
        error[i] = total / (i + 1)
    for start in range(window, loss.size, window):
        stop, fresh = min(start + window, loss.size), 0.0
        for i in range(start, stop):
            fresh += loss[i]
            total += loss[i] - loss[i - window]
            error[i] = total / window
        if stop == start + window:
            # A fresh sum once a window: rounding does not build up along the stream.
            total = fresh
            error[stop - 1] = total / window


@kernel
def _fading(loss, alpha, error):  # type: ignore[no-untyped-def]
    total = weight = 0.0
    for i in range(loss.size):
        total = loss[i] + alpha * total
        if abs(total) < NEGLIGIBLE:
            total = 0.0
        weight = 1.0 + alpha * weight
        error[i] = total / weight


@compiled
def _sum(values):  # type: ignore[no-untyped-def]
    total = 0.0
    for value in values:
        total += value
    return total
