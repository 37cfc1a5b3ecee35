"""How many times the loss of another a learner has: the Q statistic."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.metrics._kappa import as_memory
from repro.metrics._pairs import (
    PairSums,
    as_loss_pair,
    check_loss,
    faded_ratios,
    signed_log,
    signed_ratio,
    window_ratios,
)

__all__ = ["QStatistic", "q_statistic"]


def q_statistic(
    loss_a: ArrayLike, loss_b: ArrayLike, alpha: float | None = None, window: int | None = None
) -> NDArray[np.float64]:
    r"""Logarithm of the ratio of the losses that two learners have accumulated, at every step.

    .. math:: Q_i(A, B) = \log \frac{S_i^A}{S_i^B},\quad S_i = L_i + \alpha S_{i-1}

    Negative where A is better. `loss_a` and `loss_b` hold losses >= 0 and have shape (n,), and so
    has the result. The sums are of all losses so far; faded with `alpha` (a loss k steps old weighs
    ``alpha**k``), or of the last `window` steps, of all before there are so many. The last value
    with neither, or with ``alpha=1``, is that of the whole stream. Gama, Sebastião and Rodrigues
    (2013), Sec. 4.

    -inf where A has had no loss, inf where B has had none, and nan where neither has. Raises
    ValueError for losses that are empty, negative, not finite or not equally many, for `alpha`
    outside (0, 1], for a `window` that is no whole number >= 1, and for both at once.

    >>> q_statistic([0, 1, 0, 1], [0, 1, 1, 0]).round(3).tolist()
    [nan, 0.0, -0.693, 0.0]
    >>> q_statistic([0, 1, 0, 1], [0, 1, 1, 0], window=2).round(3).tolist()
    [nan, 0.0, -0.693, 0.0]
    """
    a, b = as_loss_pair(loss_a, loss_b)
    factor, steps = as_memory(alpha, window, a.size)
    ratios = np.empty(a.size)
    if window is None:
        faded_ratios(a, b, factor, ratios)
    else:
        window_ratios(a, b, steps, ratios)
    return signed_log(ratios)


class QStatistic:
    """Online twin of `q_statistic`: two numbers of state, or two windows of pairs at most.

    >>> online = QStatistic(alpha=0.5)
    >>> for pair in [(1, 1), (0, 1)]:
    ...     online.update(*pair)
    >>> round(online.value, 3)
    -1.099
    """

    def __init__(self, alpha: float | None = None, window: int | None = None) -> None:
        self.alpha, _ = as_memory(alpha, window, 1)
        self.window = window
        self._pair = PairSums(self.alpha, window)

    def update(self, loss_a: float, loss_b: float) -> None:
        """Take in one loss of each learner."""
        a, b = check_loss(loss_a, name="loss_a"), check_loss(loss_b, name="loss_b")
        self._pair.add(a, b)

    @property
    def value(self) -> float:
        """The statistic now; nan before the first loss of either."""
        return float(signed_log(np.array([signed_ratio(*self._pair.sums)]))[0])
