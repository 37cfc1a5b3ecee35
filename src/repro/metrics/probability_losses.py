r"""Losses of predicted probabilities: one number for each example.

They are losses like any other: the estimators make errors along the stream of them, the detectors
look for changes in them, and `repro.statistics.confidence_sequence` bounds their mean. Both are
proper: no forecast has a smaller expected loss than the true probabilities (Gneiting and Raftery
2007, Journal of the American Statistical Association 102, 359-378).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_inside
from repro.metrics._probabilities import as_probabilities

__all__ = ["brier_loss", "log_loss"]

SMALLEST = float(np.finfo(np.float64).eps)  # probability as which a smaller one counts


def brier_loss(y: ArrayLike, proba: ArrayLike) -> NDArray[np.float64]:
    r"""Brier loss of each example (n,), in [0, 1].

    .. math:: \ell_t = \tfrac12 \sum_c \bigl(p_{t,c} - [y_t = c]\bigr)^2

    which is :math:`(p_t - y_t)^2` for two classes. (Brier (1950), Monthly Weather Review 78, 1-3,
    has no factor 1/2; scikit-learn's `brier_score_loss` has it for two classes.)

    Parameters
    ----------
    y : labels 0..K-1, shape (n,).
    proba : probabilities of the classes, shape (n, K), or of class 1 of two, shape (n,).

    Raises ValueError for labels of K or more, arrays of different length, and for numbers that are
    not probabilities: outside [0, 1], or with a sum that differs from 1 by more than 1e-6.

    >>> brier_loss([0, 1], [0.2, 0.2]).round(2).tolist()
    [0.04, 0.64]
    """
    labels, p = as_probabilities(y, proba)
    if p.ndim == 1:
        return np.asarray((p - labels) ** 2)
    true = p[np.arange(labels.size), labels]
    return np.asarray(((p**2).sum(axis=1) - 2 * true + 1) / 2).clip(0, 1)


def log_loss(y: ArrayLike, proba: ArrayLike, smallest: float = SMALLEST) -> NDArray[np.float64]:
    r"""Logarithmic loss of each example (n,), in nats.

    .. math:: \ell_t = -\ln \max(p_{t,y_t}, \varepsilon)

    Without the bound :math:`\varepsilon`, one example whose label was thought impossible would make
    every mean infinite. Its value decides what such an example costs: 36 nats by default.

    Parameters
    ----------
    y, proba : as in `brier_loss`, with the same errors.
    smallest : the bound, in (0, 1); by default the relative spacing of floats, as scikit-learn's.

    >>> log_loss([0, 1], [0.2, 0.2]).round(2).tolist()
    [0.22, 1.61]
    """
    labels, p = as_probabilities(y, proba)
    bound = check_inside(smallest, name="smallest")
    true = np.where(labels == 1, p, 1 - p) if p.ndim == 1 else p[np.arange(labels.size), labels]
    return np.asarray(-np.log(np.maximum(true, bound))) + 0.0  # no -0.0
