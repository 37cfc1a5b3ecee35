"""The Hoeffding option tree: a node may have several splits, and examples go down all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_count, check_inside
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, state_bytes
from repro.learners._splits import entropy, gain_of, hoeffding_bound
from repro.learners._statistics import ClassStatistics, observe, statistics
from repro.learners._tree import (
    LEAVES,
    NODE,
    NODES,
    PRUNED,
    begin,
    blank_pools,
    check_settings,
    child_of,
    find_split,
    grow,
    leaf_votes,
    learn_at_leaf,
    new_node,
    pool,
    ready_to_split,
    release_slot,
    tree_census,
    used_bytes,
)
from repro.learners.learner import Learner, census
from repro.learners.verbs import implements, learn, restart, votes
from repro.streams.stream import Schema

__all__ = ["HoeffdingOptionTree"]

# A node with options is a chain of splits: the node itself, and records that are nothing else.
OPTION_NODE = np.dtype(
    [
        *NODE.descr,
        ("option", np.int64),  # the next split of the chain; 0: none
        ("head", np.int64),  # the node whose chain it is
        ("parent", np.int64),  # the split that it is a branch of
        ("reach", np.int64),  # most leaves that one example reaches from here
    ],
    align=True,
)


class HoeffdingOptionTreeState(NamedTuple):
    """A tree from the root, node 0, on; nodes that may get options keep their statistics."""

    nodes: NDArray[Any]  # (N,) of OPTION_NODE
    counts: NDArray[np.float64]  # (N, K)
    stats: ClassStatistics  # S slots
    owner: NDArray[np.int64]  # (S,)
    header: NDArray[np.int64]  # (3,)
    room: NDArray[np.float64]  # (4, K)
    visited: NDArray[np.int64]  # (N,) nodes that an example comes to
    leaf: int
    grace_period: float
    delta: float
    tau: float
    secondary_delta: float
    max_paths: int


@dataclass(frozen=True)
class HoeffdingOptionTree(Learner):
    r"""Hoeffding option tree.

    A `HoeffdingTree` whose nodes go on looking for better splits after they were split. At a node
    with splits, the best one by its statistics becomes another, an option, when its gain is above
    that of all the splits there, by the classes in their branches, by more than the Hoeffding bound
    with `secondary_delta`. Examples are learned along all options, and the leaves that they reach
    add their votes. No example reaches more than `max_paths` leaves; a node at which that forbids
    another option drops its statistics.

    The paper has new options on unused attributes only, and counts a vote for each leaf. MOA, which
    the papers ran, takes any attribute, with another threshold, and adds votes as they are.

    >>> HoeffdingOptionTree().max_paths
    5
    """

    max_paths: int = 5
    leaf: str = "nba"
    grace_period: int = 200
    delta: float = 1e-7
    secondary_delta: float = 0.1
    tau: float = 0.05
    memory: int = 32 * 2**20

    paper: ClassVar[str] = "Pfahringer, Holmes and Kirkby (2007), AI 2007, LNCS 4830, 90-99"

    def __post_init__(self) -> None:
        check_count(self.max_paths, name="max_paths", most=LONGEST)
        check_settings(self)
        check_inside(self.secondary_delta, name="secondary_delta")

    def start(self, schema: Schema, seed: int = 0) -> HoeffdingOptionTreeState:
        """A single leaf."""
        nodes, slots = pool(schema, self.memory, OPTION_NODE.itemsize + 8)
        state = HoeffdingOptionTreeState(
            **blank_pools(schema, nodes, slots, OPTION_NODE),
            stats=statistics(schema, slots, ranges=True),
            visited=blank((nodes,), np.int64),
            leaf=LEAVES.index(self.leaf),
            grace_period=float(self.grace_period),
            delta=float(self.delta),
            tau=float(self.tau),
            secondary_delta=float(self.secondary_delta),
            max_paths=int(self.max_paths),
        )
        state.nodes["reach"][0] = 1
        return state


@state_bytes.register
def _bytes(state: HoeffdingOptionTreeState) -> int:
    unused = (len(state.visited) - state.header[NODES]) * state.visited.itemsize
    return int(used_bytes(state) - unused)


@census.register
def _census(state: HoeffdingOptionTreeState) -> dict[str, int]:
    used = state.nodes[: state.header[NODES]]
    return {**tree_census(state), "options": int((used["option"] > 0).sum())}


@implements(votes, HoeffdingOptionTreeState, inline=False)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    for i in range(_visit(state, x)):
        index = state.visited[i]
        if state.nodes[index].attribute < 0:
            leaf_votes(state, index, x, state.room[2])
            for k in range(out.size):
                out[k] += state.room[2, k]


@implements(learn, HoeffdingOptionTreeState, inline=False)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    for i in range(_visit(state, x)):
        index = state.visited[i]
        node = state.nodes[index]
        if node.attribute < 0:
            if learn_at_leaf(state, index, x, y, weight):
                _try_to_split(state, index)
        else:
            if node.slot >= 0:
                observe(state.stats, node.slot, x, y, weight)
            state.counts[index, y] += weight
            if ready_to_split(state, index):
                _try_option(state, index)


@implements(restart, HoeffdingOptionTreeState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    begin(state)
    _plant(state, 0, 0)


@kernel
def _visit(state, x):  # type: ignore[no-untyped-def]
    """Fill `visited` with all nodes that `x` comes to, from the root down; their number."""
    state.visited[0], found, i = 0, 1, 0
    while i < found:
        split = state.visited[i]
        if state.nodes[split].attribute >= 0:
            while True:
                state.visited[found] = child_of(state, split, x)
                found += 1
                split = state.nodes[split].option
                if split == 0:
                    break
        i += 1
    return found


@outlined
def _try_to_split(state, leaf):  # type: ignore[no-untyped-def]
    split, attribute, threshold = find_split(state, leaf)
    first = state.header[NODES]
    if split and grow(state, leaf, state.nodes[leaf].slot, attribute, threshold):
        for child in range(first, state.header[NODES]):
            _plant(state, child, leaf)
        if _most_leaves(state, leaf) >= state.max_paths:
            release_slot(state, leaf, PRUNED)


@outlined
def _try_option(state, index):  # type: ignore[no-untyped-def]
    """Another split of the node `index`, if one is much better than those it has."""
    if _most_leaves(state, index) >= state.max_paths:
        release_slot(state, index, PRUNED)
        return
    slot, room = state.nodes[index].slot, state.room[:2]
    before, n = entropy(state.counts[index]), state.counts[index].sum()
    attribute, threshold, best = -1, np.nan, -np.inf
    for candidate in range(state.stats.numeric.size + state.stats.nominal.shape[0]):
        gain, at = gain_of(state.stats, slot, candidate, before, room)
        if gain >= best:
            attribute, threshold, best = candidate, at, gain
    bound = hoeffding_bound(np.log2(max(2, room.shape[1])), state.secondary_delta, n)
    if attribute < 0 or not best - _best_of_chain(state, index, before) > bound:
        return
    values = 2 if attribute < state.stats.numeric.size else 0
    if state.header[NODES] + 1 + values > state.nodes.size:
        return
    option = new_node(state)
    _plant(state, option, 0)
    first = state.header[NODES]
    if not grow(state, option, slot, attribute, threshold):
        state.header[NODES] -= 1
        return
    for child in range(first, state.header[NODES]):
        _plant(state, child, option)
    state.nodes[option].head = index
    last = index
    while state.nodes[last].option > 0:
        last = state.nodes[last].option
    state.nodes[last].option = option
    _recount(state, index)


@kernel
def _plant(state, index, parent):  # type: ignore[no-untyped-def]
    """What a node of this tree has more than others, for a new leaf below the split `parent`."""
    node = state.nodes[index]
    node.option, node.head, node.parent, node.reach = 0, index, parent, 1


@kernel
def _best_of_chain(state, index, before):  # type: ignore[no-untyped-def]
    """The highest gain of the splits that the node `index` has, by what came to their branches."""
    best, split = -np.inf, index
    while True:
        total, after = 0.0, 0.0
        for branch in range(state.nodes[split].n_children):
            counts = state.counts[state.nodes[split].child + branch]
            weight = counts.sum()
            total, after = total + weight, after + weight * entropy(counts)
        best = max(best, before - after / total)
        split = state.nodes[split].option
        if split == 0:
            break
    return best


@kernel
def _reach_of_split(state, split):  # type: ignore[no-untyped-def]
    most = 0
    for branch in range(state.nodes[split].n_children):
        most = max(most, state.nodes[state.nodes[split].child + branch].reach)
    return most


@kernel
def _recount(state, index):  # type: ignore[no-untyped-def]
    """Bring `reach` up to date, from the node `index` up to the root."""
    while True:
        reach, split = 0, index
        while True:
            reach += _reach_of_split(state, split)
            split = state.nodes[split].option
            if split == 0:
                break
        state.nodes[index].reach = reach
        if index == 0:
            break
        index = state.nodes[state.nodes[index].parent].head


@kernel
def _most_leaves(state, index):  # type: ignore[no-untyped-def]
    """Most leaves of the whole tree that an example reaches which comes to the node `index`."""
    total = state.nodes[index].reach
    while index != 0:
        above = state.nodes[index].parent
        index = state.nodes[above].head
        split = index
        while True:
            if split != above:
                total += _reach_of_split(state, split)
            split = state.nodes[split].option
            if split == 0:
                break
    return total
