"""Loops for one learner each, as a programmer would write them who needs nothing else.

They know numeric attributes and examples of weight 1; they have no states that can be stored,
delays, or bounds of memory. They say what the abstractions of the library cost. Each predicts what
the library predicts, which `plain` checks.
"""

from __future__ import annotations

import numpy as np

from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.learners._normal import normal_probability

MAJORITY, BAYES, ADAPTIVE = range(3)
LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)
SQRT_2_PI = np.sqrt(2 * np.pi)


def majority(X, y, K):
    y_pred = np.empty(y.size, np.int64)
    _majority(y, y_pred, np.zeros(K))
    return y_pred


@kernel
def _majority(y, y_pred, counts):
    for i in range(y.size):
        y_pred[i] = counts.argmax()
        counts[y[i]] += 1


def naive_bayes(X, y, K):
    d, y_pred = X.shape[1], np.empty(y.size, np.int64)
    _naive_bayes(X, y, y_pred, *np.zeros((3, K)), *np.zeros((3, K, d)))
    return y_pred


@kernel
def _naive_bayes(X, y, y_pred, counts, peak, out, mean, squares, precision):
    for i in range(y.size):
        densities(X[i], counts, counts, mean, precision, peak, out)
        y_pred[i] = out.argmax()
        counts[y[i]] += 1
        peak[y[i]] = observe(X[i], counts[y[i]], mean[y[i]], squares[y[i]], precision[y[i]])


@kernel
def densities(x, prior, counts, mean, precision, peak, out):
    highest = 0.0
    for k in range(out.size):
        out[k] = -np.inf
        if prior[k] > 0 and counts[k] > 0:
            total = 0.0
            for j in range(x.size):
                step = x[j] - mean[k, j]
                if precision[k, j] > 0:
                    total += step * step * precision[k, j]
                elif step != 0:
                    total = np.inf
            out[k] = peak[k] - 0.5 * total
            highest = max(highest, out[k] - 600)
    for k in range(out.size):
        out[k] = prior[k] * np.exp(out[k] - highest) if out[k] > -np.inf else 0.0


@kernel
def observe(x, count, mean, squares, precision):
    for j in range(x.size):
        step = x[j] - mean[j]
        mean[j] = x[j] if count == 1 else mean[j] + step / count
        squares[j] += step * (x[j] - mean[j])
    return constants(count, squares, precision)


def linear_svm(X, y, K):
    d, planes, y_pred = X.shape[1], K if K > 2 else 1, np.zeros(y.size, np.int64)
    _linear_svm(X, y, y_pred, np.zeros((planes, d)), np.zeros(planes))
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


def nearest_neighbor(X, y, K, size):
    """k = 1; attributes in units of their range over the window."""
    d, y_pred, labels = X.shape[1], np.zeros(y.size, np.int64), np.zeros(size, np.int64)
    window, distance, votes = np.zeros((size, d)), np.zeros(size), np.zeros(K)
    _nearest_neighbor(X, y, y_pred, window, labels, *np.zeros((2, d)), distance, votes)
    return y_pred


@kernel
def _nearest_neighbor(X, y, y_pred, window, labels, low, high, distance, votes):
    size, d = window.shape
    for i in range(y.size):
        held = min(i, size)
        for j in range(d):
            low[j], high[j] = np.inf, -np.inf
            for r in range(held):
                low[j], high[j] = min(low[j], window[r, j]), max(high[j], window[r, j])
        least = np.inf
        for r in range(held):
            distance[r] = 0.0
            for j in range(d):
                if high[j] > low[j]:
                    step = (X[i, j] - window[r, j]) * (1.0 / (high[j] - low[j]))
                    distance[r] += step * step
            least = min(least, distance[r])
        votes[:] = 0.0
        for r in range(held):
            if distance[r] <= least:
                votes[labels[r]] += 1
        y_pred[i] = votes.argmax()
        labels[i % size] = y[i]
        for j in range(d):
            window[i % size, j] = X[i, j]


def tree(X, y, K, leaf, times, shares):
    """A Hoeffding tree that learns example i `times[i]` times; `shares` (n, K) gets its votes."""
    d, most, y_pred = X.shape[1], 64 + len(y) // 50, np.empty(y.size, np.int64)
    attribute, child = np.full(most, -1), np.zeros(most, np.int64)
    numbers = *np.zeros((4, most)), *np.zeros((3, most, K)), *np.zeros((5, most, K, d))
    scratch = np.zeros(K), np.zeros((2, K))
    _tree(X, y, y_pred, leaf, times, shares, attribute, child, *numbers, *scratch)
    return y_pred


