"""Plain loops for ensembles of naive Bayes and of trees.

For ADWIN, whose buckets would make a long loop of their own, they call the library's kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from plain_bayes import columns, densities, empty, forget, observe
from plain_trees import ADAPTIVE, NODES, add_shares, grow, leaf_below, learn, plant, weigh

from repro import Stream
from repro.detectors import ADWIN
from repro.detectors.adwin import adwin_mean, adwin_rose
from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.kernels.states import copy_into, member, stacked

MEMBERS, MOST = 10, 100


def weighted_majority(stream: Stream) -> np.ndarray:
    """Experts are slots of naive Bayes; the first ones of `order` are in use, oldest first."""
    y_pred, votes = np.empty(len(stream), np.int64), np.zeros((2, stream.n_classes))
    experts = np.append(1.0, np.zeros(MOST - 1)), np.arange(MOST), np.zeros(MOST, np.int64)
    _weighted_majority(*columns(stream), stream.y, y_pred, empty(stream, MOST), *experts, *votes)
    return y_pred


@kernel
def _weighted_majority(X, codes, y, y_pred, b, weights, order, label, votes, out):
    used = 1
    for i in range(y.size):
        out[:] = 0.0
        if i > 0:  # before that an expert would vote for class 0
            for m in order[:used]:
                densities(b, m, b.weights[m], X[i], codes[i], votes)
                label[m] = votes.argmax()
                out[label[m]] += weights[m]
        y_pred[i] = out.argmax()
        if (i + 1) % 50 == 0:
            used = _update_experts(y[i], weights, order, label, used, out)
            if out.argmax() != y[i]:
                if used == order.size:
                    used = _without(_lightest(weights, order), order, used)
                m = order[used]
                used += 1
                weights[m] = 1.0
                forget(b, m)
        for m in order[:used]:
            observe(b, m, X[i], codes[i], y[i], 1.0)


@kernel
def _update_experts(c, weights, order, label, used, out):
    """Halve the weights of experts that err, fill `out`, remove light ones; how many are left."""
    heaviest = 0.0
    out[:] = 0.0
    for m in order[:used]:
        if label[m] != c:
            weights[m] *= 0.5
        out[label[m]] += weights[m]
        heaviest = max(heaviest, weights[m])
    for m in order[:used]:
        weights[m] /= heaviest
    i = 0
    while i < used:
        if weights[order[i]] < 0.01:
            used = _without(i, order, used)
        else:
            i += 1
    return used


@kernel
def _lightest(weights, order):
    lightest = 0
    for i in range(order.size):
        if weights[order[i]] < weights[order[lightest]]:
            lightest = i
    return lightest


@kernel
def _without(i, order, used):
    slot = order[i]
    for j in range(i, used - 1):
        order[j] = order[j + 1]
    order[used - 1] = slot
    return used - 1


def bag(stream: Stream) -> np.ndarray:
    """Trees, one after the other along the whole stream: what one learns does not touch others."""
    times = np.empty((MEMBERS, len(stream)))
    _draw(times, *_weights(1.0))
    shares, y_pred = np.zeros((len(stream), stream.n_classes)), np.empty(len(stream), np.int64)
    X, codes = columns(stream)
    for of_member in times:
        t = plant(stream, of_member.sum())
        grow(X, codes, stream.y, y_pred, ADAPTIVE, of_member, shares, t)
    return shares.argmax(axis=1)


def _weights(rate: float) -> tuple[np.ndarray, np.ndarray]:
    return random.start(0, "bagging"), random.poisson_table(rate)


@kernel
def _draw(times, rng, table):
    for i in range(times.shape[1]):
        for m in range(times.shape[0]):
            times[m, i] = random.poisson(rng, table)


def _windows() -> tuple[Any, Any]:
    """An ADWIN for each member, and one for restarts."""
    fresh = ADWIN(0.002).start()
    return stacked([fresh], MEMBERS), fresh


@kernel
def _worst(windows):
    worst, highest = 0, -1.0
    for m in range(MEMBERS):
        mean = adwin_mean(member(windows, m))
        if mean > highest:
            worst, highest = m, mean
    return worst


def bayes_bag_adwin(stream: Stream) -> np.ndarray:
    y_pred, out = np.empty(len(stream), np.int64), np.zeros((2, stream.n_classes))
    b, label = empty(stream, MEMBERS), np.zeros(MEMBERS, np.int64)
    of_bag = *_weights(1.0), *_windows(), label, *out
    _bayes_bag_adwin(*columns(stream), stream.y, y_pred, b, *of_bag)
    return y_pred


@kernel
def _bayes_bag_adwin(X, codes, y, y_pred, b, rng, table, windows, fresh, label, out, votes):
    for i in range(y.size):
        out[:] = 0.0
        for m in range(MEMBERS):
            densities(b, m, b.weights[m], X[i], codes[i], votes)
            label[m] = votes.argmax()
            add_shares(votes, out)
        y_pred[i], rose = out.argmax(), False
        for m in range(MEMBERS):
            times = random.poisson(rng, table)
            if times > 0:
                observe(b, m, X[i], codes[i], y[i], float(times))
                densities(b, m, b.weights[m], X[i], codes[i], votes)
                label[m] = votes.argmax()
            rose |= adwin_rose(member(windows, m), 1.0 if label[m] != y[i] else 0.0)
        if rose:
            worst = _worst(windows)
            forget(b, worst)
            copy_into(member(windows, worst), fresh)


def tree_bag_adwin(stream: Stream, rate: float) -> np.ndarray:
    """The bag of Oza with rate 1, the leveraging bag with rate 6."""
    n, y_pred, out = len(stream), np.empty(len(stream), np.int64), np.zeros(stream.n_classes)
    t = plant(stream, 1.2 * rate * MEMBERS * n + 1000 * rate + 10 * n, MEMBERS)
    roots, leaves = np.arange(MEMBERS), np.zeros(MEMBERS, np.int64)
    of_bag = *_weights(rate), *_windows(), roots, leaves, *np.zeros((2, MEMBERS), np.int64), out
    _tree_bag_adwin(*columns(stream), stream.y, y_pred, t, *of_bag)
    return y_pred


@kernel
def _tree_bag_adwin(
    X, codes, y, y_pred, t, rng, table, windows, fresh, roots, leaves, label, by_bayes, out
):
    for i in range(y.size):
        out[:] = 0.0
        for m in range(MEMBERS):
            leaves[m] = leaf_below(t, roots[m], X[i], codes[i])
            trusted = weigh(t, leaves[m], X[i], codes[i], ADAPTIVE)
            votes = t.votes if trusted else t.counts[leaves[m]]
            label[m], by_bayes[m] = votes.argmax(), t.votes.argmax()
            add_shares(votes, out)
        y_pred[i], rose = out.argmax(), False
        for m in range(MEMBERS):
            times = random.poisson(rng, table)
            if times > 0:
                u = leaves[m]
                learn(t, u, X[i], codes[i], y[i], float(times), ADAPTIVE, by_bayes[m])
                u = leaf_below(t, u, X[i], codes[i])
                trusted = weigh(t, u, X[i], codes[i], ADAPTIVE)
                label[m] = t.votes.argmax() if trusted else t.counts[u].argmax()
            rose |= adwin_rose(member(windows, m), 1.0 if label[m] != y[i] else 0.0)
        if rose:
            worst = _worst(windows)
            roots[worst] = t.used[NODES]  # a new root; the old tree is left where it is
            t.used[NODES] += 1
            copy_into(member(windows, worst), fresh)
