"""Q statistic: log ratio of two learners' accumulated losses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_memory
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
    r"""Log ratio of two learners' accumulated losses, at every step.

    .. math:: Q_i(A, B) = \log \frac{S_i^A}{S_i^B},\quad S_i = L_i + \alpha S_{i-1}

    It is negative where A is better, -inf while A has no loss, inf while B has none, and nan while
    neither has. The result has shape (n,); with neither `alpha` nor `window`, or with ``alpha=1``,
    its last value is the statistic of the whole stream. Gama, Sebastião and Rodrigues (2013),
    Sec. 4.

    Parameters
    ----------
    loss_a, loss_b : losses of A and B, >= 0, both of shape (n,).
    alpha : fading factor in (0, 1]: a loss k steps old has the weight ``alpha**k``. A faded sum
        below 1e-280 is 0, unless both are small.
    window : add the last so many losses only. By default the sums are of all losses so far.

    Raises ValueError for losses that are empty, negative, not finite or that differ in number, for
    an `alpha` outside (0, 1], for a `window` that is not a whole number >= 1, and for both at once.

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
    """Online twin of `q_statistic`: its state is two numbers, or at most two windows of pairs.

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
