r"""Accuracy beyond that of a baseline: kappa, against chance, the majority, and no change.

Every measure is :math:`(p - p_b) / (1 - p_b)`, the share of a baseline's error that is avoided.
Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Machine Learning 98, 455-482: paper 3. Its
decay weighs the present, ours the past: its :math:`\alpha` is ``1 - alpha``.

All functions take labels 0..K-1 of shape (n,), the true ones first. With neither `alpha` nor
`window` the result is the measure of the whole stream, a float. Otherwise it is the curve (n,) of
the measure at each step: faded with `alpha` as in `fading_error` (1: everything so far), or over
the last `window` steps as in `sliding_error`. A measure is nan where its baseline's accuracy is 1.
All raise ValueError for labels that are none, for arrays of different length, for `alpha` outside
(0, 1], for a `window` that is no whole number >= 1, and for both at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from repro._checks import as_labels, check_count, check_fraction
from repro._compiled import compiled

__all__ = [
    "KappaTest",
    "as_label_pair",
    "as_memory",
    "kappa",
    "kappa_combined",
    "kappa_majority",
    "kappa_temporal",
    "kappa_test",
    "running_majority",
]

Measure = float | NDArray[np.float64]
ROUNDING = 2.0**-53  # accuracies less than this below 1 are 1 in double precision
TINY = 1e-280  # sums that faded to less are 0: arithmetic below 1e-308 takes a hundred times as long


def kappa(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None = None, window: int | None = None
) -> Measure:
    r"""Cohen's kappa: accuracy beyond that of the same predictions in random order.

    .. math:: \kappa = \frac{p - p_{ran}}{1 - p_{ran}},\quad
              p_{ran} = \sum_{c} P(y = c)\, P(\hat y = c)

    Paper 3, Eqs. 9 and 10. Arguments, result and errors: see `repro.metrics.kappa`. It is nan where
    labels and predictions are one and the same class throughout. (scikit-learn's
    `cohen_kappa_score` agrees; river's `CohenKappa` says 0 there.)

    >>> kappa([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    >>> kappa([0, 0, 1, 1], [0, 0, 1, 0], window=2).tolist()
    [nan, nan, 1.0, 0.0]
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    if alpha is not None or window is not None:
        return _kappa(y, y_pred, k, *as_memory(alpha, window, y.size))
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
    or faded with the same `alpha`; the lowest of equals. Both accuracies leave out step 0, which
    comes before any label. Bifet, de Francisci Morales, Read, Holmes and Pfahringer (2015), KDD,
    59-68; there, as in MOA, the label of step t is already counted when the majority is taken.
    Arguments, result and errors: see `repro.metrics.kappa`.

    >>> kappa_majority([0, 1, 1, 1], [0, 1, 1, 1])
    1.0
    >>> kappa_majority([0, 1, 1, 1], [0, 0, 0, 1])
    0.0
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    baseline = running_majority(y, k, *as_memory(alpha, window, y.size))
    return _against(y, y_pred, baseline, 1, alpha, window)


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
    Where labels come `delay` steps late, as in `repro.prequential`, no-change predicts
    :math:`y_{t-1-delay}`, and steps 0..delay are left out. Arguments, result and other errors: see
    `repro.metrics.kappa`. It is nan for constant labels, and without any step to compare.

    >>> kappa_temporal([0, 0, 1, 1], [0, 0, 1, 0])
    0.0
    >>> kappa_temporal([0, 0, 1, 1], [0, 0, 1, 0], alpha=1).tolist()
    [nan, nan, 1.0, 0.0]
    """
    y, y_pred, _ = as_label_pair(y, y_pred)
    first = 1 + check_count(delay, name="delay", least=0)
    baseline = np.concatenate([y[:first], y[:-first]])
    return _against(y, y_pred, baseline, first, alpha, window)


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

    Paper 3, Eq. 14. Arguments, result and errors: see `kappa_temporal`. It is nan where either of
    the two is.

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
    independent steps only; `kappa_band` does without that. `y` and `y_pred` have shape (n,). Raises
    as `kappa` does. Everything is nan where kappa is; z is nan where :math:`p_{ran} = 0`.

    >>> kappa_test([0, 1] * 50, [0, 1] * 40 + [1, 0] * 10)
    KappaTest(kappa=0.6, standard_error=0.08, z=6.0, p_value=9.865876450376946e-10)
    """
    y, y_pred, k = as_label_pair(y, y_pred)
    n, value = y.size, float(kappa(y, y_pred))
    right = float(np.mean(y == y_pred))
    by_chance = float(np.bincount(y, minlength=k) @ np.bincount(y_pred, minlength=k)) / n**2
    if np.isnan(value):
        return KappaTest(value, value, value, value)
    error = np.sqrt(right * (1 - right) / n) / (1 - by_chance)
    z = value / np.sqrt(by_chance / n / (1 - by_chance)) if by_chance else float("nan")
    return KappaTest(value, float(error), float(z), float(norm.sf(z)))


def as_label_pair(
    y: ArrayLike, y_pred: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """`y` and `y_pred` as labels of equal length, and a number that all of them are below."""
    true, predicted = (_as_labels(v, n) for v, n in ((y, "y"), (y_pred, "y_pred")))
    if true.size != predicted.size:
        raise ValueError(f"y_pred must be as long as y, {true.size}; got {predicted.size}")
    k = int(max(true.max(), predicted.max())) + 1
    if k > 1000:  # names of few classes, perhaps: what counts is which labels are equal
        both = np.concatenate([true, predicted])
        names, codes = np.unique(both, return_inverse=True)
        true, predicted, k = codes[: true.size], codes[true.size :], names.size
    return true, predicted, k


def as_memory(alpha: float | None, window: int | None, n: int) -> tuple[float, int]:
    """Fading factor and window of n steps: the one that is not given forgets nothing."""
    if alpha is not None and window is not None:
        raise ValueError(f"only one of alpha and window must be given; got {alpha!r}, {window!r}")
    alpha = 1.0 if alpha is None else check_fraction(alpha, name="alpha")
    return alpha, n if window is None else min(n, check_count(window, name="window"))


def running_majority(y: NDArray[np.int64], k: int, alpha: float, window: int) -> NDArray[np.int64]:
    """The most frequent label before each step (n,), the lowest of equals; class 0 at step 0."""
    return _majority(y, k, alpha, window)


def _as_labels(labels: ArrayLike, name: str) -> NDArray[np.int64]:
    """`as_labels`; what is that already is looked through once, and not copied."""
    whole = isinstance(labels, np.ndarray) and labels.dtype == np.int64 and labels.ndim == 1
    if whole and labels.size and labels.flags.c_contiguous and labels.min() >= 0:  # type: ignore[union-attr]
        return labels  # type: ignore[return-value]
    return as_labels(labels, name=name)


def _against(
    y: NDArray[np.int64],
    y_pred: NDArray[np.int64],
    baseline: NDArray[np.int64],
    first: int,
    alpha: float | None,
    window: int | None,
) -> Measure:
    """The share of the errors of the predictions `baseline` that is avoided, from `first` on."""
    memory = as_memory(alpha, window, y.size)
    if alpha is not None or window is not None:
        return _relative(y, y_pred, baseline, first, *memory)
    y, y_pred, baseline = (labels[first:] for labels in (y, y_pred, baseline))
    wrong = int((y != baseline).sum())
    return 1 - int((y != y_pred).sum()) / wrong if wrong else float("nan")


@compiled
def _kappa(y, y_pred, k, alpha, window):  # type: ignore[no-untyped-def]
    curve, missed = np.empty(y.size), 0.0
    labels, predictions = np.zeros(k), np.zeros(k)
    for i in range(y.size):
        if alpha < 1.0:
            missed *= alpha
            for c in range(k):
                labels[c] = labels[c] * alpha if labels[c] > TINY else 0.0
                predictions[c] = predictions[c] * alpha if predictions[c] > TINY else 0.0
        labels[y[i]] += 1.0
        predictions[y_pred[i]] += 1.0
        missed += y[i] != y_pred[i]
        if i >= window:
            labels[y[i - window]] -= 1.0
            predictions[y_pred[i - window]] -= 1.0
            missed -= y[i - window] != y_pred[i - window]
        # Pairs of a label and a prediction that differ. One minus the pairs that are equal would
        # lose its digits where almost all are.
        differ = weight = predicted = 0.0
        for c in range(k):
            differ += labels[c] * predicted + predictions[c] * weight
            weight += labels[c]
            predicted += predictions[c]
        known = differ > ROUNDING * weight * weight
        curve[i] = 1.0 - weight * missed / differ if known else np.nan
    return curve


@compiled
def _relative(y, y_pred, baseline, first, alpha, window):  # type: ignore[no-untyped-def]
    curve = np.empty(y.size)
    missed = wrong = weight = 0.0
    for i in range(min(first, y.size)):
        curve[i] = np.nan
    for i in range(first, y.size):
        missed = (missed * alpha if missed > TINY else 0.0) + (y[i] != y_pred[i])
        wrong = (wrong * alpha if wrong > TINY else 0.0) + (y[i] != baseline[i])
        weight = weight * alpha + 1.0
        if i - window >= first:
            missed -= y[i - window] != y_pred[i - window]
            wrong -= y[i - window] != baseline[i - window]
            weight -= 1.0
        curve[i] = 1.0 - missed / wrong if wrong > ROUNDING * weight else np.nan
    return curve


@compiled
def _majority(y, k, alpha, window):  # type: ignore[no-untyped-def]
    majority, labels = np.empty(y.size, np.int64), np.zeros(k)
    for i in range(y.size):
        best = 0
        for c in range(1, k):
            if labels[c] > labels[best]:
                best = c
        majority[i] = best
        if alpha < 1.0:
            for c in range(k):
                labels[c] = labels[c] * alpha if labels[c] > TINY else 0.0
        labels[y[i]] += 1.0
        if i >= window:
            labels[y[i - window]] -= 1.0
    return majority
