r"""How well scores rank the examples of a class before the others: areas under ROC and PR curves.

A score needs no threshold and no probability: only the order of the examples counts. Along a stream
the areas are those of the last `window` examples, the *prequential AUC* of Brzezinski and
Stefanowski (2017), Knowledge and Information Systems 52, 531-562. They do not fade: examples that
fade have no order of their own to be counted in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, as_losses, as_number, check_count, shown
from repro.kernels.compiling import kernel

__all__ = ["RankingAreas", "pr_auc", "roc_auc"]

Measure = float | NDArray[np.float64]


def roc_auc(y: ArrayLike, score: ArrayLike, window: int | None = None) -> Measure:
    r"""Area under the ROC curve: how often an example of class 1 has a higher score than another.

    .. math:: P(s_i > s_j \mid y_i = 1, y_j = 0) + \tfrac12 P(s_i = s_j \mid y_i = 1, y_j = 0)

    It is 1/2 for scores that do not depend on the labels, however rare class 1 is. Without `window`
    the result is the area of the whole stream, a float; with one, the curve (n,) of the area of the
    last so many examples, for which the time grows with ``n * window``. It is nan without an
    example of each class. (scikit-learn's `roc_auc_score` agrees; river's `ROCAUC` is a sum over a
    few thresholds.)

    Parameters
    ----------
    y : labels 0 and 1, shape (n,).
    score : finite numbers, shape (n,), higher for class 1.
    window : use the last so many examples.

    Raises ValueError for other labels and scores, arrays of different length, and a `window` that
    is not a whole number >= 1.

    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.5], window=2).tolist()
    [nan, 1.0, 0.0, 0.0]
    """
    return _area(y, score, window, 0)


def pr_auc(y: ArrayLike, score: ArrayLike, window: int | None = None) -> Measure:
    r"""Average precision: the mean precision at the examples of class 1 that are found.

    .. math:: \sum_k (R_k - R_{k-1})\, Q_k

    with the recall R and the precision Q of class 1 where the examples with the k highest scores
    are predicted to be of it, and equal scores together. For scores that do not depend on the
    labels it is the share of class 1. It is the area under the steps of the precision-recall curve;
    lines between its points would promise more than can be reached (Davis and Goadrich 2006, ICML,
    233-240). It is nan without an example of class 1. Arguments, result and errors are those of
    `roc_auc`. (scikit-learn's `average_precision_score` agrees.)

    >>> round(pr_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 3)
    0.833
    """
    return _area(y, score, window, 1)


class RankingAreas:
    """Online twin of `roc_auc` and `pr_auc` over the last `window` examples, or over all.

    It keeps the examples sorted by score. An update takes time in proportion to their number in the
    worst case, and so does an area.

    >>> online = RankingAreas(window=3)
    >>> for y, score in [(1, 0.1), (0, 0.4), (1, 0.6), (0, 0.5)]:
    ...     online.update(y, score)
    >>> online.roc_auc, online.pr_auc
    (1.0, 1.0)
    """

    def __init__(self, window: int | None = None) -> None:
        self.window = None if window is None else check_count(window, name="window")
        self._sorted: list[tuple[float, int]] = []  # by score, then by label
        self._steps: deque[tuple[float, int]] = deque()

    def update(self, y: int, score: float) -> None:
        """Take in the label of an example, 0 or 1, and its score."""
        label = int(as_labels([y], n_classes=2, name="y")[0])
        step = as_number(score, name="score"), label
        self._sorted.insert(bisect_right(self._sorted, step), step)
        if self.window is not None:
            self._steps.append(step)
            if len(self._steps) > self.window:
                del self._sorted[bisect_left(self._sorted, self._steps.popleft())]

    @property
    def roc_auc(self) -> float:
        """Area under the ROC curve now; nan without an example of each class."""
        return self._areas()[0]

    @property
    def pr_auc(self) -> float:
        """Average precision now; nan without an example of class 1."""
        return self._areas()[1]

    def _areas(self) -> tuple[float, float]:
        pairs = np.array(self._sorted, dtype=np.float64).reshape(-1, 2)
        scores, labels = np.ascontiguousarray(pairs[:, 0]), pairs[:, 1].astype(np.int8)
        out = np.empty(2)
        _fill_areas(scores, labels, labels.size, out)
        return float(out[0]), float(out[1])


def _area(y: ArrayLike, score: ArrayLike, window: int | None, which: int) -> Measure:
    labels = as_labels(y, n_classes=2, name="y").astype(np.int8)
    scores = as_losses(score, name="score")
    if scores.size != labels.size:
        raise ValueError(f"score must be as long as y, {labels.size}; got {shown(scores.size)}")
    if window is None:
        order, out = np.argsort(scores, kind="stable"), np.empty(2)
        _fill_areas(scores[order], labels[order], labels.size, out)
        return float(out[which])
    size = min(labels.size, check_count(window, name="window"))
    curves = np.empty((labels.size, 2))
    _curves(labels, scores, size, np.empty(size + 1), np.empty(size + 1, np.int8), curves)
    return curves[:, which].copy()


@kernel
def _fill_areas(scores, labels, m, out):  # type: ignore[no-untyped-def]
    """Fill `out` with both areas of the first `m` examples, which are sorted by score."""
    found = alone = 0  # examples of class 1 and of class 0 with higher scores
    twice, precision = 0, 0.0  # pairs in the right order, those of equal scores once
    i = m - 1
    while i >= 0:
        ones, j = 0, i
        while j >= 0 and scores[j] == scores[i]:
            ones += labels[j]
            j -= 1
        zeros = i - j - ones
        twice += zeros * (2 * found + ones)
        found += ones
        alone += zeros
        precision += ones * (found / (found + alone))
        i = j
    out[0] = twice / (2.0 * found * alone) if found > 0 and alone > 0 else np.nan
    out[1] = precision / found if found > 0 else np.nan


@kernel
def _curves(y, score, window, scores, labels, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n, 2) with both areas of the last `window` examples.

    `scores` and `labels` (window + 1,) are scratch: the examples of the window, sorted.
    """
    m = 0
    for i in range(y.size):
        k = m
        while k > 0 and scores[k - 1] > score[i]:
            scores[k], labels[k] = scores[k - 1], labels[k - 1]
            k -= 1
        scores[k], labels[k] = score[i], y[i]
        m += 1
        if i >= window:
            old = i - window
            k = np.searchsorted(scores[:m], score[old])
            while labels[k] != y[old]:  # of equal scores any with its label will do
                k += 1
            m -= 1
            for j in range(k, m):
                scores[j], labels[j] = scores[j + 1], labels[j + 1]
        _fill_areas(scores, labels, m, out[i])
