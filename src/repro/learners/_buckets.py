"""The examples of a window in buckets by one attribute: near ones are found without looking at all.

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

__all__ = ["AXIS", "Buckets", "add", "blank_buckets", "bucket_of", "offset_of", "remove"]
__all__ += ["slack_of"]

LEAST = 256  # examples: fewer are looked at one by one
SIZE = 8  # examples of a bucket, about
REACH = 2.5  # standard deviations on each side of the mean that the buckets cover
NONE = -1
# Entries of `counters`: the attribute, or NONE; examples to add before the buckets are laid out.
AXIS, UNTIL = range(2)


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
