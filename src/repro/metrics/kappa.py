r"""Kappa: accuracy beyond that of a baseline, which is chance, the majority, or no change.

Every measure is :math:`(p - p_b) / (1 - p_b)`, the share of a baseline's error that is avoided.
Paper 3: Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Machine Learning 98, 455-482. Its
decay is the weight of the present, and ours the weight of the past: its :math:`\alpha` is
``1 - alpha``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from repro._checks import as_memory, check_count
from repro.metrics._kappa import (
    as_label_pair,
    kappa_curve,
    relative_curve,
    running_majority,
)

__all__ = [
    "KappaTest",
    "kappa",
    "kappa_combined",
    "kappa_majority",
    "kappa_temporal",
    "kappa_test",
]

Measure = float | NDArray[np.float64]


def kappa(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None = None, window: int | None = None
) -> Measure:
    r"""Cohen's kappa: accuracy beyond that of the same predictions in random order.

    .. math:: \kappa = \frac{p - p_{ran}}{1 - p_{ran}},\quad
              p_{ran} = \sum_{c} P(y = c)\, P(\hat y = c)

    With neither `alpha` nor `window` the result is kappa of the whole stream, a float. Otherwise it
    is the curve (n,) of kappa at each step; with ``alpha=1`` it ends at kappa of the whole stream.
    (`q_statistic` and `mcnemar` are always curves.) Paper 3, Eqs. 9 and 10; its decay is
    ``1 - alpha``, and its estimates begin at 0, while these are means from the first step on.

    Kappa is nan where :math:`p_{ran} = 1`, that is, where all labels and predictions are of one
    class. (scikit-learn's `cohen_kappa_score` agrees; river's `CohenKappa` is 0 there.)

    Parameters
    ----------
    y, y_pred : labels and predictions, 0..K-1, both of shape (n,).
    alpha : fading factor in (0, 1], as in `fading_error`; 1 uses all steps so far.
    window : use the last so many steps, as in `sliding_error`.

    Raises ValueError for invalid labels, for arrays of different length, for an `alpha` outside
    (0, 1], for a `window` that is not a whole number >= 1, and for both at once.

    >>> kappa([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    >>> kappa([0, 0, 1, 1], [0, 0, 1, 0], window=2).tolist()
    [nan, nan, 1.0, 0.0]
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    if alpha is not None or window is not None:
        curve = np.empty(y.size)
        kappa_curve(y, y_pred, k, *as_memory(alpha, window, y.size), curve)
        return curve
    products = np.bincount(y, minlength=k) * np.bincount(y_pred, minlength=k)
    by_chance = y.size**2 - int(products.sum())
    return 1 - y.size * int((y != y_pred).sum()) / by_chance if by_chance else float("nan")


def kappa_majority(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None = None, window: int | None = None
) -> Measure:
    r"""Accuracy beyond that of predicting the most frequent label so far.

    .. math:: \kappa_m = \frac{p - p_m}{1 - p_m},\quad
              p_m = P(y_t = \arg\max_c n_{t-1}(c))

    where :math:`n_{t-1}(c)` is how often class c was seen *before* step t, within the same `window`
    or faded with the same `alpha`. Of equally frequent labels the lowest counts as the majority.
    Both accuracies leave out step 0, which has no label before it. The measure is nan where the
    majority is always right. Bifet, de Francisci Morales, Read, Holmes and Pfahringer (2015), KDD,
    59-68; there, and in MOA, the majority already includes the label of step t.

    Parameters
    ----------
    y, y_pred, alpha, window : as in `kappa`, with the same result and errors.

    >>> kappa_majority([0, 1, 1, 1], [0, 1, 1, 1])
    1.0
    >>> kappa_majority([0, 1, 1, 1], [0, 0, 0, 1])
    0.0
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    baseline = running_majority(y, k, *as_memory(alpha, window, y.size))
    return _against(y, y_pred, baseline, 0, 1, alpha, window)


def kappa_temporal(
    y: ArrayLike,
    y_pred: ArrayLike,
    alpha: float | None = None,
    window: int | None = None,
    *,
    delay: int = 0,
) -> Measure:
    r"""Accuracy beyond that of the no-change (persistent) classifier.

    .. math:: \kappa_{per} = \frac{p - p_{per}}{1 - p_{per}},\quad p_{per} = P(y_t = y_{t-1})

    Paper 3, Eqs. 7 and 13. Both accuracies leave out step 0, for which no-change has no prediction.
    The measure is nan for constant labels, and where no step is left.

    Parameters
    ----------
    y, y_pred, alpha, window : as in `kappa`, with the same result and errors.
    delay : number of steps by which labels are late, >= 0, as in `repro.prequential`. No-change
        then predicts :math:`y_{t-1-delay}`, and steps 0..delay are left out.

    >>> kappa_temporal([0, 0, 1, 1], [0, 0, 1, 0])
    0.0
    >>> kappa_temporal([0, 0, 1, 1], [0, 0, 1, 0], alpha=1).tolist()
    [nan, nan, 1.0, 0.0]
    """
    y, y_pred, _ = as_label_pair(y, y_pred)
    first = 1 + min(check_count(delay, name="delay", least=0), y.size)
    return _against(y, y_pred, y, first, first, alpha, window)


def kappa_combined(
    y: ArrayLike,
    y_pred: ArrayLike,
    alpha: float | None = None,
    window: int | None = None,
    *,
    delay: int = 0,
) -> Measure:
    r"""Geometric mean of `kappa` and `kappa_temporal`, each taken as 0 where it is negative.

    .. math:: \kappa^+ = \sqrt{\max(0, \kappa) \max(0, \kappa_{per})}

    Paper 3, Eq. 14. It is nan where one of the two is nan.

    Parameters
    ----------
    y, y_pred, alpha, window, delay : as in `kappa_temporal`, with the same result and errors.

    >>> kappa_combined([0, 1, 0, 1], [0, 1, 0, 1])
    1.0
    """
    chance = np.maximum(0, kappa(y, y_pred, alpha, window))
    both = np.sqrt(chance * np.maximum(0, kappa_temporal(y, y_pred, alpha, window, delay=delay)))
    return both if both.ndim else float(both)


class KappaTest(NamedTuple):
    """Kappa of a whole stream, its standard error, and the test of kappa = 0."""

    kappa: float
    standard_error: float
    z: float
    p_value: float


def kappa_test(y: ArrayLike, y_pred: ArrayLike) -> KappaTest:
    r"""Standard error of `kappa`, and the one-sided z-test of "no better than chance".

    .. math:: \delta_\kappa = \sqrt{\frac{p (1 - p)}{n (1 - p_{ran})^2}},\quad
              z = \kappa \Big/ \sqrt{\frac{p_{ran}}{n (1 - p_{ran})}}

    Paper 3, Eqs. 11 and 12, after Cohen (1960), who takes :math:`p_{ran}` as known. Both hold for
    independent steps only; `kappa_band` does not need independence. `y` and `y_pred` have shape
    (n,), and errors are those of `kappa`. All values are nan where kappa is nan; z is also nan
    where :math:`p_{ran} = 0`.

    >>> test = kappa_test([0, 1] * 50, [0, 1] * 40 + [1, 0] * 10)
    >>> test.kappa, round(test.standard_error, 3), round(test.z, 3)
    (0.6, 0.08, 6.0)
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    n, value = y.size, float(kappa(y, y_pred))
    right = float(np.mean(y == y_pred))
    by_chance = float(np.bincount(y, minlength=k) @ np.bincount(y_pred, minlength=k)) / n**2
    if np.isnan(value):
        return KappaTest(value, value, value, value)
    error = np.sqrt(right * (1 - right) / n) / (1 - by_chance)
    z = value / np.sqrt(by_chance / n / (1 - by_chance)) if by_chance else float("nan")
    return KappaTest(value, float(error), float(z), float(ndtr(-z)))


def _against(
    y: NDArray[np.int64],
    y_pred: NDArray[np.int64],
    baseline: NDArray[np.int64],
    lag: int,
    first: int,
    alpha: float | None,
    window: int | None,
) -> Measure:
    """Return the share of the errors of `baseline` that is avoided, as `relative_curve` does."""
    memory = as_memory(alpha, window, y.size)
    if alpha is not None or window is not None:
        curve = np.empty(y.size)
        relative_curve(y, y_pred, baseline, lag, first, *memory, curve)
        return curve
    baseline = baseline[first - lag : max(y.size - lag, 0)]
    y, y_pred = y[first:], y_pred[first:]
    wrong = int((y != baseline).sum())
    return 1 - int((y != y_pred).sum()) / wrong if wrong else float("nan")
