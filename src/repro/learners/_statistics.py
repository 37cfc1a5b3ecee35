r"""Statistics of the attributes by class, in slots, and the densities of naive Bayes from them.

Naive Bayes has one slot, a tree has one for each leaf that learns. The constants of a density are
updated when an example is learned, so a prediction takes one exponential per class and no
logarithm.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank
from repro.learners.growth import Growth, inherit
from repro.streams.stream import Schema

__all__ = [
    "COLUMN",
    "FIRST",
    "HIGH",
    "LOW",
    "MEAN",
    "NOMINAL",
    "SQUARES",
    "VALUES",
    "WEIGHT",
    "ClassStatistics",
    "clear",
    "densities",
    "exact_densities",
    "inherit_slots",
    "observe",
    "slot_bytes",
    "statistics",
]

# Rows of `numbers`; the last two are for trees, whose thresholds lie between them.
MEAN, PRECISION, SQUARES, LOW, HIGH = range(5)
# Rows of `weights`: weight of each class; log of the normal densities at their means; and two rows
# for each nominal attribute: V, the number of its values, and 1 / (weight + V).
WEIGHT, PEAK, NOMINAL = range(3)
# Columns of `nominal`: column of X, its first row in `counts`, number of its values.
COLUMN, FIRST, VALUES = range(3)
MOST_VALUES = np.iinfo(np.uint32).max  # rows of `counts` that such an index reaches
LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)
LARGEST = 600.0  # log densities up to this one need no common factor


class ClassStatistics(NamedTuple):
    """S slots for K classes, d numeric attributes, and nominal attributes with V values in all."""

    weights: NDArray[np.float64]  # (S, 2 + 2 x number of nominal attributes, K)
    numbers: NDArray[np.float64]  # (S, K, 3 or 5, d): mean, 1 / variance, sum of squares, ranges
    counts: NDArray[np.float64]  # (S, V, K)
    numeric: NDArray[np.uint32]  # (d,) columns of X
    nominal: NDArray[np.uint32]  # (number of nominal attributes, 3)


class Layout(NamedTuple):
    """Shapes of one slot, and where the attributes are, as in `ClassStatistics`."""

    weights: tuple[int, int]
    numbers: tuple[int, int, int]
    counts: tuple[int, int]
    numeric: NDArray[np.uint32]  # a kernel does not ask whether such an index counts from the end
    nominal: NDArray[np.uint32]


@lru_cache
def _layout(schema: Schema, ranges: bool) -> Layout:
    if sum(schema.nominal) > MOST_VALUES:
        rule = f"must be {MOST_VALUES} values at most, in all"
        raise ValueError(f"schema.nominal {rule}; got {sum(schema.nominal)}")
    nominal, K = np.array(schema.nominal, dtype=np.int64), schema.n_classes
    numeric, columns = np.flatnonzero(nominal == 0), np.flatnonzero(nominal)
    values = nominal[columns]
    return Layout(
        weights=(NOMINAL + 2 * values.size, K),
        numbers=(K, 5 if ranges else 3, numeric.size),
        counts=(int(values.sum()), K),
        numeric=numeric.astype(np.uint32),
        nominal=np.column_stack([columns, values.cumsum() - values, values]).astype(np.uint32),
    )


def statistics(schema: Schema, slots: int = 1, *, ranges: bool = False) -> ClassStatistics:
    """`slots` empty slots; `ranges`: also keep the lowest and highest value of each class."""
    one = _layout(schema, ranges)
    return ClassStatistics(
        weights=blank((slots, *one.weights)),
        numbers=blank((slots, *one.numbers)),
        counts=blank((slots, *one.counts)),
        numeric=one.numeric.copy(),
        nominal=one.nominal.copy(),
    )


def slot_bytes(schema: Schema) -> int:
    """Memory of one slot with ranges, in bytes."""
    return 8 * sum(prod(shape) for shape in _layout(schema, True)[:3])


@inherit.register
def _inherit(state: ClassStatistics, old: Any, growth: Growth) -> None:
    slots = np.arange(len(old.weights))
    inherit_slots(state, old, growth, slots, slots)


def inherit_slots(
    state: ClassStatistics,
    old: ClassStatistics,
    growth: Growth,
    to: NDArray[np.int64],
    at: NDArray[np.int64],
) -> None:
    """Fill the slots `to` of `state` from the slots `at` of `old`.

    The statistics of zeros in a numeric attribute are zeros, as in a fresh slot. In a nominal one
    they are the weights of the classes at code 0, and one value shown by each class seen.
    """
    K = growth.old.n_classes
    totals, weights = old.weights[at, WEIGHT], state.weights[..., :K]
    weights[to, :NOMINAL] = old.weights[at, :NOMINAL]
    places = np.searchsorted(state.numeric, growth.columns[old.numeric])
    state.numbers[np.ix_(to, np.arange(K), np.arange(old.numbers.shape[2]), places)] = old.numbers[
        at
    ]
    before = {growth.columns[column]: j for j, column in enumerate(old.nominal[:, COLUMN])}
    for j, (column, first, _) in enumerate(state.nominal):
        row = NOMINAL + 2 * j
        if column in before:
            _, old_first, values = old.nominal[before[column]]
            counts = old.counts[at, old_first : old_first + values]
            shown = old.weights[at, NOMINAL + 2 * before[column]]
        else:
            counts, shown = totals[:, np.newaxis], np.sign(totals)
        state.counts[to, first : first + counts.shape[1], :K] = counts
        weights[to, row] = np.maximum(weights[to, row], shown)  # `exact` starts with all values
        inverse = np.zeros_like(totals)
        np.divide(1.0, totals + weights[to, row], out=inverse, where=totals > 0)
        weights[to, row + 1] = inverse


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
