"""A plain loop for the Hoeffding option tree: `plain_trees` with chains of optional splits.

A node with options is a chain of splits: the node itself, and further nodes that only hold a split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from plain_bayes import columns
from plain_splits import best_split, bound, entropy
from plain_trees import (
    ADAPTIVE,
    MAJORITY,
    NODES,
    Trees,
    branch_number,
    learn,
    observe_ranges,
    plant,
    split,
    weigh,
)

from repro import Stream
from repro.kernels.compiling import kernel, outlined

PATHS = 5
PRUNED = -2  # in place of a slot


class Options(NamedTuple):
    tree: Trees
    option: np.ndarray  # (N,) the next split of the chain, 0: none
    head: np.ndarray  # (N,) the node whose chain it is
    parent: np.ndarray  # (N,) the split that it is a branch of
    reach: np.ndarray  # (N,) most leaves that one example reaches from here
    visited: np.ndarray  # (N,) nodes that the example reaches
    by_bayes: np.ndarray  # (N,) what naive Bayes predicts there


def option_tree(stream: Stream) -> np.ndarray:
    y_pred, t = np.empty(len(stream), np.int64), plant(stream, 4 * PATHS * len(stream))
    o = Options(t, *np.zeros((6, t.slot.size), np.int64))
    o.reach[0] = 1
    _option_tree(*columns(stream), stream.y, y_pred, o, np.zeros(stream.n_classes))
    return y_pred


@kernel
def _option_tree(X, codes, y, y_pred, o, out):
    t = o.tree
    for i in range(y.size):
        found = _visit(o, X[i], codes[i])
        out[:] = 0.0
        for v in range(found):
            u = o.visited[v]
            if t.attribute[u] < 0:
                votes = t.votes if weigh(t, u, X[i], codes[i], ADAPTIVE) else t.counts[u]
                o.by_bayes[v] = t.votes.argmax()
                for k in range(out.size):
                    out[k] += votes[k]
        y_pred[i] = out.argmax()
        for v in range(found):
            u = o.visited[v]
            if t.attribute[u] < 0:
                first = t.used[NODES]
                learn(t, u, X[i], codes[i], y[i], 1.0, ADAPTIVE, o.by_bayes[v])
                if t.used[NODES] > first:
                    _link_branches(o, u, first)
            else:
                _learn_at_split(o, u, X[i], codes[i], y[i])


@kernel
def _visit(o, x, codes):
    """Fill `visited` from the root down; the number of nodes."""
    t = o.tree
    o.visited[0], found, i = 0, 1, 0
    while i < found:
        u = o.visited[i]
        while t.attribute[u] >= 0:
            j = t.attribute[u]
            branch = int(x[j] > t.threshold[u]) if j < x.size else codes[j - x.size]
            o.visited[found] = t.child[u] + branch
            found += 1
            u = o.option[u]
            if u == 0:
                break
        i += 1
    return found


@kernel
def _link(o, u, parent):
    o.option[u], o.head[u], o.parent[u], o.reach[u] = 0, u, parent, 1


@outlined
def _link_branches(o, u, first):
    """After the split of leaf `u`."""
    for child in range(first, o.tree.used[NODES]):
        _link(o, child, u)
    if _most_leaves(o, u) >= PATHS:
        o.tree.slot[u] = PRUNED


@kernel
def _learn_at_split(o, u, x, codes, c):
    t = o.tree
    if t.slot[u] >= 0:
        observe_ranges(t, t.slot[u], x, codes, c, 1.0, MAJORITY)
    t.counts[u, c] += 1.0
    total = t.counts[u].sum()
    if t.slot[u] < 0 or total - t.evaluated[u] < 200:
        return
    t.evaluated[u] = total
    classes = 0
    for count in t.counts[u]:
        classes += count > 0
    if classes > 1:
        _try_option(o, u)


@outlined
def _try_option(o, u):
    t = o.tree
    if _most_leaves(o, u) >= PATHS:
        t.slot[u] = PRUNED
        return
    before, n = entropy(t.counts[u]), t.counts[u].sum()
    attribute, threshold, best, _ = best_split(t, t.slot[u], before)
    if attribute < 0 or not best - _best_of_chain(o, u, before) > bound(t.votes.size, 0.1, n):
        return
    new = t.used[NODES]
    t.used[NODES] += 1
    _link(o, new, 0)
    split(t, new, t.slot[u], attribute, threshold)
    for child in range(new + 1, t.used[NODES]):
        _link(o, child, new)
    o.head[new], last = u, u
    while o.option[last] > 0:
        last = o.option[last]
    o.option[last] = new
    _update_reach(o, u)


@kernel
def _best_of_chain(o, u, before):
    t, best, at = o.tree, -np.inf, u
    while True:
        total, after = 0.0, 0.0
        for branch in range(branch_number(t, t.attribute[at])):
            counts = t.counts[t.child[at] + branch]
            weight = counts.sum()
            total, after = total + weight, after + weight * entropy(counts)
        best, at = max(best, before - after / total), o.option[at]
        if at == 0:
            return best


@kernel
def _reach_of_split(o, u):
    most = 0
    for branch in range(branch_number(o.tree, o.tree.attribute[u])):
        most = max(most, o.reach[o.tree.child[u] + branch])
    return most


@kernel
def _update_reach(o, u):
    """From node `u` up to the root."""
    while True:
        reach, at = _reach_of_split(o, u), o.option[u]
        while at > 0:
            reach += _reach_of_split(o, at)
            at = o.option[at]
        o.reach[u] = reach
        if u == 0:
            return
        u = o.head[o.parent[u]]


@kernel
def _most_leaves(o, u):
    """Of the whole tree, for an example that passes node `u`."""
    total = o.reach[u]
    while u != 0:
        above = o.parent[u]
        u = o.head[above]
        at = u
        while True:
            if at != above:
                total += _reach_of_split(o, at)
            at = o.option[at]
            if at == 0:
                break
    return total
