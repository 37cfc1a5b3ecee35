"""Shares of runs: the exact interval of one, and Fisher's exact test of two."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv
from scipy.stats import hypergeom

from repro._checks import as_floats, check_count, check_inside
from repro.statistics.estimates import LEVEL

__all__ = ["SharesTest", "equal_shares", "share_interval"]

MOST = 10_000  # runs of a side; the test looks at all splits


def share_interval(count: ArrayLike, n: ArrayLike, level: float = LEVEL) -> tuple[Any, Any]:
    r"""The exact binomial interval of the share of `count` in `n` independent cases.

    .. math:: B^{-1}_{\alpha/2}(x,\ n - x + 1) \quad\text{to}\quad
              B^{-1}_{1-\alpha/2}(x + 1,\ n - x)

    with the quantiles of the beta distribution, 0 for x = 0 and 1 for x = n: the true share is
    outside with a probability of at most `level`. Clopper and Pearson (1934), Biometrika 26,
    404-413. `count` and `n` are numbers or arrays that broadcast, the ends have their shape. They
    need not be whole: cases that depend on each other count as fewer.

    Raises ValueError for counts below 0 or above n, and n that is not above 0.

    >>> [round(end, 3) for end in share_interval(9, 10)]
    [0.555, 0.997]
    """
    x, size = as_floats(count, name="count"), as_floats(n, name="n")
    if not (is_size := np.isfinite(size) & (size > 0)).all():
        raise ValueError(f"n must be above 0 and finite; got {size[~is_size][0]:g}")
    try:
        x, size = np.broadcast_arrays(x, size)
    except ValueError:
        raise ValueError(f"count and n must broadcast; got {x.shape} and {size.shape}") from None
    if not (is_count := (x >= 0) & (x <= size)).all():
        rule = f"count must lie between 0 and n, {size[~is_count][0]:g}"
        raise ValueError(f"{rule}; got {x[~is_count][0]:g}")
    level = check_inside(level, name="level")
    is_some, is_less = x > 0, x < size
    low = np.where(is_some, betaincinv(np.where(is_some, x, 1), size - x + 1, level / 2), 0.0)
    rest = np.where(is_less, size - x, 1)
    high = np.where(is_less, betaincinv(x + 1, rest, 1 - level / 2), 1.0)
    return (low, high) if low.ndim else (float(low), float(high))


class SharesTest(NamedTuple):
    """What Fisher's test says of two shares."""

    p: float  #: nan without runs
    level: float  #: probability that the test rejects equal shares, given the sum of both sides
    resolution: float  #: least excess or lack of our runs with which the shares differ


class Fisher(NamedTuple):
    """Fisher's test given how many runs of both sides together have the property."""

    p: NDArray[np.float64]  #: for each number of runs on our side, shape (ours + 1,)
    level: float  #: probability of a p-value of at most the level asked for


def equal_shares(
    count: float, runs: float, other: float, other_runs: int, level: float = LEVEL
) -> SharesTest:
    r"""Test whether `count` of our `runs` have the same share in truth as `other` of `other_runs`.

    Fisher's exact test, two-sided: p is the probability, given the sum of both counts, of all
    splits of it that are at most as likely as the one observed. Counts are discrete, so it rejects
    equal shares at p <= `level` with a smaller probability, which the result has as its level.
    Fisher (1935), Journal of the Royal Statistical Society 98, 39-82.

    >>> test = equal_shares(6, 10, 0, 10, level=0.0125)
    >>> round(test.p, 4), round(test.level, 4), test.resolution
    (0.0108, 0.0108, 6.0)
    """
    other_runs = check_count(other_runs, name="other_runs", most=MOST)
    level = check_inside(level, name="level")
    counts = as_floats([count, runs, other], name="count, runs and other")
    is_outside = ((counts < 0) | (counts > MOST)).any() or counts[2] > other_runs
    has_no_count = counts[1] >= 1 and bool(np.isnan(counts).any())
    if is_outside or counts[0] > counts[1] or has_no_count:
        rule = f"count, runs and other must be at most {MOST}, and counts at most their runs"
        raise ValueError(f"{rule}; got {count}, {runs} and {other}")
    count, runs, other = counts.tolist()
    if not runs >= 1:
        return SharesTest(np.nan, 0.0, np.nan)
    n, a, b = int(runs), int(count), int(other)
    test = _fisher(a + b, n, other_runs, level)
    expected = n * b / other_runs
    each = (_fisher(k + b, n, other_runs, level).p[k] for k in range(n + 1))
    distances = [abs(k - expected) for k, p in enumerate(each) if p <= level]
    return SharesTest(float(test.p[a]), test.level, min(distances, default=np.nan))


@cache
def _fisher(both: int, ours: int, theirs: int, level: float) -> Fisher:
    """The test given the number `both` of runs with the property on the two sides together."""
    probability = hypergeom(ours + theirs, ours, both).pmf(np.arange(ours + 1))
    at_most = probability <= probability[:, None] * (1 + 1e-7)  # equal up to rounding errors
    p = np.minimum((at_most * probability).sum(axis=1), 1.0)
    return Fisher(p, float(probability[p <= level].sum()))
