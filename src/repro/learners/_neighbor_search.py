"""The search for near examples of a window in buckets, in place of all distances.

Each bucket is a list, linked in both directions, of positions in the window. The buckets cover the
attribute whose values spread most, compared with its range, and are laid out anew from time to
time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.kernels.compiling import kernel, outlined
from repro.learners.growth import Growth, inherit

__all__ = [
    "NOT_SEARCHED",
    "PARTS",
    "Buckets",
    "add",
    "blank_buckets",
    "is_worth",
    "keep",
    "remove",
    "search",
]

LEAST = 256  # examples: fewer are looked at one by one
SIZE = 8  # examples of a bucket, about
REACH = 2.5  # standard deviations on each side of the mean that the buckets cover
NONE = -1
# Entries of `counters`: the attribute, or NONE; examples to add before the buckets are laid out.
AXIS, UNTIL = range(2)
NOT_SEARCHED = -1
IGNORED = -1.0
COSTS = 4  # a look at an example costs as much as so many distances in a row
LONGEST_REST = 4096
# Entries of `effort`: predictions to come without a search, the length of that rest, and whether a
# weight was not a whole number.
RESTING, REST, PARTS = range(3)


class Buckets(NamedTuple):
    """No buckets, as long as the attribute is `NONE`."""

    first: NDArray[np.int32]  # (b,) an example of each bucket, or NONE
    next: NDArray[np.int32]  # (w,) another example of the same bucket, or NONE
    previous: NDArray[np.int32]  # (w,)
    grid: NDArray[np.float64]  # (2,) where bucket 0 begins; buckets per unit of the attribute
    counters: NDArray[np.int64]  # (2,)


def blank_buckets(size: int) -> Buckets:
    """Buckets for a window of `size` examples."""
    small = np.int32
    return Buckets(
        first=np.full(max(1, size // SIZE), NONE, small),
        next=np.full(size, NONE, small),
        previous=np.full(size, NONE, small),
        grid=np.zeros(2),
        counters=np.array([NONE, LEAST]),
    )


@inherit.register
def _inherit(state: Buckets, old: Any, growth: Growth) -> None:
    """They are laid out again after a while."""


@kernel
def offset_of(buckets, value):  # type: ignore[no-untyped-def]
    """Distance of `value` of the attribute from the beginning, in buckets."""
    return (value - buckets.grid[0]) * buckets.grid[1]


@kernel
def slack_of(buckets, offset):  # type: ignore[no-untyped-def]
    """More than the rounding error of a difference of two offsets."""
    return 1e-9 * (abs(offset) + buckets.first.size)


@kernel
def bucket_of(buckets, offset):  # type: ignore[no-untyped-def]
    """The bucket at `offset`; the outer buckets have no end."""
    last = buckets.first.size - 1
    if offset >= last:
        return last
    return int(offset) if offset > 0 else 0


@kernel
def add(buckets, position, window, n, bounds, nominal):  # type: ignore[no-untyped-def]
    """Add the example at `position` of the `window` (d, w), which holds `n` examples.

    `bounds` are the least and greatest values (d,) of the attributes; `nominal` (d,) ones have no
    buckets.
    """
    if window.shape[1] < LEAST:
        return
    buckets.counters[UNTIL] -= 1
    if buckets.counters[UNTIL] <= 0:
        _lay_out(buckets, window, n, bounds, nominal)
    elif buckets.counters[AXIS] != NONE:
        _link(buckets, position, window[buckets.counters[AXIS], position])


@kernel
def remove(buckets, position, window):  # type: ignore[no-untyped-def]
    """Take out the example at `position`, which the `window` still holds."""
    axis = buckets.counters[AXIS]
    if axis == NONE:
        return
    before, after = buckets.previous[position], buckets.next[position]
    if before != NONE:
        buckets.next[before] = after
    else:
        buckets.first[bucket_of(buckets, offset_of(buckets, window[axis, position]))] = after
    if after != NONE:
        buckets.previous[after] = before


@kernel
def _link(buckets, position, value):  # type: ignore[no-untyped-def]
    bucket = bucket_of(buckets, offset_of(buckets, value))
    after = buckets.first[bucket]
    buckets.first[bucket] = position
    buckets.next[position], buckets.previous[position] = after, NONE
    if after != NONE:
        buckets.previous[after] = position


@outlined
def _lay_out(buckets, window, n, bounds, nominal):  # type: ignore[no-untyped-def]
    """Choose the attribute and the grid for the `n` examples, and link them all."""
    buckets.counters[AXIS], buckets.counters[UNTIL] = NONE, n
    low, high = bounds
    widest = 0.0
    for j in range(window.shape[0]):
        if nominal[j] or not high[j] > low[j]:
            continue
        mean, squares = 0.0, 0.0
        for i in range(n):
            step = window[j, i] - mean
            mean += step / (i + 1)
            squares += step * (window[j, i] - mean)
        deviation = np.sqrt(squares / n)
        per_unit = buckets.first.size / (2 * REACH * deviation)
        if deviation / (high[j] - low[j]) > widest and np.isfinite(per_unit):
            widest = deviation / (high[j] - low[j])
            buckets.counters[AXIS] = j
            buckets.grid[0], buckets.grid[1] = mean - REACH * deviation, per_unit
    buckets.first[:] = NONE
    if buckets.counters[AXIS] != NONE:
        for i in range(n):
            _link(buckets, i, window[buckets.counters[AXIS], i])


@kernel
def is_worth(state):  # type: ignore[no-untyped-def]
    """Whether to search in buckets, rather than to compute all distances.

    Not while there are none, nor where the k-th nearest does not exist. Votes of weights that are
    not whole numbers are added in the order of the window, as their sum depends on it.
    """
    is_there = state.buckets.counters[AXIS] >= 0 and state.effort[PARTS] == 0
    if not is_there or state.cursor[0] <= state.nearest.size:
        return False
    state.effort[RESTING] -= 1
    return state.effort[RESTING] < 0


@kernel
def search(state, x):  # type: ignore[no-untyped-def]
    """Fill `found` and `distances` with examples, the k nearest and all that tie among them.

    Buckets are opened from that of `x` to both sides, until none can hold a nearer example.
    `nearest` gets the k smallest distances. Returns how many it filled, or NOT_SEARCHED after a
    look at too many examples, as with many attributes; the more often, the longer is the rest.
    """
    buckets, nearest = state.buckets, state.nearest
    axis, last = buckets.counters[AXIS], nearest.size - 1
    _fill_inverses(state)
    offset, width = offset_of(buckets, x[axis]), state.inverse[axis] / buckets.grid[1]
    slack = slack_of(buckets, offset)
    if not (np.isfinite(slack) and width > 0):
        return NOT_SEARCHED
    nearest[:] = np.inf
    count, looks, left = 0, state.cursor[0] // COSTS, bucket_of(buckets, offset)
    right = left + 1
    while looks > 0:
        before = offset - (left + 1) if left >= 0 else np.inf
        after = right - offset if right < buckets.first.size else np.inf
        gap = max(0.0, min(before, after) - slack) * width
        if gap * gap > nearest[last] or gap == np.inf:
            state.effort[RESTING], state.effort[REST] = 0, state.effort[REST] // 2
            return count
        if before <= after:
            bucket, left = left, left - 1
        else:
            bucket, right = right, right + 1
        i = buckets.first[bucket]
        while i >= 0:
            looks -= 1
            distance = _distance(state, x, i, nearest[last])
            if distance <= nearest[last]:
                state.found[count], state.distances[count] = i, distance
                count += 1
                keep(nearest, distance)
            i = buckets.next[i]
    state.effort[REST] = min(2 * state.effort[REST] + 8, LONGEST_REST)
    state.effort[RESTING] = state.effort[REST]
    return NOT_SEARCHED


@kernel
def _fill_inverses(state):  # type: ignore[no-untyped-def]
    """1 / range of each numeric attribute; IGNORED for a constant one."""
    for j in range(state.inverse.size):
        state.inverse[j] = IGNORED
        if not state.nominal[j] and state.high[j] > state.low[j]:
            state.inverse[j] = 1.0 / (state.high[j] - state.low[j])


@kernel
def _distance(state, x, i, reach):  # type: ignore[no-untyped-def]
    """The squared distance of example `i`, or a part of it that is greater than `reach`."""
    total = 0.0
    for j in range(x.size):
        if state.nominal[j]:
            total += 1.0 if state.window[j, i] != x[j] else 0.0
        elif state.inverse[j] != IGNORED:
            step = (x[j] - state.window[j, i]) * state.inverse[j]
            total += step * step
        if total > reach:
            break
    return total


@kernel
def keep(nearest, distance):  # type: ignore[no-untyped-def]
    """Put `distance` into the sorted `nearest` (k,), whose greatest goes; not if it is greater."""
    rank = nearest.size - 1
    if distance >= nearest[rank]:
        return
    while rank > 0 and nearest[rank - 1] > distance:
        nearest[rank] = nearest[rank - 1]
        rank -= 1
    nearest[rank] = distance
