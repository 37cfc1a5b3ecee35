"""Many rows through the online form of a learner: compiled where it is a `Learner`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro.kernels.dispatch import runnable
from repro.learners.learner import OnlineLearner
from repro.learners.loops import learn_weighted_block, predict_block, shares_block
from repro.learners.temporal import TemporalOnline

__all__ = ["learn_rows", "predict_rows", "shares_of_rows"]

Floats = NDArray[np.float64]


def learn_rows(
    online: OnlineLearner | TemporalOnline, X: Floats, y: NDArray[np.int64], weights: Floats
) -> None:
    """Learn the rows of `X` (m, d) of the classes `y` (m,) with `weights` (m,) >= 0, in order."""
    if isinstance(online, OnlineLearner):
        runnable(learn_weighted_block, online.state)(online.state, X, y, weights)
    else:
        for x, label, weight in zip(X, y.tolist(), weights.tolist(), strict=True):
            online.learn_one(x, label, weight)


def predict_rows(online: OnlineLearner | TemporalOnline, X: Floats) -> NDArray[np.int64]:
    """The predicted class of each row of `X` (m, d); shape (m,)."""
    if not isinstance(online, OnlineLearner):
        return np.array([online.predict_one(x) for x in X], np.int64)
    classes, scratch = np.empty(len(X), np.int64), np.zeros(online.schema.n_classes)
    runnable(predict_block, online.state)(online.state, X, classes, scratch)
    return classes


def shares_of_rows(online: OnlineLearner | TemporalOnline, X: Floats) -> Floats:
    """Shares of the votes of the classes for each row of `X` (m, d); shape (m, K)."""
    if not isinstance(online, OnlineLearner):
        return np.array([online.predict_proba_one(x) for x in X])
    shares = np.zeros((len(X), online.schema.n_classes))
    runnable(shares_block, online.state)(online.state, X, shares)
    return shares
