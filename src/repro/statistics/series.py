r"""Estimates along one stream, whose examples depend on each other: means, groups of rows, changes.

A stream that exists once has no repeats. Blocks of consecutive examples, in which the dependence
stays, take their place: see `repro.metrics.block_standard_error`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from repro._checks import as_labels, as_losses, as_number, check_count, check_rng
from repro.metrics.block_errors import block_standard_error, default_block
from repro.statistics.changes import ORDERS, mean_changes
from repro.statistics.dependence import FEWEST, correlation_time, cut_blocks
from repro.statistics.drift import Aspect
from repro.statistics.estimates import LEVEL, PointEstimate
from repro.statistics.multiple import holm
from repro.statistics.seasons import season

__all__ = ["LEAST_BLOCKS", "compare_groups", "error_changes", "estimate_along"]

LARGEST = 1e100
LEAST_BLOCKS = 8  #: that a group must be in to be tested
GROUPS = ["n", "blocks", "mean", "standard_error", "rest", "difference"]
GROUPS += ["difference_standard_error", "p_value"]


def estimate_along(value: float, influence: ArrayLike, block: int | None = None) -> PointEstimate:
    """`value` with the standard error that its `influence` (n,) has along a stream.

    The degrees of freedom are the number of blocks less one. `block` is their length, by default
    that of `repro.metrics.block_standard_error`, whose errors this function raises, too.

    >>> loss = np.arange(1000) // 10 % 2  # runs of ten equal losses
    >>> estimate = estimate_along(loss.mean(), loss - loss.mean(), block=20)
    >>> estimate.value, float(estimate.standard_error), estimate.df
    (0.5, 0.0, 49)
    """
    values = as_losses(influence, name="influence")
    length = default_block(values) if block is None else check_count(block, name="block")
    error = block_standard_error(values, length)
    return PointEstimate(as_number(value, name="value"), error, -(-values.size // length) - 1)


def compare_groups(values: ArrayLike, groups: ArrayLike, block: int | None = None) -> pd.DataFrame:
    r"""Mean of the `values` in each group of rows, and its difference from the mean of the rest.

    .. math:: \widehat{\mathrm{s.e.}}^2 = \frac{B}{B - 1} \sum_b \Bigl(
              \sum_{t \in b \cap g} \frac{x_t - \bar x_g}{n_g} -
              \sum_{t \in b \setminus g} \frac{x_t - \bar x_{-g}}{n - n_g} \Bigr)^2

    with blocks b of consecutive rows, B of which hold rows of the group; but at least that of
    independent values with the variance s² of all rows, s²(1 / n_g + 1 / (n - n_g)), since a group
    whose few values are all equal shows no spread. The test of no difference is Student's, with
    B - 1 degrees of freedom; a group in fewer than eight blocks has the p-value nan, since rows
    that follow each other are like one. P-values are Holm's.

    Parameters
    ----------
    values : numbers such as losses, shape (n,).
    groups : labels 0..G-1 of the group of each row, shape (n,).
    block : number of rows in a block; by default that of `repro.metrics.block_standard_error`.

    The frame has a row for each group with rows: n, blocks (that have rows of it), mean and its
    standard_error, rest (mean of all other rows), difference and its standard error, p_value.
    Raises ValueError for arrays of different length, other labels, and values that are not in
    0..1e100.

    >>> rng = np.random.default_rng(0)
    >>> groups = rng.integers(0, 3, 3000)
    >>> frame = compare_groups(rng.random(3000) < np.array([0.1, 0.1, 0.3])[groups], groups)
    >>> (frame["p_value"] < 0.05).tolist()
    [True, True, True]
    """
    x, of = as_losses(values, name="values"), as_labels(groups, name="groups")
    if (largest := x.max(initial=0.0)) > LARGEST:  # of larger ones squares have no end
        raise ValueError(f"values must be at most {LARGEST:g}; got {largest:g}")
    if x.size != of.size:
        raise ValueError(f"groups must be as long as values, {x.size}; got {of.size}")
    length = default_block(x - x.mean()) if block is None else check_count(block, name="block")
    names, codes = np.unique(of, return_inverse=True)
    G, B = names.size, -(-x.size // min(length, x.size))
    cell = np.arange(x.size) // min(length, x.size) * G + codes
    sums, counts = (np.bincount(cell, weights=w, minlength=B * G).reshape(B, G) for w in (x, None))
    n, total = counts.sum(axis=0), sums.sum(axis=0)
    rest_sums, rest_counts = sums.sum(axis=1)[:, None] - sums, counts.sum(axis=1)[:, None] - counts
    with np.errstate(divide="ignore", invalid="ignore"):  # a single group has no rest
        mean, rest = total / n, (x.sum() - total) / (x.size - n)
        own = (sums - mean * counts) / n
        both = own - (rest_sums - rest * rest_counts) / (x.size - n)
        occupied = (counts > 0).sum(axis=0)
        factor = occupied / (occupied - 1)
        errors = [np.sqrt(factor * (part**2).sum(axis=0)) for part in (own, both)]
        errors[1] = np.maximum(errors[1], np.sqrt(x.var() * (1 / n + 1 / (x.size - n))))
    p = PointEstimate(mean - rest, errors[1], occupied - 1).p_value
    p = np.where((occupied < LEAST_BLOCKS) | ~np.isfinite(errors[1]), np.nan, p)
    columns = [n, occupied, mean, errors[0], rest, mean - rest, errors[1], holm(p)]
    index = pd.Index(names, name="group")
    return pd.DataFrame(dict(zip(GROUPS, columns, strict=True)), index=index)


def error_changes(
    loss: ArrayLike, rng: np.random.Generator, *, level: float = LEVEL, orders: int = ORDERS
) -> Aspect:
    """Where the error of a learner changes along its losses (n,), which may depend on each other.

    The losses are cut into blocks of at least five correlation times. Where they have a season,
    blocks are whole seasons long and begin at random places (`cut_blocks`). The means of the blocks
    are tested against random `orders` of them, as in `mean_changes`. Without a change, one is found
    with the probability `level` at most, if the dependence is over within a block. With fewer than
    eight blocks the p-value is nan.

    >>> rng = np.random.default_rng(0)
    >>> loss = rng.random(6000) < np.repeat([0.1, 0.3], 3000)
    >>> error_changes(loss.astype(float), rng).positions
    (3000,)
    """
    values = as_losses(loss, name="loss")
    check_rng(rng)
    codes = np.unique(values, return_inverse=True)[1]
    period = season(codes) if codes.max() < 1000 else 0
    memory = correlation_time(values)
    blocks = cut_blocks(values.size, memory, seasons=[period] * (period > 0), rng=rng)
    if blocks.n < FEWEST:
        return Aspect(blocks)
    pairs = zip(blocks.starts, blocks.stops, strict=True)
    means = [values[a:b].mean() for a, b in pairs]
    changes = mean_changes(means, rng, level=level, orders=orders)
    positions = tuple(int(blocks.length * b) for b in changes.blocks)
    return Aspect(blocks, positions, changes.p_value, (), changes.unplaced)
