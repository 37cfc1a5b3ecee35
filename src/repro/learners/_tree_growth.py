"""Growth of a tree: its nodes and slots move to the pools of a new schema.

A node that is split on a nominal attribute with more values than before gets more branches, empty
leaves. The branches of a split are consecutive rows, so later rows move back. They keep their
order, which is that of their creation: the tree gets the rows that it would have had from the
start. The pools have fewer nodes and slots for a larger schema; what no longer fits is given up.

One thing differs from a tree that knew all classes from the start. The range of the gain in the
Hoeffding bound is log2 K, so a tree that learns of a third class or a later one has split sooner.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.learners._statistics import COLUMN, inherit_slots
from repro.learners._tree import NO_SLOT, NODES, PRUNED, SLOTS, make_leaves
from repro.learners.growth import Growth

__all__ = ["NewRows", "inherit_tree"]


class NewRows(NamedTuple):
    """Where the nodes of a tree have gone."""

    to: NDArray[np.int64]  # (k,) new rows of the oldest k nodes, the ones that were kept
    added: NDArray[np.int64]  # (m,) rows of new branches
    parents: NDArray[np.int64]  # (m,) the split that each of them is a branch of

    def follow(self, links: NDArray[np.int64]) -> NDArray[np.int64]:
        """New rows in place of the old ones in `links`; 0 for nodes that were given up."""
        kept = links < self.to.size
        return np.where(kept, self.to[np.where(kept, links, 0)], 0)


def inherit_tree(tree: Any, old: Any, growth: Growth) -> NewRows:
    """Fill nodes, class weights, slots and header of the fresh `tree` from the `old` one.

    If the nodes run out, the newest are given up; a split whose branches are given up becomes a
    leaf that votes by majority, with the weights of its branches. If the slots run out, the most
    promising leaves keep theirs. Fields of nodes that only some trees have are copied unchanged.
    """
    used = old.header[NODES]
    nodes, counts = old.nodes[:used].copy(), old.counts[:used].copy()
    branches = _renumber_attributes(nodes, tree, growth)
    rows = _new_rows(nodes, branches, len(tree.nodes))
    kept = rows.to.size
    _prune(nodes, counts, kept)
    nodes, counts, branches = nodes[:kept], counts[:kept], branches[:kept]
    split = nodes["n_children"] > 0
    nodes["child"][split] = rows.follow(nodes["child"][split])
    nodes["n_children"][split] = branches[split]
    _move_slots(tree, old, growth, nodes, counts, rows.to)
    tree.header[NODES] = kept + rows.added.size
    make_leaves(tree.nodes[: tree.header[NODES]])
    tree.nodes[rows.to] = nodes
    tree.counts[rows.to, : counts.shape[1]] = counts
    return rows


def _renumber_attributes(nodes: NDArray[Any], tree: Any, growth: Growth) -> NDArray[np.int64]:
    """Number the attributes of the splits as the new schema does; returns branches, 0 at leaves."""
    split = nodes["n_children"] > 0
    columns = growth.columns[nodes["column"][split]]
    numbering = np.argsort(np.append(tree.stats.numeric, tree.stats.nominal[:, COLUMN]))
    nodes["column"][split], nodes["attribute"][split] = columns, numbering[columns]
    branches: NDArray[np.int64] = nodes["n_children"].copy()
    branches[split] = np.maximum(branches[split], np.array(growth.new.nominal)[columns])
    return branches


def _new_rows(nodes: NDArray[Any], branches: NDArray[np.int64], most: int) -> NewRows:
    """The new rows of `nodes`, which get `branches`, as far as they fit into `most` rows."""
    splits = np.flatnonzero(branches)
    first, before = nodes["child"][splits], nodes["n_children"][splits]
    shift = np.zeros(len(nodes) + 1, dtype=np.int64)
    shift[first + before] = branches[splits] - before
    to = np.arange(len(nodes)) + np.cumsum(shift[:-1])
    too_far = first[to[first] + branches[splits] > most]
    kept = min([np.searchsorted(to, most), *too_far])
    more = np.where(first < kept, branches[splits] - before, 0)
    parents, ends = np.repeat(to[splits], more), np.repeat(to[first] + before, more)
    rank = np.arange(more.sum()) - np.repeat(np.cumsum(more) - more, more)
    return NewRows(to[:kept], ends + rank, parents)


def _prune(nodes: NDArray[Any], counts: NDArray[np.float64], kept: int) -> None:
    """Make leaves of the splits whose branches are not among the first `kept` nodes."""
    lost = np.flatnonzero((nodes["n_children"] > 0) & (nodes["child"] >= kept))
    for index in lost[::-1]:
        first, n = nodes["child"][index], nodes["n_children"][index]
        counts[index] = counts[first : first + n].sum(axis=0)
    nodes["attribute"][lost] = nodes["column"][lost] = -1
    nodes["child"][lost] = nodes["n_children"][lost] = 0
    nodes["slot"][lost], nodes["threshold"][lost] = PRUNED, np.nan


def _move_slots(
    tree: Any,
    old: Any,
    growth: Growth,
    nodes: NDArray[Any],
    counts: NDArray[np.float64],
    to: NDArray[np.int64],
) -> None:
    """Move the slots of `nodes`, which go to the rows `to`, all of them if there is room."""
    owners, used = np.flatnonzero(nodes["slot"] >= 0), old.header[SLOTS]
    slots = before = nodes["slot"][owners]
    if len(nodes) == old.header[NODES] and used <= tree.owner.size:
        tree.owner[:used], tree.header[:] = old.owner[:used], old.header  # with the free slots
    else:
        promise = (counts.sum(axis=1) - counts.max(axis=1))[owners]
        best = np.sort(np.argsort(-promise, kind="stable")[: tree.owner.size])
        nodes["slot"][owners] = NO_SLOT
        owners, before, slots = owners[best], before[best], np.arange(best.size)
        tree.header[SLOTS] = slots.size
    nodes["slot"][owners] = slots
    tree.owner[slots] = to[owners]
    inherit_slots(tree.stats, old.stats, growth, slots, before)
