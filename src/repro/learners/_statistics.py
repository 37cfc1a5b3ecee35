r"""Statistics of the attributes by class, and the naive Bayes densities computed from them.

The statistics are in `repro.learners._slots`. The constants of a density are updated when an
example is learned, so a prediction takes one exponential per class and no logarithm.
"""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel, outlined
from repro.learners._slots import (
    COLUMN,
    FIRST,
    HIGH,
    LOW,
    MEAN,
    NOMINAL,
    PEAK,
    PRECISION,
    SQUARES,
    WEIGHT,
)

__all__ = ["clear", "densities", "exact_densities", "observe"]

LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)
LARGEST = 600.0  # log densities up to this one need no common factor


@kernel
def clear(stats, slot):  # type: ignore[no-untyped-def]
    """Empty the slot."""
    stats.weights[slot] = 0.0
    stats.numbers[slot] = 0.0
    stats.counts[slot] = 0.0


@kernel
def observe(stats, slot, x, y, weight, votes):  # type: ignore[no-untyped-def]
    """Add the example `x` of class `y` with `weight`.

    Without `votes`, nobody asks for `densities`, and their constants stay 0.
    """
    total = stats.weights[slot, WEIGHT, y] + weight
    stats.weights[slot, WEIGHT, y] = total
    if stats.numeric.size > 0:
        numbers = stats.numbers[slot, y]
        if numbers.shape[0] > LOW:
            _widen(numbers, stats.numeric, x, total == weight)
        _update_moments(numbers, stats.numeric, x, total, weight)
        if votes:
            stats.weights[slot, PEAK, y] = _update_precisions(numbers, total)
    for j in range(stats.nominal.shape[0]):
        code = np.uint32(x[stats.nominal[j, COLUMN]])
        stats.counts[slot, stats.nominal[j, FIRST] + code, y] += weight
        values = max(stats.weights[slot, NOMINAL + 2 * j, y], code + 1.0)
        stats.weights[slot, NOMINAL + 2 * j, y] = values
        stats.weights[slot, NOMINAL + 2 * j + 1, y] = 1.0 / (total + values)


@kernel
def _update_moments(numbers, numeric, x, total, weight):  # type: ignore[no-untyped-def]
    """Welford's update."""
    for j in range(numeric.size):
        value = x[numeric[j]]
        step = value - numbers[MEAN, j]
        # weight / total first would round twice; the mean of one example is its value
        numbers[MEAN, j] = value if total == weight else numbers[MEAN, j] + weight * step / total
        numbers[SQUARES, j] += weight * step * (value - numbers[MEAN, j])


@kernel
def _update_precisions(numbers, total):  # type: ignore[no-untyped-def]
    """1 / variance of each attribute; returns the log density at the means."""
    peak, product = 0.0, 1.0
    for j in range(numbers.shape[1]):
        precision = 0.0
        if total > 1 and numbers[SQUARES, j] > 0:
            precision = (total - 1) / numbers[SQUARES, j]
            peak -= LOG_SQRT_2_PI
            product *= precision
            if not 1e-30 < product < 1e30:  # one logarithm for several factors, before overflow
                peak += 0.5 * np.log(product)
                product = 1.0
        numbers[PRECISION, j] = precision
    return peak + 0.5 * np.log(product)


@kernel
def _widen(numbers, numeric, x, first):  # type: ignore[no-untyped-def]
    for j in range(numeric.size):
        value = x[numeric[j]]
        if first or value < numbers[LOW, j]:
            numbers[LOW, j] = value
        if first or value > numbers[HIGH, j]:
            numbers[HIGH, j] = value


@kernel
def densities(stats, slot, prior, x, out):  # type: ignore[no-untyped-def]
    """Fill `out` (K,) with what is proportional to prior x density.

    A class that the slot has not seen has none. As MOA does it, probabilities are multiplied (far
    from all classes, or with many attributes, all products may fall below the smallest number, and
    then are 0), and the number of values of a nominal attribute is the highest code that the class
    has shown by then, plus 1.
    """
    if stats.numeric.size > 0:
        _normal_densities(stats, slot, prior, x, out)
    else:
        for k in range(out.size):
            out[k] = prior[k] if stats.weights[slot, WEIGHT, k] > 0 else 0.0
    for j in range(stats.nominal.shape[0]):
        code = np.uint32(x[stats.nominal[j, COLUMN]])
        row = stats.counts[slot, stats.nominal[j, FIRST] + code]
        inverse = stats.weights[slot, NOMINAL + 2 * j + 1]
        for k in range(out.size):
            out[k] *= (row[k] + 1.0) * inverse[k]


@kernel
def _normal_densities(stats, slot, prior, x, out):  # type: ignore[no-untyped-def]
    """`densities` of the numeric attributes only."""
    highest = 0.0
    for k in range(out.size):
        out[k] = -np.inf
        if prior[k] > 0 and stats.weights[slot, WEIGHT, k] > 0:
            out[k] = _log_normal(stats, slot, x, k)
            highest = max(highest, out[k] - LARGEST)
    for k in range(out.size):
        out[k] = prior[k] * np.exp(out[k] - highest) if out[k] > -np.inf else 0.0


@outlined
def exact_densities(stats, slot, prior, x, out):  # type: ignore[no-untyped-def]
    """`densities` from logarithms, relative to the highest: all 0 only if every density is 0."""
    highest = -np.inf
    for k in range(out.size):
        out[k] = -np.inf
        if prior[k] > 0 and stats.weights[slot, WEIGHT, k] > 0:
            out[k] = np.log(prior[k]) + _log_normal(stats, slot, x, k)
            for j in range(stats.nominal.shape[0]):
                row = stats.nominal[j, FIRST] + np.uint32(x[stats.nominal[j, COLUMN]])
                inverse = stats.weights[slot, NOMINAL + 2 * j + 1, k]
                out[k] += np.log((stats.counts[slot, row, k] + 1.0) * inverse)
            highest = max(highest, out[k])
    for k in range(out.size):
        out[k] = np.exp(out[k] - highest) if out[k] > -np.inf else 0.0


@kernel
def _log_normal(stats, slot, x, k):  # type: ignore[no-untyped-def]
    """Log density of the numeric attributes of `x` in class `k`."""
    total = 0.0
    numbers = stats.numbers[slot, k]
    for j in range(stats.numeric.size):
        step = x[stats.numeric[j]] - numbers[MEAN, j]
        if numbers[PRECISION, j] > 0:
            total += step * step * numbers[PRECISION, j]
        elif step != 0:
            return -np.inf
    return stats.weights[slot, PEAK, k] - 0.5 * total
