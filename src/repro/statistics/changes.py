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

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_array, as_losses, as_matrix, check_count, check_inside, check_rng
from repro.statistics._change_scores import LEAST, Scores, column_scores, scores_of_means
from repro.statistics.estimates import LEVEL

__all__ = ["ORDERS", "Changes", "changed_columns", "find_changes", "mean_changes"]

ORDERS = 999  # random orders, beside that of the stream


class Changes(NamedTuple):
    """First blocks of what came after each change, and the p-value of "nothing changes".

    With `unplaced` there are changes whose places cannot be told, such as means that take turns.
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
    level = check_inside(level, name="level")
    return find_changes(scores_of_means(values), len(values), rng, level, orders)


def _checked(means: ArrayLike, rng: np.random.Generator, orders: int) -> NDArray[np.float64]:
    is_column = as_array(means).ndim == 1
    values = (
        as_losses(means, name="means")[:, None] if is_column else as_matrix(means, name="means")
    )
    if len(values) < 2 * LEAST:
        raise ValueError(f"means must have at least {2 * LEAST} blocks; got {len(values)}")
    check_rng(rng)
    orders = check_count(orders, name="orders", most=10**6)
    return values


class _Test(NamedTuple):
    """The blocks ``start..end - 1`` against all orders of them."""

    start: int
    end: int
    tops: NDArray[np.float64]  # (orders + 1,) largest score of each order, that of the stream first
    split: int  # where they are divided if they are
    placed_p: float  # the p-value of the splits alone


def find_changes(
    scores: Scores, m: int, rng: np.random.Generator, level: float, orders: int = ORDERS
) -> Changes:
    """Divide `m` blocks while the largest of the `scores` is significant at `level`."""
    edges, p_values, unplaced = [0, m], list[float](), set[tuple[int, int]]()
    while True:
        parts = [(a, b) for a, b in pairwise(edges) if b - a >= 2 * LEAST]
        tests = [_test(scores, *part, rng, orders) for part in parts if part not in unplaced]
        if tests:
            p_values.append(_share(np.max([test.tops for test in tests], axis=0)))
        if not tests or p_values[-1] > level:
            return Changes(_refined(edges, scores), p_values[0], bool(unplaced))
        largest = max(tests, key=lambda test: float(test.tops[0]))
        if largest.placed_p <= level:
            edges = sorted([*edges, largest.split])
        else:
            unplaced.add((largest.start, largest.end))


def _test(scores: Scores, start: int, end: int, rng: np.random.Generator, orders: int) -> _Test:
    order = np.arange(start, end)
    shuffled = rng.permuted(np.tile(order, (orders, 1)), axis=1)
    splits, distances = scores(np.vstack([order, shuffled]))
    of_widths, of_distances = _standard(splits.max(axis=2)), _standard(distances)
    split = start + LEAST + int(splits[0, of_widths[0].argmax()].argmax())
    tops = np.hstack([of_widths, of_distances]).max(axis=1)
    return _Test(start, end, tops, split, _share(of_widths.max(axis=1)))


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
    _, of_splits, distances = column_scores(values, np.vstack([order, shuffled]))
    tops = np.moveaxis(np.concatenate([of_splits, distances], axis=1), 1, 0)
    # Each statistic has one scale for all columns, so that a column that varies more counts more.
    largest = np.max([(top - top.mean()) / max(top.std(), 1e-12) for top in tops], axis=0)
    others = largest[1:].max(axis=1)
    return np.asarray((1 + (others[:, np.newaxis] >= largest[0] - 1e-9).sum(axis=0)) / (orders + 1))
