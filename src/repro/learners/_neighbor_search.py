"""The search for the nearest examples of a window in its buckets, in place of all distances."""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel
from repro.learners._buckets import AXIS, bucket_of, offset_of, slack_of

__all__ = ["NOT_SEARCHED", "PARTS", "is_worth", "keep", "search"]

NOT_SEARCHED = -1
IGNORED = -1.0
COSTS = 4  # a look at an example costs as much as so many distances in a row
LONGEST_REST = 4096
# Entries of `effort`: predictions to come without a search, the length of that rest, and whether a
# weight was not a whole number.
RESTING, REST, PARTS = range(3)


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
    `nearest` gets the k smallest distances. Returns how many were found, or NOT_SEARCHED after a
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
    found, looks, left = 0, state.cursor[0] // COSTS, bucket_of(buckets, offset)
    right = left + 1
    while looks > 0:
        before = offset - (left + 1) if left >= 0 else np.inf
        after = right - offset if right < buckets.first.size else np.inf
        gap = max(0.0, min(before, after) - slack) * width
        if gap * gap > nearest[last] or gap == np.inf:
            state.effort[RESTING], state.effort[REST] = 0, state.effort[REST] // 2
            return found
        if before <= after:
            bucket, left = left, left - 1
        else:
            bucket, right = right, right + 1
        i = buckets.first[bucket]
        while i >= 0:
            looks -= 1
            distance = _distance(state, x, i, nearest[last])
            if distance <= nearest[last]:
                state.found[found], state.distances[found] = i, distance
                found += 1
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
