"""Accuracies of classifiers that ignore the attributes: the baselines of the kappas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_memory, check_count
from repro.metrics._kappa import as_label_pair, baseline_curves, running_majority

__all__ = ["Baselines", "baselines"]

Measure = float | NDArray[np.float64]


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
