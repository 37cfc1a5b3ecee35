"""Nearest neighbours over a sliding window of the last examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count, check_fits, check_flag, settle
from repro.kernels.compiling import kernel
from repro.learners._neighbor_search import (
    NOT_SEARCHED,
    PARTS,
    Buckets,
    add,
    blank_buckets,
    is_worth,
    keep,
    remove,
    search,
)
from repro.learners.growth import Growth, inherit, inherit_parts
from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, votes
from repro.streams.stream import Schema

__all__ = ["NearestNeighbors"]

BLOCK = 512  # distances computed together: they stay in the first-level cache


class NearestNeighborsState(NamedTuple):
    """The window as a ring buffer, one row per attribute: distances vectorise over examples.

    An attribute that is not scaled has the fixed range 0..1.
    """

    window: NDArray[np.float64]  # (d, w)
    weights: NDArray[np.float64]  # (w,)
    labels: NDArray[np.int64]  # (w,)
    cursor: NDArray[np.int64]  # (2,) examples in the window; position of the next example
    low: NDArray[np.float64]  # (d,) least value in the window
    high: NDArray[np.float64]  # (d,) greatest value in the window
    scaled: NDArray[np.bool_]  # (d,) numeric attributes that are scaled
    nominal: NDArray[np.bool_]  # (d,)
    buckets: Buckets  # of the examples in the window
    effort: NDArray[np.int64]  # (3,) see `repro.learners._neighbor_search`
    inverse: NDArray[np.float64]  # (d,) scratch
    found: NDArray[np.int32]  # (w,) scratch
    distances: NDArray[np.float64]  # (w,) scratch
    nearest: NDArray[np.float64]  # (k,) scratch


@dataclass(frozen=True)
class NearestNeighbors(Learner):
    r"""The `k` nearest of the last `window` examples vote, one vote each.

    .. math:: d(x, z)^2 = \sum_{j\ \text{numeric}} \Bigl(\frac{x_j - z_j}{\max_j - \min_j}\Bigr)^2
              + \sum_{j\ \text{nominal}} [x_j \ne z_j]

    With `scale`, each numeric attribute is divided by its range over the window, and an attribute
    that is constant there is ignored. All examples that tie with the k-th nearest vote. An example
    of weight *v* has *v* votes.

    >>> NearestNeighbors(window=100)
    NearestNeighbors(k=1, window=100, scale=True)
    """

    k: int = 1
    window: int = 1000
    scale: bool = True

    paper: ClassVar[str] = "Cover and Hart (1967), IEEE Trans. Inf. Theory 13, 21-27"

    def __post_init__(self) -> None:
        for name in ("k", "window"):
            value = getattr(self, name)
            check_fits(8 * check_count(value, name=name), name=name, value=value)
            settle(self, **{name: int(value)})  # int8 could not hold the product below
        check_flag(self.scale, name="scale")

    def start(self, schema: Schema, seed: int = 0) -> NearestNeighborsState:
        """An empty window."""
        d, nominal = schema.n_features, np.array(schema.nominal) > 0
        check_fits(8 * (d + 3) * self.window, name="window", value=self.window)
        return NearestNeighborsState(
            window=np.zeros((d, self.window)),
            weights=np.zeros(self.window),
            labels=np.zeros(self.window, np.int64),
            cursor=np.zeros(2, np.int64),
            low=np.full(d, np.inf if self.scale else 0.0),
            high=np.full(d, -np.inf if self.scale else 1.0),
            scaled=~nominal if self.scale else np.zeros(d, np.bool_),
            nominal=nominal,
            buckets=blank_buckets(self.window),
            effort=np.zeros(3, np.int64),
            inverse=np.zeros(d),
            found=np.zeros(self.window, np.int32),
            distances=np.zeros(self.window),
            nearest=np.zeros(self.k),
        )


@inherit.register
def _inherit(state: NearestNeighborsState, old: Any, growth: Growth) -> None:
    """The window holds zeros for a new attribute, which are its range if the window is not empty.

    The kinds of attributes are those of the new schema.
    """
    if old.cursor[0] > 0:
        state.low[state.scaled] = state.high[state.scaled] = 0.0
    inherit_parts(state, old._replace(scaled=state.scaled, nominal=state.nominal), growth)


@implements(votes, NearestNeighborsState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    n = state.cursor[0]
    if n == 0:
        return
    count = search(state, x) if is_worth(state) else NOT_SEARCHED
    if count != NOT_SEARCHED:
        reach = state.nearest[state.nearest.size - 1]
        for c in range(count):
            if state.distances[c] <= reach:
                out[state.labels[state.found[c]]] += state.weights[state.found[c]]
        return
    for start in range(0, n, BLOCK):
        _fill_distances(state, x, start, min(start + BLOCK, n))
    reach = _kth_smallest(state.distances[:n], state.nearest)
    for i in range(n):
        if state.distances[i] <= reach:
            out[state.labels[i]] += state.weights[i]


@implements(learn, NearestNeighborsState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    size, position = state.labels.size, state.cursor[1]
    full = state.cursor[0] == size
    state.cursor[0] = min(state.cursor[0] + 1, size)
    state.cursor[1] = (position + 1) % size
    if full:
        remove(state.buckets, position, state.window)
    if weight != np.floor(weight):
        state.effort[PARTS] = 1
    state.labels[position], state.weights[position] = y, weight
    for j in range(x.size):
        gone, state.window[j, position] = state.window[j, position], x[j]
        if not state.scaled[j]:
            continue
        if full and gone != x[j] and (gone == state.low[j] or gone == state.high[j]):
            state.low[j], state.high[j] = _range(state.window[j])
        else:
            state.low[j] = min(state.low[j], x[j])
            state.high[j] = max(state.high[j], x[j])
    n, bounds = state.cursor[0], (state.low, state.high)
    add(state.buckets, position, state.window, n, bounds, state.nominal)


@kernel
def _fill_distances(state, x, start, stop):  # type: ignore[no-untyped-def]
    distances = state.distances[start:stop]
    distances[:] = 0.0
    for j in range(x.size):
        column, value = state.window[j, start:stop], x[j]
        if state.nominal[j]:
            for i in range(distances.size):
                distances[i] += 1.0 if column[i] != value else 0.0
        elif state.high[j] > state.low[j]:
            inverse = 1.0 / (state.high[j] - state.low[j])
            for i in range(distances.size):
                step = (value - column[i]) * inverse
                distances[i] += step * step


@kernel
def _kth_smallest(values, scratch):  # type: ignore[no-untyped-def]
    """The k-th smallest of `values`, the greatest of fewer than k; `scratch` has shape (k,)."""
    k = min(scratch.size, values.size)
    if k == 1:
        return _smallest(values)
    scratch[:] = np.inf
    for value in values:
        keep(scratch, value)
    return scratch[k - 1]


@kernel
def _smallest(values):  # type: ignore[no-untyped-def]
    least, other = np.inf, np.inf  # two at a time: each comparison waits for the one before
    for i in range(0, values.size - 1, 2):
        least = values[i] if values[i] < least else least
        other = values[i + 1] if values[i + 1] < other else other
    if values.size % 2 == 1:
        last = values[values.size - 1]
        least = last if last < least else least
    return least if least < other else other


@kernel
def _range(values):  # type: ignore[no-untyped-def]
    low, high = np.inf, -np.inf
    for value in values:
        low = value if value < low else low
        high = value if value > high else high
    return low, high
