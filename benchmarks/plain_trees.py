"""Plain loops for Hoeffding trees.

The nodes of a tree, or of all trees of an ensemble, are rows of the same arrays, and new ones are
appended: what is cut off stays there. A leaf gets a slot for its statistics, a row of other arrays,
with its first example. There must be memory for all of them (the library can do with less).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from plain_bayes import Bayes, columns, constants, count_codes, densities, empty
from plain_splits import branches, find_split

from repro import Stream
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank

MAJORITY, BAYES, ADAPTIVE = range(3)
NODES, SLOTS = range(2)
MOST_BYTES = 1 << 30  # of slots; memory that is never written to is not taken


class Trees(NamedTuple):
    """N nodes and S slots; a node is a leaf while its attribute is -1."""

    attribute: np.ndarray  # (N,) numeric ones first, then nominal ones
    child: np.ndarray  # (N,) the first branch; the others follow it
    slot: np.ndarray  # (N,) -1 before the first example
    threshold: np.ndarray  # (N,)
    evaluated: np.ndarray  # (N,) weight when a split was sought last
    majority_right: np.ndarray  # (N,) weight that the majority class got right
    bayes_right: np.ndarray  # (N,)
    counts: np.ndarray  # (N, K)
    bayes: Bayes
    low: np.ndarray  # (S, K, d) least value of each class
    high: np.ndarray  # (S, K, d)
    used: np.ndarray  # (2,) nodes and slots
    votes: np.ndarray  # (K,) of naive Bayes at the leaf reached last
    parts: np.ndarray  # (2, K) scratch


def plant(stream: Stream, weight: float, trees: int = 1) -> Trees:
    """Empty trees, whose roots are the first nodes, with room to learn `weight` in all."""
    K, nominal = stream.n_classes, stream.schema.nominal
    N = trees + int(weight) // 200 * max(2, *nominal) + max(2, *nominal)
    d = nominal.count(0)
    S = min(N, MOST_BYTES // (8 * K * (5 * d + sum(nominal) + 4 + 2 * len(nominal))))
    links = np.full(N, -1), np.zeros(N, np.int64), np.full(N, -1)
    numbers, ranges = blank((4, N)), blank((2, S, K, d))
    used, scratch = np.array([trees, 0]), (np.zeros(K), np.zeros((2, K)))
    return Trees(*links, *numbers, blank((N, K)), empty(stream, S), *ranges, used, *scratch)


@kernel
def leaf_below(t, u, x, codes):
    while t.attribute[u] >= 0:
        j = t.attribute[u]
        u = t.child[u] + (int(x[j] > t.threshold[u]) if j < x.size else codes[j - x.size])
    return u


@kernel
def weigh(t, u, x, codes, leaf):
    """Fill `votes` with those of naive Bayes; whether leaf `u` trusts them."""
    if leaf == MAJORITY:
        return False
    if t.slot[u] >= 0:
        densities(t.bayes, t.slot[u], t.counts[u], x, codes, t.votes)
    else:
        for k in range(t.votes.size):
            t.votes[k] = t.counts[u, k]
    total = t.counts[u].sum()
    if total > 0:
        for k in range(t.votes.size):
            t.votes[k] /= total
    return leaf == BAYES or t.bayes_right[u] >= t.majority_right[u]


@kernel
def learn(t, u, x, codes, c, weight, leaf, bayes_label):
    """Let leaf `u`, where naive Bayes predicted `bayes_label`, learn an example of class `c`."""
    if leaf == ADAPTIVE:
        if t.counts[u, c] > 0 and t.counts[u].argmax() == c:
            t.majority_right[u] += weight
        if bayes_label == c:
            t.bayes_right[u] += weight
    if t.slot[u] < 0:
        if t.used[SLOTS] == t.low.shape[0]:
            raise MemoryError
        t.slot[u] = t.used[SLOTS]
        t.used[SLOTS] += 1
    observe_ranges(t, t.slot[u], x, codes, c, weight, leaf)
    t.counts[u, c] += weight
    total = t.counts[u].sum()
    if total - t.evaluated[u] < 200:
        return
    t.evaluated[u] = total
    classes = 0
    for count in t.counts[u]:
        classes += count > 0
    if classes > 1:
        _try_to_split(t, u)


@kernel
def observe_ranges(t, s, x, codes, c, weight, leaf):
    b = t.bayes
    total = b.weights[s, c] + weight
    first, b.weights[s, c] = total == weight, total
    for j in range(x.size):
        value = x[j]
        if first or value < t.low[s, c, j]:
            t.low[s, c, j] = value
        if first or value > t.high[s, c, j]:
            t.high[s, c, j] = value
        step = value - b.mean[s, c, j]
        b.mean[s, c, j] = value if first else b.mean[s, c, j] + weight * step / total
        b.squares[s, c, j] += weight * step * (value - b.mean[s, c, j])
    if leaf != MAJORITY and x.size > 0:
        b.peak[s, c] = constants(total, b.squares[s, c], b.precision[s, c])
    count_codes(b, s, codes, c, weight, total)


@outlined
def _try_to_split(t, u):
    attribute, threshold = find_split(t, u)
    if attribute >= 0:
        split(t, u, t.slot[u], attribute, threshold)


@kernel
def split(t, u, s, attribute, threshold):
    """Split node `u`; the weights of its branches are those in slot `s`."""
    d, child, number = t.low.shape[2], t.used[NODES], branch_number(t, attribute)
    if child + number > t.slot.size:
        raise MemoryError
    t.attribute[u], t.threshold[u], t.child[u] = attribute, threshold, child
    t.used[NODES] += number
    for k in range(t.votes.size):
        if attribute < d:
            t.counts[child, k], t.counts[child + 1, k] = branches(t, s, attribute, k, threshold)
        else:
            for v in range(number):
                t.counts[child + v, k] = t.bayes.counts[s, t.bayes.first[attribute - d] + v, k]
    for v in range(number):
        t.evaluated[child + v] = t.counts[child + v].sum()


@kernel
def branch_number(t, attribute):
    j = attribute - t.low.shape[2]
    return 2 if j < 0 else t.bayes.first[j + 1] - t.bayes.first[j]


def tree(stream: Stream, leaf: int) -> np.ndarray:
    y_pred, t = np.empty(len(stream), np.int64), plant(stream, len(stream))
    X, codes = columns(stream)
    grow(X, codes, stream.y, y_pred, leaf, np.ones(len(stream)), np.empty((0, 0)), t)
    return y_pred


@kernel
def grow(X, codes, y, y_pred, leaf, times, shares, t):
    """A tree that learns example i `times[i]` times; its votes are added to `shares` (n, K)."""
    for i in range(y.size):
        u = leaf_below(t, 0, X[i], codes[i])
        out = t.votes if weigh(t, u, X[i], codes[i], leaf) else t.counts[u]
        y_pred[i] = out.argmax()
        if shares.size > 0:
            add_shares(out, shares[i])
        if times[i] > 0:
            learn(t, u, X[i], codes[i], y[i], times[i], leaf, t.votes.argmax())


@kernel
def add_shares(votes, out):
    total = votes.sum()
    if total > 0:
        for k in range(out.size):
            out[k] += votes[k] / total
