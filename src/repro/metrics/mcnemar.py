"""McNemar's test of two learners along a stream, with a sign that says which one is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_memory
from repro.kernels.compiling import kernel
from repro.kernels.fading import fade_pair
from repro.metrics._pairs import PairSums, as_loss_pair, check_loss

__all__ = ["McNemar", "mcnemar"]


def mcnemar(
    loss_a: ArrayLike, loss_b: ArrayLike, alpha: float | None = None, window: int | None = None
) -> NDArray[np.float64]:
    r"""Signed McNemar statistic of two learners, at every step.

    .. math:: M = \mathrm{sign}(n_{01} - n_{10}) \frac{(n_{01} - n_{10})^2}{n_{01} + n_{10}}

    where :math:`n_{01}` counts the examples that A gets wrong and B right, and :math:`n_{10}` those
    that A gets right and B wrong. M is positive where B is better, and nan until the two first
    differ. The result has shape (n,); with neither `alpha` nor `window`, or with ``alpha=1``, its
    last value is the statistic of the whole stream. Gama, Sebastião and Rodrigues (2013), Sec. 4.1,
    without a continuity correction.

    With equally good learners and independent examples, :math:`|M|` has a :math:`\chi^2_1`
    distribution at any *one* step: it is above 6.635 with probability .01. That does not hold for
    the largest value of many steps. Nor does it hold for faded counts: there :math:`|M|` is about
    :math:`(1 + \alpha^i) / (1 + \alpha)` times :math:`\chi^2_1`, in the end half of it, so the test
    is cautious.

    Parameters
    ----------
    loss_a, loss_b : losses of A and B, 0 or 1, both of shape (n,).
    alpha : fading factor of the counts, in (0, 1].
    window : count the last so many steps only. By default all steps so far count.

    Raises ValueError for losses that are empty, differ in number or are not 0 or 1, for an `alpha`
    outside (0, 1], for a `window` that is not a whole number >= 1, and for both at once.

    >>> mcnemar([0, 1, 1, 1], [0, 0, 0, 1]).tolist()
    [nan, 1.0, 2.0, 2.0]
    >>> mcnemar([0, 1, 1, 1], [0, 0, 0, 1], window=2).tolist()
    [nan, 1.0, 2.0, 1.0]
    """
    a, b = as_loss_pair(loss_a, loss_b, binary=True)
    factor, steps = as_memory(alpha, window, a.size)
    statistics = np.empty(a.size)
    _statistics(a, b, factor, steps, statistics)
    return statistics


class McNemar:
    """Online twin of `mcnemar`: its state is two numbers, or at most two windows of pairs.

    >>> online = McNemar()
    >>> for pair in [(1, 0), (1, 0), (1, 1)]:
    ...     online.update(*pair)
    >>> online.value
    2.0
    """

    def __init__(self, alpha: float | None = None, window: int | None = None) -> None:
        self.alpha, _ = as_memory(alpha, window, 1)
        self.window = window
        self._pair = PairSums(self.alpha, window)

    def update(self, loss_a: float, loss_b: float) -> None:
        """Take in one loss of each learner, 0 or 1."""
        a = check_loss(loss_a, name="loss_a", binary=True)
        b = check_loss(loss_b, name="loss_b", binary=True)
        self._pair.add(a * (1 - b), b * (1 - a))

    @property
    def value(self) -> float:
        """The statistic now; nan until the two first differ."""
        return float(_signed(*self._pair.sums))


@kernel
def _signed(n01, n10):  # type: ignore[no-untyped-def]
    return (n01 - n10) * abs(n01 - n10) / (n01 + n10) if n01 + n10 > 0 else np.nan


@kernel
def _statistics(a, b, alpha, window, out):  # type: ignore[no-untyped-def]
    n01 = n10 = 0.0
    for i in range(a.size):
        if alpha < 1.0:
            n01, n10 = fade_pair(n01, n10, alpha)
        n01 += a[i] * (1.0 - b[i])
        n10 += b[i] * (1.0 - a[i])
        if i >= window:  # counts are whole numbers: subtracting them is exact
            j = i - window
            n01 -= a[j] * (1.0 - b[j])
            n10 -= b[j] * (1.0 - a[j])
        out[i] = _signed(n01, n10)
