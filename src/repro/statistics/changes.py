r"""Do blocks change along a stream? Tests against all orders of the same blocks.

If nothing changes, every order of exchangeable blocks is equally likely, however examples depend on
each other within a block. So statistics of the order are compared with their values on random
orders, which needs no model of the dependence (a permutation test). There are three kinds: each
split of the whole sees one lasting change; each split of a window, of 2, 4, 8, ... blocks to a
side, sees a change between others; and how alike blocks are that lie 1, 2, 4, ... apart shows
changes that come back too often to be placed. Each statistic counts in standard deviations of its
values over all orders, and the largest of them is tested.

A stream is divided where a split is largest, and the parts again while that is significant:
Matteson and James (2014), Journal of the American Statistical Association 109, 334-345. All parts
of a round are tested together, so that with the probability 1 - `level` no change too many is
found.
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
#: Orders (R, m) of the same m blocks -> the statistics of each order: of each width of a window at
#: each split, (R, widths, m - 3), and of each distance between blocks, (R, distances).
Scores = Callable[[Indices], tuple[NDArray[np.float64], NDArray[np.float64]]]


class Changes(NamedTuple):
    """First blocks of what came after each change, and the p-value of "nothing changes".

    With `unplaced` something changes whose places are not known: it comes back again and again.
    """

    blocks: tuple[int, ...]
    p_value: float
    unplaced: bool = False


def mean_changes(
    means: ArrayLike, rng: np.random.Generator, *, level: float = LEVEL, orders: int = ORDERS
) -> Changes:
    """Where the `means` of exchangeable blocks change, shape (blocks,) or (blocks, columns).

    The largest weighted CUSUM of all columns and windows, and the autocorrelations of the columns,
    are compared with their values in random `orders` of the same blocks, and so are the parts
    between the changes that are found. Without a change, one is found with the probability `level`
    at most. There must be two blocks on each side of a change.

    >>> means = [0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9]
    >>> mean_changes(means, np.random.default_rng(0))
    Changes(blocks=(6,), p_value=0.007, unplaced=False)
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
    edges, first, unplaced = [0, m], 1.0, set[tuple[int, int]]()
    while True:
        tops, best = np.full(orders + 1, -np.inf), None
        for a, b in pairwise(edges):
            if b - a < 2 * LEAST or (a, b) in unplaced:
                continue
            order = np.arange(a, b)
            shuffled = rng.permuted(np.tile(order, (orders, 1)), axis=1)
            splits, distances = scores(np.vstack([order, shuffled]))
            of_widths, of_distances = _standard(splits.max(axis=2)), _standard(distances)
            own = np.hstack([of_widths, of_distances]).max(axis=1)
            if own[0] > tops[0]:
                width = int(of_widths[0].argmax())
                is_placed = _share(of_widths.max(axis=1)) <= level
                best = (a, b), a + LEAST + int(splits[0, width].argmax()), is_placed
            tops = np.maximum(tops, own)
        p_value = _share(tops)
        first = p_value if len(edges) == 2 and not unplaced else first
        if p_value > level or best is None:
            return Changes(_refined(edges, scores), first, bool(unplaced))
        part, where, is_placed = best
        if is_placed:
            edges = sorted([*edges, where])
        else:
            unplaced.add(part)


