"""Loops for one learner each, as a programmer would write them who needs nothing else.

They know examples of weight 1 and one fixed setting of the learner; they have no states that can be
stored, delays, or bounds of memory. They say what the abstractions of the library cost. Each
predicts what the library predicts, which `plain` checks. Here are the learners without parts;
`plain_bayes` has naive Bayes and its ensembles, `plain_trees` the trees, `plain_bags` their bags.
"""

from __future__ import annotations

import numpy as np

from repro import Stream
from repro.kernels.compiling import kernel


def majority(stream: Stream) -> np.ndarray:
    y_pred = np.empty(len(stream), np.int64)
    _majority(stream.y, y_pred, np.zeros(stream.n_classes))
    return y_pred


@kernel
def _majority(y, y_pred, counts):
    for i in range(y.size):
        y_pred[i] = counts.argmax()
        counts[y[i]] += 1


def no_change(stream: Stream) -> np.ndarray:
    y_pred = np.empty(len(stream), np.int64)
    _no_change(stream.y, y_pred)
    return y_pred


@kernel
def _no_change(y, y_pred):
    last = 0
    for i in range(y.size):
        y_pred[i] = last
        last = y[i]


def linear_svm(stream: Stream) -> np.ndarray:
    """Nominal codes are numbers here."""
    (n, d), K = stream.X.shape, stream.n_classes
    planes, y_pred = K if K > 2 else 1, np.zeros(n, np.int64)
    _linear_svm(stream.X, stream.y, y_pred, np.zeros((planes, d)), np.zeros(planes))
    return y_pred


@kernel
def _linear_svm(X, y, y_pred, weights, bias):
    planes, d = weights.shape
    for i in range(y.size):
        best, shrink = -np.inf, 1.0 - 0.01 * 1e-4 / (i + 1)
        for k in range(planes):
            margin = bias[k]
            for j in range(d):
                margin += weights[k, j] * X[i, j]
            if planes == 1:
                y_pred[i] = margin > 0
            elif margin > best:
                best, y_pred[i] = margin, k
            sign = 1.0 if y[i] == (1 if planes == 1 else k) else -1.0
            step = 0.01 * sign if sign * margin < 1 else 0.0
            for j in range(d):
                weights[k, j] = shrink * weights[k, j] + step * X[i, j]
            bias[k] += step


def nearest_neighbors(stream: Stream, k: int, size: int) -> np.ndarray:
    """Numeric attributes in units of their range over the window; nominal ones differ by 0 or 1."""
    X, y_pred, votes = stream.X, np.zeros(len(stream), np.int64), np.zeros(stream.n_classes)
    nominal, d = np.array(stream.schema.nominal) > 0, X.shape[1]
    window, labels, ranges = np.zeros((size, d)), np.zeros(size, np.int64), np.zeros((3, d))
    found = np.zeros(size), np.zeros(k)
    _nearest_neighbors(X, stream.y, y_pred, nominal, window, labels, *ranges, *found, votes)
    return y_pred


@kernel
def _nearest_neighbors(
    X, y, y_pred, nominal, window, labels, low, high, inverse, distance, nearest, votes
):
    size = labels.size
    for i in range(y.size):
        held = min(i, size)
        _ranges(window, held, nominal, low, high, inverse)
        nearest[:] = np.inf
        for r in range(held):
            distance[r] = _distance(X[i], window[r], nominal, inverse)
            _keep(nearest, distance[r])
        votes[:] = 0.0
        reach = nearest[min(nearest.size, held) - 1]
        for r in range(held):
            if distance[r] <= reach:
                votes[labels[r]] += 1
        y_pred[i] = votes.argmax()
        labels[i % size] = y[i]
        for j in range(X.shape[1]):
            window[i % size, j] = X[i, j]


@kernel
def _ranges(window, held, nominal, low, high, inverse):
    """1 / range of each attribute; 0 for a constant one, which then adds nothing."""
    for j in range(low.size):
        low[j], high[j] = np.inf, -np.inf
    for r in range(held):
        for j in range(low.size):
            low[j], high[j] = min(low[j], window[r, j]), max(high[j], window[r, j])
    for j in range(low.size):
        inverse[j] = 1.0 / (high[j] - low[j]) if high[j] > low[j] and not nominal[j] else 0.0


@kernel
def _distance(x, z, nominal, inverse):
    total = 0.0
    for j in range(x.size):
        step = (x[j] - z[j]) * inverse[j]
        if nominal[j]:
            step = 1.0 if x[j] != z[j] else 0.0
        total += step * step
    return total


@kernel
def _keep(nearest, distance):
    """Put `distance` into the sorted k `nearest` ones, if it is less than the last of them."""
    rank = nearest.size - 1
    if distance >= nearest[rank]:
        return
    while rank > 0 and nearest[rank - 1] > distance:
        nearest[rank] = nearest[rank - 1]
        rank -= 1
    nearest[rank] = distance
