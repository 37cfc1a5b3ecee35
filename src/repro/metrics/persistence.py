"""Persistence of classes: the probability that the next label equals the labels before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import MOST_CLASSES, as_labels, check_count

__all__ = ["label_persistence"]

MOST_NUMBERS = 10**7


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
    check_count(lag, name="lag", least=0, most=MOST_NUMBERS // k - 1)
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
