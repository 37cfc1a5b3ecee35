"""Slots of statistics of the attributes by class: their arrays, their memory, and their growth.

Naive Bayes has one slot, a tree has one for each leaf that learns.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    "PEAK",
    "PRECISION",
    "SQUARES",
    "VALUES",
    "WEIGHT",
    "ClassStatistics",
    "inherit_slots",
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
