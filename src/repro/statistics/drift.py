"""Tests of drift for dependent examples: of label shares, of attributes, of the concept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count, check_inside, check_kind, check_rng, shown
from repro.statistics._change_scores import scores_of_losses, scores_of_means
from repro.statistics.changes import ORDERS, Changes, changed_columns, find_changes
from repro.statistics.cross_losses import best_losses, block_rows
from repro.statistics.dependence import (
    FEWEST,
    TIMES,
    Blocks,
    correlation_time,
    cut_blocks,
)
from repro.statistics.estimates import LEVEL
from repro.statistics.seasons import seasons as find_seasons
from repro.streams.stream import Stream

__all__ = ["Aspect", "Drift", "drift_test"]

FEW = 12  # blocks that an attribute must leave to be tested
MOST_VALUES = 20  # of a nominal attribute that are looked at one by one


class Aspect(NamedTuple):
    """One thing that may change: where it does, and the p-value of "it does not".

    The p-value is multiplied by the number of aspects, and is nan where there are too few `blocks`.
    `which` are the columns that change: classes or attributes. `unplaced` says that there are
    changes whose places cannot be told.
    """

    blocks: Blocks
    positions: tuple[int, ...] = ()
    p_value: float = float("nan")
    which: tuple[int, ...] = ()
    unplaced: bool = False

    @property
    def found(self) -> bool:
        """Whether a change was found."""
        return bool(self.positions) or self.unplaced


class Drift(NamedTuple):
    """The tests of a stream: label shares, attributes and concept."""

    labels: Aspect
    attributes: Aspect
    concept: Aspect
    learner: str  # of the models that the losses are of; empty where there are none
    losses: NDArray[np.float64]  # (b, c): a model of block b alone, tested on block c
    slow: tuple[int, ...]  # attributes that are too slow to test
    constant: tuple[int, ...]  # attributes of one value
    seasons: tuple[tuple[int, ...], ...] = ()  # of each attribute, in examples

    @property
    def aspects(self) -> dict[str, Aspect]:
        """The tests by name."""
        return {"label shares": self.labels, "attributes": self.attributes, "concept": self.concept}


def drift_test(
    stream: Stream,
    rng: np.random.Generator,
    *,
    period: int = 0,
    seasons: Sequence[Collection[int]] | None = None,
    level: float = LEVEL,
    orders: int = ORDERS,
) -> Drift:
    """Test `stream` for drift of the label shares, of each attribute, and of the concept.

    The stream is cut into blocks of at least five correlation times with a gap between them.
    Without drift every order of the blocks would be as likely, so statistics of the true order are
    compared with those of random orders. The `level` holds for the three tests together
    (Bonferroni), for streams whose dependence is over within a block; longer dependence cannot be
    told from drift. Concepts that take turns can be seen if a turn takes about two blocks or more.
    Concept: whether models that were each learned on one block alone predict a block better if they
    come from its side of a change, or from certain distances. They are naive Bayes, or kernel
    least squares, which sees attributes together: what errs less within blocks (`best_losses`).

    Attributes whose dependence or seasons leave fewer than 12 blocks are not tested and not learned
    from: they are as likely to be slow as to drift. Where labels or attributes have seasons, blocks
    begin at random places (`cut_blocks`), so that a season is no drift.

    Parameters
    ----------
    stream : examples in the order of time.
    rng : of the random orders.
    period : examples of a season of the labels, such as `season` finds. 0: none.
    seasons : lengths of the seasons of each attribute; by default those that `seasons` finds.
    level : probability that a stream without drift is said to have some, at most.
    orders : random orders of the blocks.

    >>> from repro.streams import SEA, sudden
    >>> drifting = sudden(SEA(7.0), SEA(9.5), at=5000, n=10_000).sample(seed=0)
    >>> drift = drift_test(drifting, np.random.default_rng(0))
    >>> drift.concept.positions, drift.attributes.found
    ((5000,), False)
    """
    check_kind(stream, Stream, name="stream")
    check_rng(rng)
    period = check_count(period, name="period", least=0)
    level = check_inside(level, name="level")
    orders = check_count(orders, name="orders", most=10**6)
    n, times = len(stream), _times(stream)
    cycles = _seasons(stream, times) if seasons is None else _as_seasons(seasons, stream)
    kept, free = _testable(times, cycles, n, period)
    memory = correlation_time(stream.y)
    of_labels = cut_blocks(n, memory, seasons=[period] * (period > 0), rng=rng)
    blocks = cut_blocks(n, max([memory, *(times[j] for j in kept)]), seasons=free, rng=rng)
    constant = tuple(j for j, time in enumerate(times) if not time)
    slow = tuple(j for j in range(len(times)) if j not in {*kept, *constant})
    labels, attributes, concept = Aspect(of_labels), Aspect(blocks), Aspect(blocks)
    learner, losses, part = "", np.empty((0, 0)), level / 3
    if of_labels.n >= FEWEST:
        labels = _of_labels(stream, of_labels, rng, part, orders)
    if kept and blocks.n >= FEWEST:
        attributes = _of_attributes(stream, kept, blocks, rng, part, orders)
        learner, losses = best_losses(stream, kept, blocks)
        changes = find_changes(scores_of_losses(losses), blocks.n, rng, part, orders)
        concept = _aspect(changes, blocks)
    return Drift(labels, attributes, concept, learner, losses, slow, constant, cycles)


def _times(stream: Stream) -> list[float]:
    """Correlation time of each attribute; 0 of a constant one."""
    times = []
    for j, few in enumerate(_few(stream)):
        column = stream.X[:, j]
        is_constant = column.min() == column.max()
        times.append(0.0 if is_constant else correlation_time(column, nominal=few))
    return times


def _few(stream: Stream) -> list[bool]:
    """Which attributes are nominal with so few values that each is looked at."""
    return [0 < values <= MOST_VALUES for values in stream.schema.nominal]


def _seasons(stream: Stream, times: list[float]) -> tuple[tuple[int, ...], ...]:
    """Seasons of each attribute; none of a constant one."""
    parts = enumerate(zip(_few(stream), times, strict=True))
    return tuple(find_seasons(stream.X[:, j], nominal=few) if t else () for j, (few, t) in parts)


def _is_many(entry: object) -> bool:
    return isinstance(entry, Collection) and getattr(entry, "ndim", 1) > 0


def _as_seasons(seasons: Sequence[Collection[int]], stream: Stream) -> tuple[tuple[int, ...], ...]:
    count = stream.schema.n_features
    is_list = isinstance(seasons, Sequence) and not isinstance(seasons, str)
    if not is_list or len(seasons) != count or not all(map(_is_many, seasons)):
        rule = f"must have one entry for each of {count} attributes, a collection of lengths"
        raise ValueError(f"seasons {rule}; got {shown(seasons)}")
    return tuple(tuple(check_count(p, name="seasons") for p in of) for of in seasons)


def _testable(
    times: list[float], seasons: tuple[tuple[int, ...], ...], n: int, period: int
) -> tuple[list[int], tuple[int, ...]]:
    """The attributes that leave enough blocks, and the seasons of these and of the labels.

    A season that divides another has the same phase where that has.
    """
    kept: list[int] = []
    free: tuple[int, ...] = (period,) * (period > 0)
    for j in sorted(range(len(times)), key=lambda j: max(seasons[j], default=0)):
        of = {*free, *seasons[j]}
        joined = tuple(sorted(p for p in of if not any(q % p == 0 for q in of - {p})))
        fits = joined == free or 2 * sum(joined) <= n / FEW
        if 0 < times[j] <= n / (TIMES * FEW) and fits:
            kept.append(j)
            free = joined
    return sorted(kept), free


def _aspect(changes: Changes, blocks: Blocks) -> Aspect:
    positions = tuple(int(blocks.length * b) for b in changes.blocks)
    return Aspect(blocks, positions, min(3 * changes.p_value, 1.0), unplaced=changes.unplaced)


def _of_means(
    means: NDArray[np.float64],
    owners: NDArray[np.int64],
    blocks: Blocks,
    rng: np.random.Generator,
    level: float,
    orders: int,
) -> Aspect:
    """The test of columns of means, of which column j belongs to ``owners[j]``."""
    aspect = _aspect(find_changes(scores_of_means(means), blocks.n, rng, level, orders), blocks)
    if not aspect.found:
        return aspect
    which = np.unique(owners[changed_columns(means, rng, orders) <= level])
    return aspect._replace(which=tuple(which.tolist()))


def _of_labels(
    stream: Stream, blocks: Blocks, rng: np.random.Generator, level: float, orders: int
) -> Aspect:
    K = stream.schema.n_classes
    pairs = list(zip(blocks.starts, blocks.stops, strict=True))
    shares = np.array([np.bincount(stream.y[a:b], minlength=K) / (b - a) for a, b in pairs])
    return _of_means(shares, np.arange(K), blocks, rng, level, orders)


def _of_attributes(
    stream: Stream,
    kept: list[int],
    blocks: Blocks,
    rng: np.random.Generator,
    level: float,
    orders: int,
) -> Aspect:
    rows, means, owners = block_rows(blocks), [], []
    for j in kept:
        column = np.stack([stream.X[part, j] for part in rows])  # (blocks, examples of a block)
        made = _shares(column) if stream.schema.nominal[j] else _places(column)
        means.append(made)
        owners += [j] * made.shape[1]
    return _of_means(np.hstack(means), np.array(owners), blocks, rng, level, orders)


def _shares(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the most frequent values in each block."""
    values, counts = np.unique(column, return_counts=True)
    kept = values[np.argsort(-counts, kind="stable")[:MOST_VALUES]]
    return np.stack([(column == value).mean(axis=1) for value in kept], axis=1)


def _places(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the ranks in each block, and of their distance from the middle: place and spread."""
    _, back, counts = np.unique(column, return_inverse=True, return_counts=True)
    middle = (counts.cumsum() - counts / 2) / column.size - 0.5
    ranks = middle[back.reshape(column.shape)]
    return np.stack([ranks.mean(axis=1), np.abs(ranks).mean(axis=1)], axis=1)
