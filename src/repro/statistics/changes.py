r"""Do blocks change along a stream? Tests against all orders of the same blocks.

If nothing changes, every order of exchangeable blocks is equally likely, however examples depend on
each other within a block. So a statistic of the order is compared with its values on random
orders, which needs no model of the dependence (a permutation test). A stream is divided where the
statistic is largest, and the parts again while that is significant: Matteson and James (2014),
Journal of the American Statistical Association 109, 334-345. All parts of a round are tested
together, so that with the probability 1 - `level` no change too many is found.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_array, as_losses, as_matrix, check_count, check_inside, check_rng
from repro.statistics.estimates import LEVEL

__all__ = [
    "ORDERS",
    "Changes",
    "changed_columns",
    "find_changes",
    "mean_changes",
    "scores_of_losses",
    "scores_of_means",
]

LEAST = 2  # blocks before and after a change
ORDERS = 999  # random orders, beside that of the stream

Indices = NDArray[np.int64]
#: Orders (R, m) of the same m blocks -> the statistic of each order at each split, (R, m - 3).
Scores = Callable[[Indices], NDArray[np.float64]]


class Changes(NamedTuple):
    """First blocks of what came after each change, and the p-value of "nothing changes"."""

    blocks: tuple[int, ...]
    p_value: float


def mean_changes(
    means: ArrayLike, rng: np.random.Generator, *, level: float = LEVEL, orders: int = ORDERS
) -> Changes:
    """Where the `means` of exchangeable blocks change, shape (blocks,) or (blocks, columns).

    A statistic of each split, the largest weighted CUSUM of all columns, is compared with its
    values in random `orders` of the same blocks, and so are the parts between the changes that are
    found. Without a change, one is found with the probability `level` at most. There must be two
    blocks on each side of a change.

    >>> means = [0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9]
    >>> mean_changes(means, np.random.default_rng(0))
    Changes(blocks=(6,), p_value=0.002)
    """
    values = _checked(means, rng, orders)
    check_inside(level, name="level")
    return find_changes(scores_of_means(values), len(values), rng, level, orders)


def _checked(means: ArrayLike, rng: np.random.Generator, orders: int) -> NDArray[np.float64]:
    is_column = as_array(means).ndim == 1
    values = (
        as_losses(means, name="means")[:, None] if is_column else as_matrix(means, name="means")
    )
    if len(values) < 2 * LEAST:
        raise ValueError(f"means must have at least {2 * LEAST} blocks; got {len(values)}")
    check_rng(rng)
    check_count(orders, name="orders", most=10**6)
    return values


def find_changes(
    scores: Scores, m: int, rng: np.random.Generator, level: float, orders: int = ORDERS
) -> Changes:
    """Divide `m` blocks while the largest of the `scores` is significant at `level`."""
    edges, p_values = [0, m], []
    while True:
        tops, where = np.full(orders + 1, -np.inf), 0
        for a, b in pairwise(edges):
            if b - a < 2 * LEAST:
                continue
            order = np.arange(a, b)
            values = scores(np.vstack([order, rng.permuted(np.tile(order, (orders, 1)), axis=1)]))
            if values[0].max() > tops[0]:
                where = a + LEAST + int(values[0].argmax())
            tops = np.maximum(tops, values.max(axis=1))
        p_values.append(_share(tops))
        if p_values[-1] > level:
            return Changes(tuple(edges[1:-1]), p_values[0])
        edges = sorted([*edges, where])


def _share(tops: NDArray[np.float64]) -> float:
    """Share of the orders, that of the stream among them, whose largest score is as large."""
    margin = 1e-9 * max(1.0, abs(float(tops[0]))) if np.isfinite(tops[0]) else 0.0
    return float(np.mean(tops >= tops[0] - margin))


def scores_of_means(means: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of the means (blocks, c): the largest weighted CUSUM of all columns.

    .. math:: \max_j \frac{|\sum_{b < s} z_{bj}|}{\sqrt{s (m - s) / m}}

    with the columns z of mean 0 and standard deviation 1 over the m blocks.
    """
    return lambda orders: _cusums(means, orders).max(axis=2)


def _cusums(means: NDArray[np.float64], orders: Indices) -> NDArray[np.float64]:
    """Weighted CUSUM of each order, split and column; columns that are constant have 0."""
    part, m = means[orders[0]], orders.shape[1]
    spread = part.std(axis=0)
    z = (means - part.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf)
    s = np.arange(LEAST, m - LEAST + 1)
    sums = np.abs(z[orders].cumsum(axis=1)[:, s - 1])
    return np.asarray(sums / np.sqrt(s * (m - s) / m)[:, np.newaxis])


def changed_columns(
    means: ArrayLike, rng: np.random.Generator, orders: int = ORDERS
) -> NDArray[np.float64]:
    """p-values of "column j does not change" (c,), corrected for the number of columns.

    The largest score of a column is compared with the largest of all columns in each random order
    (Westfall and Young 1993, Resampling-based multiple testing).

    >>> means = [[i % 3, i % 5 + 9 * (i > 9)] for i in range(20)]
    >>> changed_columns(means, np.random.default_rng(0)).round(2).tolist()
    [1.0, 0.0]
    """
    values = _checked(means, rng, orders)
    order = np.arange(len(values))
    shuffled = rng.permuted(np.tile(order, (orders, 1)), axis=1)
    tops = _cusums(values, np.vstack([order, shuffled])).max(axis=1)
    largest = tops[1:].max(axis=1)
    return np.asarray((1 + (largest[:, np.newaxis] >= tops[0] - 1e-9).sum(axis=0)) / (orders + 1))


def scores_of_losses(losses: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of what is learned, from `losses` (b, c): learned on b, tested on c.

    .. math:: \sqrt{\frac{s (m - s)}{m}} \bigl(\overline{d}_{across} - \overline{d}_{within}\bigr)

    where d are the losses without the means of their rows and columns (how well block b teaches,
    how hard block c is), across a split at s and on the same side of it. It is large if models from
    the other side predict worse than models from the same side do, on the same examples.
    """

    def scores(orders: Indices) -> NDArray[np.float64]:
        part = orders[0]
        d = np.zeros(losses.shape)
        d[np.ix_(part, part)] = _interaction(losses[np.ix_(part, part)])
        m, sums = part.size, d[orders[:, :, None], orders[:, None, :]].cumsum(1).cumsum(2)
        s = np.arange(LEAST, m - LEAST + 1)
        first = sums[:, s - 1, s - 1]
        across = sums[:, s - 1, -1] - first
        last = sums[:, -1, -1][:, np.newaxis] - first - 2 * across
        within = (first + last) / (s * (s - 1) + (m - s) * (m - s - 1))
        return np.asarray((across / (s * (m - s)) - within) * np.sqrt(s * (m - s) / m))

    return scores


def _interaction(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Symmetric part of what is left of `losses` (m, m) without row and column means.

    The diagonal, where a model is tested on what it learned, is left out and 0.
    """
    m, off = len(losses), ~np.eye(len(losses), dtype=bool)
    d = np.where(off, losses, 0.0)
    # Least squares of d_bc = r_b + c_c off the diagonal, in closed form.
    total = d.sum() / (m * (m - 1))
    R, C = d.sum(axis=1) - (m - 1) * total, d.sum(axis=0) - (m - 1) * total
    rows, columns = (((m - 1) * u + v) / (m * (m - 2)) for u, v in ((R, C), (C, R)))
    left = np.where(off, d - total - rows[:, np.newaxis] - columns, 0.0)
    return np.asarray((left + left.T) / 2)
