r"""Recall and precision of each class, and their means: what counts where a class is rare.

With 98 of 100 labels in one class, an error of 2 % says nothing about the others. The recall of a
class is the share of its examples that is found, its precision the share of its predictions that is
right. Kubat and Matwin (1997), ICML, 179-186, for the geometric mean; Wang, Minku and Yao (2018),
IEEE Transactions on Neural Networks and Learning Systems 29, 4802-4821, for streams. Their recall
fades with each example of its class, ours with each step, as all faded measures here do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import MOST_CLASSES, as_labels, as_memory, check_count, check_fits
from repro.metrics._kappa import as_label, as_label_pair
from repro.metrics._rates import count_step, fade_rates, mean_recall_curves, means_of, rate_curves

__all__ = ["ClassRates", "balanced_accuracy", "g_mean", "precisions", "recalls"]

Measure = float | NDArray[np.float64]


def recalls(
    y: ArrayLike,
    y_pred: ArrayLike,
    alpha: float | None = None,
    window: int | None = None,
    *,
    n_classes: int | None = None,
) -> NDArray[np.float64]:
    r"""Recall of each class: the share of its examples that is predicted.

    .. math:: r_c = P(\hat y = c \mid y = c)

    With neither `alpha` nor `window` the result has shape (K,), for the whole stream; otherwise it
    is the curve (n, K), a row per step. The recall of a class without examples is nan.

    Parameters
    ----------
    y, y_pred, alpha, window : as in `kappa`.
    n_classes : number of classes K; by default the largest label plus 1, of both arrays.

    Raises ValueError as `kappa` does, for labels of `n_classes` or more, and for a curve that does
    not fit into memory.

    >>> recalls([0, 0, 0, 1], [0, 0, 1, 1]).round(3).tolist()
    [0.667, 1.0]
    >>> recalls([0, 1], [0, 0], window=1).tolist()
    [[1.0, nan], [nan, 0.0]]
    """
    return _rates(*_labels(y, y_pred, n_classes), alpha, window)


def precisions(
    y: ArrayLike,
    y_pred: ArrayLike,
    alpha: float | None = None,
    window: int | None = None,
    *,
    n_classes: int | None = None,
) -> NDArray[np.float64]:
    r"""Precision of each class: the share of its predictions that is right.

    .. math:: q_c = P(y = c \mid \hat y = c)

    The precision of a class that is not predicted is nan. Arguments, shapes and errors are those of
    `recalls`.

    >>> precisions([0, 0, 0, 1], [0, 0, 1, 1]).tolist()
    [1.0, 0.5]
    """
    true, predicted, k = _labels(y, y_pred, n_classes)
    return _rates(predicted, true, k, alpha, window)


def balanced_accuracy(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None = None, window: int | None = None
) -> Measure:
    r"""Mean recall of the classes that have examples.

    .. math:: \frac{1}{m} \sum_{c\,:\,P(y = c) > 0} r_c

    It is 1/m for a classifier that ignores the attributes, however rare a class is. Arguments,
    result and errors are those of `kappa`.

    >>> balanced_accuracy([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    return _mean_recall(y, y_pred, alpha, window, 0)


def g_mean(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None = None, window: int | None = None
) -> Measure:
    r"""Geometric mean of the recalls of the classes that have examples.

    .. math:: \Bigl(\prod_{c\,:\,P(y = c) > 0} r_c\Bigr)^{1/m}

    It is 0 where a class is never found. Arguments, result and errors are those of `kappa`.

    >>> round(g_mean([0, 0, 0, 1], [0, 0, 1, 1]), 3)
    0.816
    >>> g_mean([0, 0, 0, 1], [0, 0, 0, 0])
    0.0
    """
    return _mean_recall(y, y_pred, alpha, window, 1)


class ClassRates:
    """Online twin of `recalls`, `precisions`, `balanced_accuracy` and `g_mean`.

    At each step its values equal the curves of these functions with the same `alpha` or `window`;
    with neither, those with ``alpha=1``. Its state is 4k numbers for k classes, and with a `window`
    the steps in it.

    Parameters
    ----------
    n_classes : number of classes k; labels are 0..k-1.
    alpha : fading factor in (0, 1].
    window : count the last so many steps only.

    >>> online = ClassRates(n_classes=2)
    >>> for y, y_pred in [(0, 0), (0, 0), (0, 1), (1, 1)]:
    ...     online.update(y, y_pred)
    >>> online.recalls.round(3).tolist(), online.precisions.tolist(), online.balanced_accuracy
    ([0.667, 1.0], [1.0, 0.5], 0.8333333333333333)
    """

    def __init__(
        self, n_classes: int, alpha: float | None = None, window: int | None = None
    ) -> None:
        self.n_classes = check_count(n_classes, name="n_classes", most=MOST_CLASSES)
        self.alpha, _ = as_memory(alpha, window, 1)
        self.window = window
        # Rows: right examples, examples, right predictions, predictions of each class.
        self._counts = np.zeros((4, self.n_classes))
        self._steps: list[tuple[int, int]] = []
        self._oldest = 0

    def update(self, y: int, y_pred: int) -> None:
        """Take in one label and its prediction, of the classes 0..n_classes-1."""
        step = as_label(y, self.n_classes, "y"), as_label(y_pred, self.n_classes, "y_pred")
        for hits, totals in (self._counts[:2], self._counts[2:]):
            fade_rates(hits, totals, self.alpha)
        self._count(*step, 1.0)
        if self.window is None:
            return
        if len(self._steps) < self.window:
            self._steps.append(step)
        else:
            self._count(*self._steps[self._oldest], -1.0)
            self._steps[self._oldest] = step
            self._oldest = (self._oldest + 1) % self.window

    @property
    def recalls(self) -> NDArray[np.float64]:
        """Recall of each class now, (k,); nan without examples."""
        return _ratio(*self._counts[:2])

    @property
    def precisions(self) -> NDArray[np.float64]:
        """Precision of each class now, (k,); nan without predictions."""
        return _ratio(*self._counts[2:])

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall now; nan before the first step."""
        return float(means_of(*self._counts[:2])[0])

    @property
    def g_mean(self) -> float:
        """Geometric mean of the recalls now; nan before the first step."""
        return float(means_of(*self._counts[:2])[1])

    def _count(self, y: int, y_pred: int, sign: float) -> None:
        count_step(*self._counts[:2], y, y == y_pred, sign)
        count_step(*self._counts[2:], y_pred, y == y_pred, sign)


def _ratio(hits: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(hits, totals, out=np.full(hits.shape, np.nan), where=totals > 0)


def _labels(
    y: ArrayLike, y_pred: ArrayLike, n_classes: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Labels of equal length, and the number of classes."""
    if n_classes is not None:
        n_classes = check_count(n_classes, name="n_classes", most=MOST_CLASSES)
    true = as_labels(y, n_classes=n_classes, name="y")
    predicted = as_labels(y_pred, n_classes=n_classes, name="y_pred")
    if true.size != predicted.size:
        raise ValueError(f"y_pred must be as long as y, {true.size}; got {predicted.size}")
    k = int(max(true.max(), predicted.max())) + 1
    if k > MOST_CLASSES:
        rule = f"y and y_pred must hold labels below {MOST_CLASSES} (encode others with np.unique)"
        raise ValueError(f"{rule}; got {k - 1}")
    return true, predicted, n_classes or k


def _rates(
    of: NDArray[np.int64],
    other: NDArray[np.int64],
    k: int,
    alpha: float | None,
    window: int | None,
) -> NDArray[np.float64]:
    """The share of the examples of each class of `of` for which `other` is that class, too."""
    memory = as_memory(alpha, window, of.size)
    if alpha is None and window is None:
        hits = np.bincount(of[of == other], minlength=k)
        return _ratio(hits.astype(np.float64), np.bincount(of, minlength=k).astype(np.float64))
    check_fits(8 * of.size * k, name="a curve of all classes", value=f"{of.size} steps of {k}")
    curves = np.empty((of.size, k))
    rate_curves(of, other, *memory, np.zeros(k), np.zeros(k), curves)
    return curves


def _mean_recall(
    y: ArrayLike, y_pred: ArrayLike, alpha: float | None, window: int | None, which: int
) -> Measure:
    true, predicted, k = as_label_pair(y, y_pred)
    memory = as_memory(alpha, window, true.size)
    if alpha is None and window is None:
        hits = np.bincount(true[true == predicted], minlength=k).astype(np.float64)
        return float(means_of(hits, np.bincount(true, minlength=k).astype(np.float64))[which])
    curves = np.empty((true.size, 2))
    mean_recall_curves(true, predicted, *memory, np.zeros(k), np.zeros(k), curves)
    return curves[:, which].copy()
