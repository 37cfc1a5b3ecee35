"""Q statistic: log ratio of two learners' accumulated losses, and its standard error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_memory
from repro.kernels.compiling import compiled, kernel
from repro.kernels.fading import fade_pair
from repro.metrics._pairs import (
    PairSums,
    as_loss_pair,
    check_loss,
    scaled,
)
from repro.metrics.estimators import fading_error, sliding_error
from repro.metrics.memory import sum_of_squared_weights

__all__ = ["QStatistic", "q_standard_error", "q_statistic"]

BLOCK = 8192  # numbers in a block; two blocks fit into a processor's cache


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
        _faded_ratios(a, b, factor, ratios)
    else:
        _window_ratios(a, b, steps, ratios)
    return _signed_log(ratios)


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
        return float(_signed_log(np.array([_signed_ratio(*self._pair.sums)]))[0])


def q_standard_error(
    loss_a: ArrayLike, loss_b: ArrayLike, alpha: float | None = None, window: int | None = None
) -> NDArray[np.float64]:
    r"""Standard error of `q_statistic` at every step, with the same memory; shape (n,).

    .. math:: \text{s.e.}^2(Q_i) = \sum_{k \le i} v_{ik}^2
              \Bigl(\frac{L_k(A)}{S_i^A} - \frac{L_k(B)}{S_i^B}\Bigr)^2

    where :math:`S_i = \sum_k v_{ik} L_k`, and the weights :math:`v_{ik}` are 1 or
    :math:`\alpha^{i-k}`. This is the delta method for the logarithm of a ratio. The two losses of a
    pair may depend on each other, but not on earlier pairs: where losses depend on earlier ones, as
    forecast errors of one day do, the standard error is too small. Q divided by it is nearly
    standard normal at any *one* step if the learners are equally good, and on 0/1 losses its square
    is close to McNemar's statistic. It is nan where a learner has no loss.

    It is not in Gama, Sebastião and Rodrigues (2013), who read Q by its sign and size.

    Parameters
    ----------
    loss_a, loss_b, alpha, window : as in `q_statistic`, and with the same errors.

    >>> q_standard_error([1, 0, 1, 0], [0, 1, 0, 1]).round(3).tolist()
    [nan, 1.414, 1.225, 1.0]
    """
    a, b = (scaled(loss) for loss in as_loss_pair(loss_a, loss_b))
    factor, width = as_memory(alpha, window, a.size)
    squares = sum_of_squared_weights(a.size, window=window, alpha=alpha)
    if window is not None:
        means = [sliding_error(x, width) for x in (a, b, a * a, a * b, b * b)]
    else:
        means = [fading_error(x, factor) for x in (a, b)]
        means += [fading_error(x, factor**2) for x in (a * a, a * b, b * b)]
    mean_a, mean_b, aa, ab, bb = means
    both_err = (mean_a > 0) & (mean_b > 0)
    inverse_a, inverse_b = (1 / np.where(both_err, m, np.nan) for m in (mean_a, mean_b))
    within = aa * inverse_a**2 - 2 * ab * inverse_a * inverse_b + bb * inverse_b**2
    return np.asarray(np.sqrt(np.maximum(within, 0.0) * squares))


@kernel
def _faded_ratios(a, b, alpha, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n,) with `_signed_ratio` of the sums S_i = x_i + alpha S_(i-1) of both."""
    total_a = total_b = 0.0
    for i in range(a.size):
        if alpha < 1.0:
            total_a, total_b = fade_pair(total_a, total_b, alpha)
        total_a += a[i]
        total_b += b[i]
        out[i] = _signed_ratio(total_a, total_b)


@compiled
def _window_ratios(a, b, window, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n,) with `_signed_ratio` of the sums of the last `window` values of both.

    It adds block by block, as `sliding_error` does, so a sum of zeros is exactly 0.
    """
    tail = np.zeros((2, min(window, a.size) + 1))
    for start in range(0, a.size, window):
        stop, head_a, head_b = min(start + window, a.size), 0.0, 0.0
        for i in range(start, stop):
            head_a += a[i]
            head_b += b[i]
            old = i - start + 1
            out[i] = _signed_ratio(head_a + tail[0, old], head_b + tail[1, old])
        if stop < a.size:
            for j in range(window - 1, -1, -1):
                tail[0, j] = tail[0, j + 1] + a[start + j]
                tail[1, j] = tail[1, j + 1] + b[start + j]


@kernel
def _signed_ratio(a, b):  # type: ignore[no-untyped-def]
    """Return a / b where a >= b, and -b / a elsewhere; `_signed_log` turns it into log(a / b)."""
    return a / b if a >= b else -(b / a)


def _signed_log(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
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