def _refined(edges: list[int], scores: Scores) -> tuple[int, ...]:
    """Each change where the split of the part between its neighbours is largest."""
    placed = list(edges)
    for i in range(1, len(edges) - 1):
        splits, _ = scores(np.arange(placed[i - 1], placed[i + 1])[np.newaxis])
        placed[i] = placed[i - 1] + LEAST + int(splits[0, 0].argmax())
    return tuple(placed[1:-1])


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each statistic (R, k) in standard deviations of its values over the orders."""
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf))


def _share(tops: NDArray[np.float64]) -> float:
    """Share of the orders, that of the stream among them, whose largest score is as large."""
    margin = 1e-9 * max(1.0, abs(float(tops[0]))) if np.isfinite(tops[0]) else 0.0
    return float(np.mean(tops >= tops[0] - margin))


def _windows(m: int) -> tuple[Indices, Indices, Indices]:
    """Starts and ends (widths, splits) of the windows around each split, the widest first."""
    s = np.arange(LEAST, m - LEAST + 1)
    powers = LEAST ** np.arange(int(np.log2(max(2, m // 2))), 0, -1)
    widths = np.array([m, *(width for width in powers if 2 * width < m)])[:, np.newaxis]
    return (
        np.maximum(s - widths, 0),
        np.broadcast_to(s, (len(widths), s.size)),
        np.minimum(s + widths, m),
    )


def _distances(m: int) -> list[int]:
    """Distances between blocks at which their likeness is looked at: 1, 2, 4, ... below m / 2."""
    return [2**k for k in range(m.bit_length()) if 2 ** (k + 1) < m]


def scores_of_means(means: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of the means (blocks, c): the largest of all columns.

    .. math:: \sqrt{\frac{a b}{a + b}}\, |\bar z_{before} - \bar z_{after}|
              \qquad \frac{1}{m} \bigl|\sum_i z_i z_{i + \ell}\bigr|

    for a blocks before and b after a split in a window, and for blocks a distance :math:`\ell`
    apart; the columns z have mean 0 and standard deviation 1 over the m blocks.
    """

    def scores(orders: Indices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        z = _columns(means, orders)
        apart = [
            np.abs((z[:, d:] * z[:, :-d]).mean(axis=1)).max(axis=1) for d in _distances(z.shape[1])
        ]
        splits = [
            _cusums(z, *window).max(axis=2) for window in zip(*_windows(z.shape[1]), strict=True)
        ]
        return np.stack(splits, axis=1), _stacked(apart, len(orders))

    return scores


def _stacked(values: list[NDArray[np.float64]], n: int) -> NDArray[np.float64]:
    return np.stack(values, axis=1) if values else np.empty((n, 0))


def _columns(means: NDArray[np.float64], orders: Indices) -> NDArray[np.float64]:
    """The columns of each order (R, m, c), with mean 0 and deviation 1; constant columns are 0."""
    part = means[orders[0]]
    spread = part.std(axis=0)
    return np.asarray(
        ((means - part.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf))[orders]
    )


def _cusums(
    z: NDArray[np.float64], start: Indices, split: Indices, end: Indices
) -> NDArray[np.float64]:
    """Weighted difference of the means before and after each `split` of its window, (R, s, c)."""
    sums = np.concatenate([np.zeros_like(z[:, :1]), z.cumsum(axis=1)], axis=1)
    a, b = ((y - x)[:, np.newaxis] for x, y in ((start, split), (split, end)))
    before, after = (sums[:, split] - sums[:, start]) / a, (sums[:, end] - sums[:, split]) / b
    return np.asarray(np.abs(before - after) * np.sqrt(a * b / (a + b)))


def changed_columns(
    means: ArrayLike, rng: np.random.Generator, orders: int = ORDERS
) -> NDArray[np.float64]:
    """p-values of "column j does not change" (c,), corrected for the number of columns.

    The largest score of a column is compared with the largest of all columns in each random order
    (Westfall and Young 1993, Resampling-based multiple testing).

    >>> means = [[i % 3, i % 5 + 9 * (i > 9)] for i in range(20)]
    >>> (changed_columns(means, np.random.default_rng(0)) < 0.05).tolist()
    [False, True]
    """
    values = _checked(means, rng, orders)
    order = np.arange(len(values))
    shuffled = rng.permuted(np.tile(order, (orders, 1)), axis=1)
    z = _columns(values, np.vstack([order, shuffled]))
    windows = zip(*_windows(order.size), strict=True)
    tops = [_cusums(z, *window).max(axis=1) for window in windows]
    tops += [np.abs((z[:, d:] * z[:, :-d]).mean(axis=1)) for d in _distances(order.size)]
    # Each statistic has one scale for all columns, so that a column that varies more counts more.
    scales = [(top.mean(), max(top.std(), 1e-12)) for top in tops]
    largest = np.max([(t - mean) / sd for t, (mean, sd) in zip(tops, scales, strict=True)], axis=0)
    others = largest[1:].max(axis=1)
    return np.asarray((1 + (others[:, np.newaxis] >= largest[0] - 1e-9).sum(axis=0)) / (orders + 1))


def scores_of_losses(losses: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of what is learned, from `losses` (b, c): learned on b, tested on c.

    .. math:: \sqrt{\frac{a b}{a + b}} \bigl(\overline{d}_{across} - \overline{d}_{within}\bigr)
              \qquad \bigl|\overline{d}_{\ell}\bigr|

    where d are the losses without the means of their rows and columns (how well block b teaches,
    how hard block c is): across a split and on the same side of it, with a blocks before and b
    after it in a window; and of pairs a distance :math:`\ell` apart. The first is large if models
    from the other side predict worse than models from the same side do, on the same examples.
    """

    def scores(orders: Indices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        part = orders[0]
        d = np.zeros(losses.shape)
        d[np.ix_(part, part)] = _interaction(losses[np.ix_(part, part)])
        m, ordered = part.size, d[orders[:, :, None], orders[:, None, :]]
        apart = [
            np.abs(np.diagonal(ordered, k, axis1=1, axis2=2).mean(axis=1)) for k in _distances(m)
        ]
        sums = np.zeros((len(orders), m + 1, m + 1))
        sums[:, 1:, 1:] = ordered.cumsum(1).cumsum(2)

        def inside(a: Indices, b: Indices, c: Indices, e: Indices) -> NDArray[np.float64]:
            return np.asarray(sums[:, b, e] - sums[:, a, e] - sums[:, b, c] + sums[:, a, c])

        splits = []
        for start, split, end in zip(*_windows(m), strict=True):
            a, b = split - start, end - split
            across = inside(start, split, split, end) / (a * b)
            within = inside(start, split, start, split) + inside(split, end, split, end)
            within /= a * (a - 1) + b * (b - 1)
            splits.append((across - within) * np.sqrt(a * b / (a + b)))
        return np.stack(splits, axis=1), _stacked(apart, len(orders))

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
