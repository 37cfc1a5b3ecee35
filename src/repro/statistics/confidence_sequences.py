r"""Statements that hold at every time at once: of a mean loss, and of two learners on a stream.

A test or an interval for one sample size is wrong more often than it says if one looks at it again
and again. A *confidence sequence* covers at all times with the probability that it states, and an
*e-process* exceeds :math:`1 / \alpha` at any time with probability :math:`\alpha` at most. So one
may look after each example, stop at any of them, and go on later.

Let :math:`x_t` be a loss, or a difference of losses, with values in an interval of length c. The
target is the mean of its conditional expectations so far,

.. math:: \mu_t = \frac1t \sum_{i \le t} E(x_i \mid x_1, \ldots, x_{i-1}),

which may change with the concept and the learner. Neither independent examples nor a fixed
distribution are assumed: temporal dependence and drift change what :math:`\mu_t` is, not whether it
is covered. For every predictable guess :math:`\hat x_i` of the next value and every
:math:`\lambda \in [0, 1/c)`,

.. math:: \exp\Bigl(\lambda t (\bar x_t - \mu_t) - \psi(\lambda) V_t\Bigr),\qquad
          V_t = \sum_{i \le t} (x_i - \hat x_i)^2,\qquad
          \psi(\lambda) = \frac{-\log(1 - c \lambda) - c \lambda}{c^2},

is a supermartingale that starts at 1 (Howard, Ramdas, McAuliffe and Sekhon 2021, Annals of
Statistics 49, 1055-1080, Theorem 4). The guess is the mean of the values so far. For two learners
this is the method of Choe and Ramdas (2024), Operations Research 72, 1368-1387.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_number, shown
from repro.statistics._bets import Bets
from repro.statistics._boundary_tables import fill_sequence
from repro.statistics._sequence_rules import BOUNDS, Rules, check_losses
from repro.statistics.estimates import Floats

__all__ = ["ConfidenceSequence", "confidence_sequence"]


def confidence_sequence(
    loss: ArrayLike,
    confidence: float = 0.95,
    *,
    bounds: tuple[float, float] = BOUNDS,
    form: str = "mixture",
) -> Floats:
    r"""Interval of the mean loss so far that covers at every example at once; shape (n, 2).

    ``mixture`` and ``stitched`` cover the running mean of conditional expectations, which drift may
    change. *mixture* integrates over :math:`\lambda` with a gamma density, which is tight where
    :math:`V_t` is 50 squares of the range, after a few hundred examples of a learner that errs in a
    fifth of them. *stitched* is a closed formula, wider by up to a half, on long streams by little,

    .. math:: \bar x_t \pm \frac1t \bigl(k_1 \sqrt{v\,\ell(v)} + k_2\,c\,\ell(v)\bigr),\qquad
              \ell(v) = 1.4 \log\log(2 v / c^2) + \log\frac{2\,\zeta(1.4)}{\alpha \log^{1.4} 2},

    with :math:`v = \max(V_t, c^2)`, :math:`k_1 = (2^{1/4} + 2^{-1/4}) / \sqrt 2` and
    :math:`k_2 = (\sqrt 2 + 1) / 2` (Howard and others 2021, Eq. 10). *betting* is tighter than
    both, and assumes **one conditional mean at all times**: with drift it can be empty or wrong. It
    is the hedged capital of Waudby-Smith and Ramdas (2024), JRSS B 86, 1-27, Theorem 3, on 1000
    means, and an interval never grows.

    Parameters
    ----------
    loss : shape (n,); nan where the label has not come: there the interval stays as it is.
    confidence : probability that all intervals cover, in (0, 1).
    bounds : least and greatest loss there can be. The promise rests on them, not on what was seen.
    form : "mixture", "stitched" or "betting".

    Raises ValueError for losses outside of `bounds`, and for other arguments out of range. Without
    a loss the interval is that of the bounds. Examples have no weights: take out what should not
    count.

    >>> interval = confidence_sequence([0.0, 1.0] * 500)
    >>> interval[[0, 99, 999]].round(2).tolist()
    [[0.0, 1.0], [0.31, 0.69], [0.45, 0.55]]
    """
    rules = Rules.of(confidence, bounds, form)
    losses = check_losses(loss, rules.bounds, name="loss")
    intervals = np.empty((losses.size, 2))
    if form == "betting":
        _fill_betting(losses, rules, intervals)
    else:
        fill_sequence(losses, rules.bounds, rules.table, intervals)
    return intervals


class ConfidenceSequence:
    """Online twin of `confidence_sequence`: three numbers, with bets one for each of 1000 means.

    >>> online = ConfidenceSequence()
    >>> for loss in [0.0, 1.0] * 500:
    ...     online.update(loss)
    >>> [round(bound, 2) for bound in online.interval]
    [0.45, 0.55]
    """

    def __init__(
        self,
        confidence: float = 0.95,
        *,
        bounds: tuple[float, float] = BOUNDS,
        form: str = "mixture",
    ) -> None:
        self._rules = Rules.of(confidence, bounds, form)
        self.n = 0  #: losses so far
        self._sum = self._squares = 0.0
        self._bets = Bets(self._rules.level) if form == "betting" else None

    def update(self, loss: float) -> None:
        """Take in one loss; nan, a label that has not come, changes nothing."""
        if isinstance(loss, float | np.floating) and np.isnan(loss):
            return
        number, (low, high) = as_number(loss, name="loss"), self._rules.bounds
        if not low <= number <= high:
            raise ValueError(f"loss must lie in [{low:g}, {high:g}]; got {shown(loss)}")
        x = (number - low) / (high - low)
        self.n += 1
        self._squares += (x - (0.5 + self._sum) / self.n) ** 2
        self._sum += x
        if self._bets is not None:
            self._bets.place(x)

    @property
    def mean(self) -> float:
        """Mean of the losses so far; nan before the first."""
        low, high = self._rules.bounds
        return low + (high - low) * self._sum / self.n if self.n else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The interval now."""
        low, high = self._rules.bounds
        if self._bets is not None:
            inside = self._bets.interval
        elif self.n:
            reach = self._rules.reach(self._squares) / self.n
            inside = max(self._sum / self.n - reach, 0.0), min(self._sum / self.n + reach, 1.0)
        else:
            inside = 0.0, 1.0
        return low + (high - low) * inside[0], low + (high - low) * inside[1]


def _fill_betting(losses: Floats, rules: Rules, intervals: Floats) -> None:
    bets, (low, high) = Bets(rules.level), rules.bounds
    now = low, high
    for i, loss in enumerate(losses.tolist()):
        if not np.isnan(loss):
            bets.place((loss - low) / (high - low))
            lower, upper = bets.interval
            now = low + (high - low) * lower, low + (high - low) * upper
        intervals[i] = now
