"""What labels alone predict: the baselines of the kappas, and the persistence of classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import MOST_CLASSES, as_labels, as_memory, check_count
from repro.metrics._kappa import as_label_pair, baseline_curves, running_majority

__all__ = ["Baselines", "baselines", "label_persistence"]

Measure = float | NDArray[np.float64]
MOST_NUMBERS = 10**7


class Baselines(NamedTuple):
    """Accuracies of classifiers that ignore the attributes; each is a number or a curve.

    `p_0` guesses; `p_maj` is the share of the largest class; `p_m` predicts the most frequent label
    so far; `p_per` predicts the previous label; `p_ran` puts the predictions in random order.
    """

    p_0: Measure
    p_maj: Measure
    p_m: Measure
    p_per: Measure
    p_ran: Measure


def baselines(
    y: ArrayLike,
    y_pred: ArrayLike | None = None,
    alpha: float | None = None,
    window: int | None = None,
    *,
    n_classes: int | None = None,
) -> Baselines:
    r"""Accuracies of the baselines on the labels `y`, and of the predictions in random order.

    .. math:: p_0 = \frac{1}{k},\quad p_{maj} = \max_c P(y = c),\quad
              p_{per} = P(y_t = y_{t-1}),\quad p_{ran} = \sum_c P(y = c)\, P(\hat y = c)

    Paper 3, Eqs. 5 to 9, and :math:`p_m` as in `kappa_majority`. `p_per` and `p_m` leave out step 0
    and are nan there.

    Parameters
    ----------
    y, alpha, window : as in `kappa`, with the same result and errors.
    y_pred : predictions, as in `kappa`; without them `p_ran` is nan.
    n_classes : the number of classes k; by default, and at least, the number of labels in `y`.

    >>> baselines([0, 0, 0, 1], [0, 0, 1, 1])
    Baselines(p_0=0.5, p_maj=0.75, p_m=0.6666666666666666, p_per=0.6666666666666666, p_ran=0.5)
    """
    true, predicted, k = as_label_pair(y, y if y_pred is None else y_pred)
    memory = as_memory(alpha, window, true.size)
    classes = np.unique(true).size
    if n_classes is not None and check_count(n_classes, name="n_classes") < classes:
        raise ValueError(f"n_classes must be at least {classes}, the labels seen; got {n_classes}")
    curves = baseline_curves(true, predicted, running_majority(true, k, *memory), k, *memory)
    if y_pred is None:
        curves[3] = np.nan
    p_0 = 1 / (n_classes or classes)
    if alpha is None and window is None:
        return Baselines(p_0, *curves[:, -1].tolist())
    return Baselines(np.full(true.size, p_0), *curves)


def label_persistence(y: ArrayLike, lag: int, *, min_count: int = 1) -> NDArray[np.float64]:
    r"""Return the probability that a class continues after 0, 1, ..., `lag` labels in a row.

    .. math:: P_\ell(i) = P(y_t = i \mid y_{t-1} = i, \ldots, y_{t-\ell} = i)

    The result has shape (lag + 1, K), and row :math:`\ell` holds :math:`P_\ell`, estimated by its
    share in the labels. Row 0 holds the shares of the classes. Differences of rows are
    :math:`\Delta(\ell)` of paper 3, Sec. 6.8.

    Parameters
    ----------
    y : labels 0..K-1, shape (n,), below a million.
    lag : largest number of labels in a row, >= 0. The result has at most 10 million numbers.
    min_count : number of positions that an estimate needs, >= 1; estimates from fewer are nan.

    Raises ValueError for arguments outside these ranges.

    >>> label_persistence([0, 0, 0, 1, 0, 0], lag=2).round(2).tolist()
    [[0.83, 0.17], [0.75, 0.0], [0.5, nan]]
    """
    labels = as_labels(y)
    n, k = labels.size, int(labels.max()) + 1
    if k > MOST_CLASSES:
        raise ValueError(
            f"y must hold labels below {MOST_CLASSES} (encode others with np.unique); got {k - 1}"
        )
    lag = check_count(lag, name="lag", least=0, most=MOST_NUMBERS // k - 1)
    enough = min(check_count(min_count, name="min_count"), labels.size + 1)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1])
    lengths = np.diff(np.append(starts, n))  # of the runs of equal labels
    of_class = labels[starts]
    result = np.empty((lag + 1, k))
    result[0] = np.bincount(labels, minlength=k) / n
    for steps in range(1, lag + 1):
        # In a run of r equal labels, r - steps labels follow `steps` equal ones. So does the label
        # after the run, which is of another class, unless the stream ends with the run.
        on = np.bincount(of_class, weights=np.maximum(lengths - steps, 0), minlength=k)
        long = (lengths >= steps) & (starts + lengths < n)
        off = np.bincount(of_class[long], minlength=k)
        count = on + off
        result[steps] = np.where(count >= enough, on / np.maximum(count, 1), np.nan)
    return result
