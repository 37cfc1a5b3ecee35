"""The split that a leaf of `plain_trees` looks for."""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel, outlined
from repro.learners._normal import normal_probability

SQRT_2_PI = np.sqrt(2 * np.pi)


@outlined
def find_split(t, u):
    """(attribute, threshold) of the split of leaf `u` that is due; attribute -1 if none is."""
    before, n = entropy(t.counts[u]), t.counts[u].sum()
    attribute, threshold, best, second = best_split(t, t.slot[u], before)
    epsilon = bound(t.votes.size, 1e-7, n)
    due = best - second > epsilon or epsilon < 0.05
    return (attribute, threshold) if due else (-1, np.nan)


@kernel
def best_split(t, s, before):
    """(attribute, threshold, gain, second gain) by the statistics in slot `s`.

    Attributes are counted from the numeric ones to the nominal ones, whose threshold is nan.
    """
    attribute, threshold, best, second, d = -1, np.nan, -np.inf, -np.inf, t.low.shape[2]
    for j in range(d + t.bayes.first.size - 1):
        gain, at = numeric_gain(t, s, j, before) if j < d else nominal_gain(t, s, j - d, before)
        if gain >= best:
            attribute, threshold, best, second = j, at, gain, best
        elif gain > second:
            second = gain
    return attribute, threshold, best, second


@kernel
def bound(K, delta, n):
    spread = np.log2(max(2, K))
    return np.sqrt(spread * spread * -np.log(delta) / (2.0 * n))


@kernel
def numeric_gain(t, s, j, before):
    """(gain, threshold); the gain is nan when the attribute is constant."""
    low, high, best, threshold, parts = np.inf, -np.inf, np.nan, np.nan, t.parts
    for k in range(parts.shape[1]):
        if t.bayes.weights[s, k] > 0:
            low, high = min(low, t.low[s, k, j]), max(high, t.high[s, k, j])
    for q in range(1, 11):
        at = (high - low) / 11 * q + low
        if not low < at < high:
            continue
        for k in range(parts.shape[1]):
            parts[0, k], parts[1, k] = branches(t, s, j, k, at)
        left, right, gain = parts[0].sum(), parts[1].sum(), -np.inf
        if min(left, right) > 0.01 * (left + right):
            after = left * entropy(parts[0]) + right * entropy(parts[1])
            gain = before - after / (left + right)
        if np.isnan(best) or gain > best:
            best, threshold = gain, at
    return best, threshold


@kernel
def nominal_gain(t, s, j, before):
    """(gain, nan); the gain is nan when only one value was seen."""
    first, last = t.bayes.first[j], t.bayes.first[j + 1]
    total, after, shown, large = 0.0, 0.0, 0, 0
    for row in range(first, last):
        weight = t.bayes.counts[s, row].sum()
        total += weight
        shown += weight > 0
        after += weight * entropy(t.bayes.counts[s, row])
    if shown < 2:
        return np.nan, np.nan
    for row in range(first, last):
        large += t.bayes.counts[s, row].sum() > 0.01 * total
    return (before - after / total if large > 1 else -np.inf), np.nan


@kernel
def branches(t, s, j, k, at):
    """Weight of class `k` (up to, above) the threshold, as in `repro.learners._tree`."""
    count = t.bayes.weights[s, k]
    if count <= 0 or at < t.low[s, k, j]:
        return 0.0, count
    if at >= t.high[s, k, j]:
        return count, 0.0
    step = at - t.bayes.mean[s, k, j]
    deviation = np.sqrt(t.bayes.squares[s, k, j] / (count - 1)) if count > 1 else 0.0
    if not deviation > 0:
        return (count, 0.0) if step >= 0 else (0.0, count)
    share = normal_probability(step / deviation)
    if SQRT_2_PI * deviation * 1e6 < 1:
        return share * count, count - share * count
    peak = 1.0 / (SQRT_2_PI * deviation)
    equal = peak * np.exp(-(step * step / (2.0 * deviation * deviation))) * count
    below = share * count - equal
    return below + equal, max(count - equal - below, 0.0)


@kernel
def entropy(weights):
    total, logs = 0.0, 0.0
    for weight in weights:
        if weight > 0:
            total += weight
            logs += weight * np.log2(weight)
    return np.log2(total) - logs / total if total > 0 else 0.0
