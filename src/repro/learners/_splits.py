r"""Splits of a leaf: the attribute of highest information gain, from a slot of statistics.

Attributes are numbered: first the numeric ones, in their order, then the nominal ones. A numeric
attribute is split in two at one of ten thresholds, a nominal one into all its values.
"""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel, outlined
from repro.learners._class_weights import total_weight
from repro.learners._normal import normal_probability
from repro.learners._slots import FIRST, HIGH, LOW, MEAN, SQUARES, VALUES, WEIGHT

__all__ = ["THRESHOLDS", "best_gain", "branch_weights", "entropy", "gain_of", "hoeffding_bound"]

THRESHOLDS = 10  # candidates per numeric attribute, evenly between its lowest and highest value
LEAST_SHARE = 0.01  # at least two branches must have more than this share of the weight
SQRT_2_PI = np.sqrt(2 * np.pi)
STEEP = 1e6  # highest density whose rounding error of 1e-16 does not show in the weight


@kernel
def hoeffding_bound(value_range, delta, n):  # type: ignore[no-untyped-def]
    """Deviation of a mean of `n` values in a range, exceeded with probability `delta` at most."""
    return np.sqrt(value_range * value_range * -np.log(delta) / (2.0 * n))  # 1/delta overflows


@kernel
def entropy(weights):  # type: ignore[no-untyped-def]
    """Entropy of the class `weights` (K,) in bits; 0 without any weight."""
    total, sum_of_logs = 0.0, 0.0
    for weight in weights:
        if weight > 0:
            total += weight
            sum_of_logs += weight * np.log2(weight)
    return np.log2(total) - sum_of_logs / total if total > 0 else 0.0


@outlined
def gain_of(stats, slot, attribute, before, scratch):  # type: ignore[no-untyped-def]
    """(gain, threshold) of the best split on `attribute`; `before` is the entropy without a split.

    The gain is -inf when every split leaves all but LEAST_SHARE of the weight in one branch, and
    nan when the attribute is constant; `scratch` has shape (2, K).
    """
    if attribute < stats.numeric.size:
        return _numeric_gain(stats, slot, attribute, before, scratch)
    return _nominal_gain(stats, slot, attribute - stats.numeric.size, before), np.nan


@outlined
def best_gain(stats, slot, before, scratch):  # type: ignore[no-untyped-def]
    """(attribute, threshold, gain, second gain) of the attribute with the highest gain.

    Of equal attributes the last; attribute -1 when all attributes are constant.
    """
    best, best_threshold, highest, second = -1, np.nan, -np.inf, -np.inf
    for attribute in range(stats.numeric.size + stats.nominal.shape[0]):
        gain, threshold = gain_of(stats, slot, attribute, before, scratch)
        if gain >= highest:
            best, best_threshold, highest, second = attribute, threshold, gain, highest
        elif gain > second:
            second = gain
    return best, best_threshold, highest, second


@outlined
def branch_weights(stats, slot, attribute, threshold, branch, out):  # type: ignore[no-untyped-def]
    """Fill `out` (K,) with the class weights of one `branch` of the split."""
    if attribute >= stats.numeric.size:
        nominal = stats.nominal[attribute - stats.numeric.size]
        for k in range(out.size):
            out[k] = stats.counts[slot, nominal[FIRST] + branch, k]
        return
    for k in range(out.size):
        low, high = _parts(stats, slot, attribute, k, threshold)
        out[k] = high if branch else low


@kernel
def _numeric_gain(stats, slot, j, before, scratch):  # type: ignore[no-untyped-def]
    low, high = np.inf, -np.inf
    for k in range(scratch.shape[1]):
        if stats.weights[slot, WEIGHT, k] > 0:
            low = min(low, stats.numbers[slot, k, LOW, j])
            high = max(high, stats.numbers[slot, k, HIGH, j])
    best, best_threshold = np.nan, np.nan
    for i in range(1, THRESHOLDS + 1):
        threshold = (high - low) / (THRESHOLDS + 1) * i + low  # rounded in this order, as in MOA
        if low < threshold < high:
            gain = _gain_at(stats, slot, j, threshold, before, scratch)
            if not best >= gain:
                best, best_threshold = gain, threshold
    return best, best_threshold


@kernel
def _gain_at(stats, slot, j, threshold, before, scratch):  # type: ignore[no-untyped-def]
    left, right = 0.0, 0.0
    for k in range(scratch.shape[1]):
        scratch[0, k], scratch[1, k] = _parts(stats, slot, j, k, threshold)
        left, right = left + scratch[0, k], right + scratch[1, k]
    total = left + right
    if min(left, right) <= LEAST_SHARE * total:
        return -np.inf
    return before - (left * entropy(scratch[0]) + right * entropy(scratch[1])) / total


@kernel
def _parts(stats, slot, j, k, threshold):  # type: ignore[no-untyped-def]
    """Weight of class `k` where the attribute is (at most, above) `threshold`.

    The attribute is taken as normally distributed. The weights equal MOA's to the last bit, as far
    as its predictions show. That needs three parts: below, at and above the threshold, where the
    share of the second part is the density.
    """
    weight = stats.weights[slot, WEIGHT, k]
    numbers = stats.numbers[slot, k]
    if weight <= 0 or threshold < numbers[LOW, j]:
        return 0.0, weight
    if threshold >= numbers[HIGH, j]:
        return weight, 0.0
    step = threshold - numbers[MEAN, j]
    deviation = np.sqrt(numbers[SQUARES, j] / (weight - 1)) if weight > 1 else 0.0
    if not deviation > 0:
        return (weight, 0.0) if step >= 0 else (0.0, weight)
    share = normal_probability(step / deviation)
    if SQRT_2_PI * deviation * STEEP < 1:
        return share * weight, weight - share * weight
    peak = 1.0 / (SQRT_2_PI * deviation)
    at = peak * np.exp(-(step * step / (2.0 * deviation * deviation))) * weight
    below = share * weight - at
    return below + at, max(weight - at - below, 0.0)


@kernel
def _nominal_gain(stats, slot, j, before):  # type: ignore[no-untyped-def]
    first, values = stats.nominal[j, FIRST], stats.nominal[j, VALUES]
    total, after, shown = 0.0, 0.0, 0
    for value in range(values):
        weight = total_weight(stats.counts[slot, first + value])
        total += weight
        shown += weight > 0
        after += weight * entropy(stats.counts[slot, first + value])
    if shown < 2:
        return np.nan
    large = 0
    for value in range(values):
        large += total_weight(stats.counts[slot, first + value]) > LEAST_SHARE * total
    return before - after / total if large > 1 else -np.inf
