r"""Estimators of the error of a learner from its losses, at every time step.

Gama, Sebastião and Rodrigues (2013), Algorithms 1 to 3. Each estimator is a function on arrays
and a small class for use online; both agree at every step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, check_count, check_fraction, shown
from repro.kernels.compiling import kernel
from repro.kernels.fading import faded_sum, faded_weight
from repro.metrics._windows import WindowSum, running_means, window_means

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