@kernel
def _tree(
    X, y, y_pred, leaf, times, shares,
    attribute, child,
    threshold, evaluated, majority_right, bayes_right,
    counts, weights, peak,
    mean, squares, precision, low, high,
    bayes, parts,
):  # fmt: skip
    (most, K), d, nodes = counts.shape, X.shape[1], 1
    for i in range(y.size):
        u = 0
        while attribute[u] >= 0:
            u = child[u] + (X[i, attribute[u]] > threshold[u])
        if leaf != MAJORITY:
            if weights[u].sum() > 0:
                densities(X[i], counts[u], weights[u], mean[u], precision[u], peak[u], bayes)
            else:
                for k in range(K):
                    bayes[k] = counts[u, k]
            total = counts[u].sum()
            if total > 0:
                for k in range(K):
                    bayes[k] /= total
        trusted = leaf == BAYES or (leaf == ADAPTIVE and bayes_right[u] >= majority_right[u])
        out = bayes if trusted else counts[u]
        y_pred[i] = out.argmax()
        if shares.size > 0:
            total = out.sum()
            for k in range(K):
                shares[i, k] = out[k] / total if total > 0 else 0.0
        weight, c = times[i], y[i]
        if weight == 0:
            continue
        if leaf == ADAPTIVE:
            if counts[u, c] > 0 and counts[u].argmax() == c:
                majority_right[u] += weight
            if bayes.argmax() == c:
                bayes_right[u] += weight
        first, weights[u, c] = weights[u, c] == 0, weights[u, c] + weight
        for j in range(d):
            value = X[i, j]
            if first or value < low[u, c, j]:
                low[u, c, j] = value
            if first or value > high[u, c, j]:
                high[u, c, j] = value
            step = value - mean[u, c, j]
            mean[u, c, j] = value if first else mean[u, c, j] + weight * step / weights[u, c]
            squares[u, c, j] += weight * step * (value - mean[u, c, j])
        if leaf != MAJORITY:
            peak[u, c] = constants(weights[u, c], squares[u, c], precision[u, c])
        counts[u, c] += weight
        total = counts[u].sum()
        if total - evaluated[u] < 200 or nodes + 2 > most:
            continue
        evaluated[u] = total
        classes = 0
        for count in counts[u]:
            classes += count > 0
        if classes < 2:
            continue
        j, at = find_split(counts[u], weights[u], mean[u], squares[u], low[u], high[u], parts)
        if j >= 0:
            attribute[u], threshold[u], child[u] = j, at, nodes
            for k in range(K):
                counts[nodes, k], counts[nodes + 1, k] = branches(
                    at, weights[u, k], mean[u, k, j], squares[u, k, j], low[u, k, j], high[u, k, j]
                )
            evaluated[nodes], evaluated[nodes + 1] = counts[nodes].sum(), counts[nodes + 1].sum()
            nodes += 2


@kernel
def find_split(counts, weights, mean, squares, low, high, parts):
    """(attribute, threshold) of the split that is due; (-1, nan) if none is."""
    (K, d), before = mean.shape, entropy(counts)
    attribute, threshold, best, second = -1, np.nan, -np.inf, -np.inf
    for j in range(d):
        lowest, highest = np.inf, -np.inf
        for k in range(K):
            if weights[k] > 0:
                lowest, highest = min(lowest, low[k, j]), max(highest, high[k, j])
        gain, at = -np.inf, np.nan
        for q in range(1, 11):
            t = (highest - lowest) / 11 * q + lowest
            if not lowest < t < highest:
                continue
            for k in range(K):
                parts[0, k], parts[1, k] = branches(
                    t, weights[k], mean[k, j], squares[k, j], low[k, j], high[k, j]
                )
            left, right, g = parts[0].sum(), parts[1].sum(), -np.inf
            if min(left, right) > 0.01 * (left + right):
                after = left * entropy(parts[0]) + right * entropy(parts[1])
                g = before - after / (left + right)
            if np.isnan(at) or g > gain:
                gain, at = g, t
        if not np.isnan(at) and gain >= best:
            attribute, threshold, best, second = j, at, gain, best
        elif not np.isnan(at) and gain > second:
            second = gain
    spread = np.log2(max(2, K))
    bound = np.sqrt(spread * spread * -np.log(1e-7) / (2.0 * counts.sum()))
    return (attribute, threshold) if best - second > bound or bound < 0.05 else (-1, np.nan)


@kernel
def constants(count, squares, precision):
    peak, product = 0.0, 1.0
    for j in range(squares.size):
        precision[j] = 0.0
        if count > 1 and squares[j] > 0:
            precision[j] = (count - 1) / squares[j]
            peak -= LOG_SQRT_2_PI
            product *= precision[j]
            if not 1e-30 < product < 1e30:
                peak += 0.5 * np.log(product)
                product = 1.0
    return peak + 0.5 * np.log(product)


@kernel
def branches(t, count, mean, squares, low, high):
    """Weight of a class (up to, above) the threshold `t`, as `repro.learners._splits`."""
    if count <= 0 or t < low:
        return 0.0, count
    if t >= high:
        return count, 0.0
    step = t - mean
    deviation = np.sqrt(squares / (count - 1)) if count > 1 else 0.0
    if not deviation > 0:
        return (count, 0.0) if step >= 0 else (0.0, count)
    share = normal_probability(step / deviation)
    if SQRT_2_PI * deviation * 1e6 < 1:
        return share * count, count - share * count
    at = (
        1.0
        / (SQRT_2_PI * deviation)
        * np.exp(-(step * step / (2.0 * deviation * deviation)))
        * count
    )
    below = share * count - at
    return below + at, max(count - at - below, 0.0)


@kernel
def entropy(weights):
    total, logs = 0.0, 0.0
    for weight in weights:
        if weight > 0:
            total += weight
            logs += weight * np.log2(weight)
    return np.log2(total) - logs / total if total > 0 else 0.0


def bag(X, y, K, rng, table, members):
    """Trees, one after the other along the whole stream: what one learns does not touch others."""
    times = np.empty((members, y.size))
    _draw(times, rng, table)
    out, shares = np.zeros((y.size, K)), np.empty((y.size, K))
    for m in range(members):
        tree(X, y, K, ADAPTIVE, times[m], shares)
        out += shares
    return out.argmax(axis=1)


@kernel
def _draw(times, rng, table):
    for i in range(times.shape[1]):
        for m in range(times.shape[0]):
            times[m, i] = random.poisson(rng, table)
