"""A plain loop for the Hoeffding adaptive tree: `plain_trees` with windows and alternates.

An ADWIN watches the errors below every node; the loop calls the library's kernels for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from plain_bayes import columns
from plain_trees import ADAPTIVE, NODES, Trees, leaf_below, learn, plant, weigh

from repro import Stream
from repro.detectors import ADWIN
from repro.detectors.adwin import adwin_mean, adwin_rose, adwin_width
from repro.detectors.detector import update
from repro.kernels import random
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import copy_into, member, stacked

LOGS = float(np.log(2 / 0.05))


class Adaptive(NamedTuple):
    tree: Trees
    alternate: np.ndarray  # (N,) the root of another subtree, 0: none
    windows: Any  # N stacked states of ADWIN
    fresh: Any
    queue: np.ndarray  # (N,) subtrees that are still to see the example
    out: np.ndarray  # (K,)


def adaptive_tree(stream: Stream) -> np.ndarray:
    n, y_pred, fresh = len(stream), np.empty(len(stream), np.int64), ADWIN(0.002).start()
    t = plant(stream, 4 * n)
    N = t.slot.size
    links = np.zeros((2, N), np.int64)
    a = Adaptive(t, links[0], stacked([fresh], N), fresh, links[1], np.zeros(stream.n_classes))
    rng, table = random.start(0, "tree"), random.poisson_table(1.0)
    _adaptive_tree(*columns(stream), stream.y, y_pred, a, rng, table)
    return y_pred


@kernel
def _adaptive_tree(X, codes, y, y_pred, a, rng, table):
    t = a.tree
    for i in range(y.size):
        leaf, wrong, by_bayes = _predict(a, X[i], codes[i], y[i])
        y_pred[i] = a.out.argmax()
        a.queue[0], pending = 0, 1
        while pending > 0:
            pending -= 1
            root = a.queue[pending]
            if leaf < 0:
                leaf = leaf_below(t, root, X[i], codes[i])
                wrong, by_bayes = _judge(t, leaf, X[i], codes[i], y[i])
            index, pending = _descend(a, root, X[i], codes[i], wrong, pending)
            if index != leaf:
                wrong, by_bayes = _judge(t, index, X[i], codes[i], y[i])
            leaf = -1
            times = max(1, random.poisson(rng, table))
            learn(t, index, X[i], codes[i], y[i], float(times), ADAPTIVE, by_bayes)
            if t.attribute[index] >= 0:  # it was split; new nodes have new windows
                copy_into(member(a.windows, index), a.fresh)


@kernel
def _judge(t, leaf, x, codes, c):
    """Whether the leaf predicts a wrong class, as 1 or 0; and what its naive Bayes predicts."""
    trusted = weigh(t, leaf, x, codes, ADAPTIVE)
    by_bayes = t.votes.argmax()
    label = by_bayes if trusted else t.counts[leaf].argmax()
    return 1.0 if label != c else 0.0, by_bayes


@kernel
def _predict(a, x, codes, c):
    """Add the votes of the leaf and of split alternates; the leaf if it is the only one, or -1."""
    t, visited, pending, index, wrong, by_bayes = a.tree, 0, 1, 0, 0.0, 0
    a.out[:] = 0.0
    a.queue[0] = 0
    while pending > 0:
        pending -= 1
        visited += 1
        index = a.queue[pending]
        while t.attribute[index] >= 0:
            other = a.alternate[index]
            if other > 0 and t.attribute[other] >= 0:
                a.queue[pending] = other
                pending += 1
            index = _branch(t, index, x, codes)
        trusted = weigh(t, index, x, codes, ADAPTIVE)
        votes = t.votes if trusted else t.counts[index]
        for k in range(a.out.size):
            a.out[k] += votes[k]
        wrong, by_bayes = 1.0 if votes.argmax() != c else 0.0, t.votes.argmax()
    return index if visited == 1 else -1, wrong, by_bayes


@kernel
def _branch(t, u, x, codes):
    j = t.attribute[u]
    return t.child[u] + (int(x[j] > t.threshold[u]) if j < x.size else codes[j - x.size])


@kernel
def _descend(a, index, x, codes, wrong, pending):
    """Update the windows down to a leaf, whose index is returned; put alternates in the queue."""
    t = a.tree
    while t.attribute[index] >= 0:
        if adwin_rose(member(a.windows, index), wrong):
            a.alternate[index] = t.used[NODES]
            t.used[NODES] += 1
        elif a.alternate[index] > 0:
            _compare(a, index)
        if t.attribute[index] < 0:
            break
        if a.alternate[index] > 0:
            a.queue[pending] = a.alternate[index]
            pending += 1
        index = _branch(t, index, x, codes)
    update(member(a.windows, index), wrong)
    return index, pending


@kernel
def _compare(a, index):
    """Switch to the alternate, or drop it, if the errors differ significantly."""
    own, new = member(a.windows, index), member(a.windows, a.alternate[index])
    if adwin_width(own) <= 300 or adwin_width(new) <= 300:
        return
    e, gain = adwin_mean(own), adwin_mean(own) - adwin_mean(new)
    share = 1.0 / adwin_width(own) + 1.0 / adwin_width(new)
    if abs(gain) <= np.sqrt(2.0 * e * (1.0 - e) * LOGS * share):
        return
    if gain < 0:
        a.alternate[index] = 0
    else:
        _move(a, a.alternate[index], index)


@outlined
def _move(a, source, target):
    t = a.tree
    t.attribute[target], t.child[target] = t.attribute[source], t.child[source]
    t.slot[target], t.threshold[target] = t.slot[source], t.threshold[source]
    t.evaluated[target] = t.evaluated[source]
    t.majority_right[target] = t.majority_right[source]
    t.bayes_right[target] = t.bayes_right[source]
    for k in range(t.votes.size):
        t.counts[target, k] = t.counts[source, k]
    a.alternate[target] = a.alternate[source]
    copy_into(member(a.windows, target), member(a.windows, source))
