r"""What predictions show that their maker knew: labels before they were due, or the concept.

On the streams of the league the label of an example is drawn with probabilities that its attributes
and its time decide, whatever was drawn before. A prediction :math:`\hat y_t` that was made without
the label :math:`y_t` is right with the probability :math:`p_t(\hat y_t)`, so

.. math:: S = \sum_t \bigl(1[\hat y_t = y_t] - p_t(\hat y_t)\bigr)

is a martingale. With two classes :math:`p_t` is one minus the Bayes risk for the optimal label and
the risk for the other one; with more classes the risk, or one minus the risk if that is less, is a
bound. By Freedman's inequality (1975), Annals of Probability 3, 100-118,

.. math:: P(S \ge s) \le \exp\Bigl(-\frac{s^2}{2 (v + s / 3)}\Bigr), \qquad
          v = \sum_t r_t (1 - r_t)

with the Bayes risks r. The same holds for the label of the k-th example after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.streams.stream import Stream

__all__ = ["Surplus", "extra_right", "extra_score", "first_right", "in_all"]

Labels = NDArray[np.int64]
Draw = tuple[str, int]  #: name of a stream and seed


class Surplus(NamedTuple):
    """How much more was seen than can be expected, and a bound of the variance of that."""

    extra: float
    variance: float

    @property
    def p_value(self) -> float:
        """Greatest probability of so much by chance (Freedman's inequality).

        >>> Surplus(0.0, 10.0).p_value, round(Surplus(30.0, 100.0).p_value, 3)
        (1.0, 0.017)
        """
        if self.extra <= 0:
            return 1.0
        return float(np.exp(-(self.extra**2) / (2 * (self.variance + self.extra / 3))))


def in_all(draws: Mapping[Draw, Stream], parts: Mapping[Draw, Surplus]) -> Surplus:
    """The sum of the `parts` over groups of `draws`; of draws with the same labels the mean.

    Such draws are not independent. By Hölder's inequality the mean of their sums keeps the bound
    with the mean of their variances.
    """
    extra = variance = 0.0
    for group in _with_same_labels(draws, parts):
        extra += float(np.mean([parts[key].extra for key in group]))
        variance += float(np.mean([parts[key].variance for key in group]))
    return Surplus(extra, variance)


def _with_same_labels(draws: Mapping[Draw, Stream], keys: Iterable[Draw]) -> list[list[Draw]]:
    groups: dict[tuple[int, bytes], list[Draw]] = {}
    for key in keys:
        groups.setdefault((key[1], draws[key].y.tobytes()), []).append(key)
    return [*groups.values()]


def extra_right(stream: Stream, y_pred: Labels, ahead: int = 0) -> Surplus:
    """Predictions that are the label `ahead` examples later, beyond those that can be expected.

    Parameters
    ----------
    stream : with its truth.
    y_pred : predicted labels, (n,).
    ahead : 0 for the example itself; more than 0 for two classes only, since the bound for more
        classes is too wide to see anything.

    >>> from repro.streams import SEA
    >>> drawn = SEA(n=2000).sample(0)
    >>> extra_right(drawn, drawn.optimal).p_value > 0.01, extra_right(drawn, drawn.y).p_value < 1e-9
    (True, True)
    """
    y, best, risk = _truth(stream, ahead)
    guess = y_pred[: len(y)]
    chance = np.where(guess == best, 1 - risk, np.minimum(risk, 1 - risk))
    extra = np.count_nonzero(guess == y) - float(chance.sum())
    return Surplus(extra, float(np.sum(risk * (1 - risk))))


def extra_score(stream: Stream, scores: NDArray[np.float64], ahead: int = 0) -> Surplus:
    """Sum of the scores of the labels `ahead`, beyond what can be expected; for two classes.

    `scores` have the shape (n, 2) and add up to 1. Labels may be honest where scores are not.
    """
    y, best, risk = _truth(stream, ahead)
    rows, given = np.arange(len(y)), scores[: len(y)]
    expected = (1 - risk) * given[rows, best] + risk * given[rows, 1 - best]
    return Surplus(float(np.sum(given[rows, y] - expected)), float(np.sum(risk * (1 - risk))))


def _truth(stream: Stream, ahead: int) -> tuple[Labels, Labels, NDArray[np.float64]]:
    """Label, best label and risk of the examples from the one after `ahead` on."""
    best, risk = np.asarray(stream.optimal), np.asarray(stream.bayes_risk)
    return stream.y[ahead:], best[ahead:], risk[ahead:]


def first_right(
    draws: Mapping[Draw, Stream], y_pred: Mapping[Draw, Labels]
) -> tuple[float, float, float]:
    r"""How often the first prediction of a stream is the best label, and the chance of that.

    A learner that does not look at attributes before it has seen a label agrees with a share of the
    best labels that is at most :math:`q`, that of the class that is the best one most often; who
    knows the concept, with more. Draws with the same seed and the same labels are one group, with
    the mean g of their agreements; for G independent groups, by Hoeffding's inequality (1963),

    .. math:: P \le \exp\Bigl(-\frac{2}{G} \bigl(\textstyle\sum (g - q)\bigr)^2\Bigr).

    Returns the agreements, the number that is expected at most, and P.
    """
    agrees, shares = {}, {}
    for key, stream in draws.items():
        best = np.asarray(stream.optimal)
        agrees[key] = float(y_pred[key][0] == best[0])
        shares[key] = float(np.bincount(best).max() / best.size)
    groups = _with_same_labels(draws, draws)
    extra = sum(float(np.mean([agrees[k] - shares[k] for k in group])) for group in groups)
    p_value = float(np.exp(-2 * extra**2 / len(groups))) if extra > 0 else 1.0
    return sum(agrees.values()), sum(shares.values()), p_value
