"""The Hoeffding option tree: a node may have several splits, and examples follow all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_count, check_inside
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, state_bytes
from repro.learners._class_weights import predicted, total_weight
from repro.learners._options import (
    OPTION_NODE,
    VISITED,
    best_of_chain,
    inherit_options,
    most_leaves,
    update_reach,
    visit,
)
from repro.learners._slots import ClassStatistics, statistics
from repro.learners._splits import entropy, gain_of, hoeffding_bound
from repro.learners._statistics import observe
from repro.learners._tree import (
    begin,
    find_split,
    grow,
    leaf_votes,
    learn_at_leaf,
    new_node,
    ready_to_split,
    recall_votes,
    release_slot,
)
from repro.learners._tree_growth import inherit_tree
from repro.learners._tree_pools import (
    LEAVES,
    NODES,
    PRUNED,
    REACHED,
    blank_pools,
    check_settings,
    pool_sizes,
    tree_counts,
    used_bytes,
)
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner, counts
from repro.learners.verbs import implements, learn, learn_predicted, restart, votes
from repro.streams.stream import Schema

__all__ = ["HoeffdingOptionTree"]


class HoeffdingOptionTreeState(NamedTuple):
    """A tree with the root at node 0; nodes that may get options keep their statistics."""

    nodes: NDArray[Any]  # (N,) of OPTION_NODE
    counts: NDArray[np.float64]  # (N, K)
    stats: ClassStatistics  # S slots
    owner: NDArray[np.int64]  # (S,)
    header: NDArray[np.int64]  # (4,)
    scratch: NDArray[np.float64]  # (4, K)
    visited: NDArray[Any]  # (N,) of VISITED, for the last example
    leaf: int
    grace_period: float
    delta: float
    tau: float
    secondary_delta: float
    max_paths: int


@dataclass(frozen=True)
class HoeffdingOptionTree(Learner):
    r"""Hoeffding option tree.

    A `HoeffdingTree` whose nodes keep looking for better splits after they have split. The best
    split by the statistics of a node is added as an option when its gain exceeds the gain of every
    split that the node has by more than the Hoeffding bound with `secondary_delta`; the gain of an
    existing split is computed from the classes in its branches. Examples are learned along all
    options, and the leaves that they reach add their votes. No example reaches more than
    `max_paths` leaves; a node that may get no further option for that reason drops its statistics.

    In the paper new options use unused attributes only, and each leaf counts one vote. MOA, which
    the papers ran, uses any attribute with another threshold, and adds the votes unchanged.

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
        nodes, slots = pool_sizes(schema, self.memory, OPTION_NODE.itemsize + VISITED.itemsize)
        state = HoeffdingOptionTreeState(
            **blank_pools(schema, nodes, slots, OPTION_NODE),
            stats=statistics(schema, slots, ranges=True),
            visited=blank((nodes,), VISITED),
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


@counts.register
def _counts(state: HoeffdingOptionTreeState) -> dict[str, int]:
    used = state.nodes[: state.header[NODES]]
    return {**tree_counts(state), "options": int((used["option"] > 0).sum())}


@inherit.register
def _inherit(state: HoeffdingOptionTreeState, old: Any, growth: Growth) -> None:
    inherit_options(state, old, inherit_tree(state, old, growth))


@implements(votes, HoeffdingOptionTreeState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    visit(state, x)
    for i in range(state.header[REACHED]):
        index = state.visited[i].node
        if state.nodes[index].attribute < 0:
            leaf_votes(state, index, x, state.scratch[2])
            state.visited[i].label = predicted(state.scratch[0])
            for k in range(out.size):
                out[k] += state.scratch[2, k]


@implements(learn, HoeffdingOptionTreeState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    visit(state, x)
    for i in range(state.header[REACHED]):
        index = state.visited[i].node
        if state.nodes[index].attribute < 0:
            recall_votes(state, index, x)
        _learn_at(state, index, x, y, weight)


@implements(learn_predicted, HoeffdingOptionTreeState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    for i in range(state.header[REACHED]):
        index = state.visited[i].node
        node = state.nodes[index]
        if node.attribute < 0 and node.slot >= 0:  # `learn_at_leaf` needs only the label
            state.scratch[0] = 0.0
            state.scratch[0, state.visited[i].label] = 1.0
        elif node.attribute < 0:  # another leaf may have taken its slot since
            recall_votes(state, index, x)
        _learn_at(state, index, x, y, weight)


@kernel
def _learn_at(state, index, x, y, weight):  # type: ignore[no-untyped-def]
    node = state.nodes[index]
    if node.attribute < 0:
        if learn_at_leaf(state, index, x, y, weight):
            _try_to_split(state, index)
    else:
        if node.slot >= 0:
            observe(state.stats, node.slot, x, y, weight, False)
        state.counts[index, y] += weight
        if ready_to_split(state, index):
            _try_option(state, index)


@implements(restart, HoeffdingOptionTreeState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    begin(state)
    _link(state, 0, 0)


@outlined
def _try_to_split(state, leaf):  # type: ignore[no-untyped-def]
    split, attribute, threshold = find_split(state, leaf)
    first = state.header[NODES]
    if split and grow(state, leaf, state.nodes[leaf].slot, attribute, threshold):
        for child in range(first, state.header[NODES]):
            _link(state, child, leaf)
        if most_leaves(state, leaf) >= state.max_paths:
            release_slot(state, leaf, PRUNED)


@outlined
def _try_option(state, index):  # type: ignore[no-untyped-def]
    """Add a split to the node `index` if it is significantly better than those it has."""
    if most_leaves(state, index) >= state.max_paths:
        release_slot(state, index, PRUNED)
        return
    slot, scratch = state.nodes[index].slot, state.scratch[:2]
    before, n = entropy(state.counts[index]), total_weight(state.counts[index])
    attribute, threshold, best = -1, np.nan, -np.inf
    for candidate in range(state.stats.numeric.size + state.stats.nominal.shape[0]):
        gain, at = gain_of(state.stats, slot, candidate, before, scratch)
        if gain >= best:
            attribute, threshold, best = candidate, at, gain
    bound = hoeffding_bound(np.log2(max(2, scratch.shape[1])), state.secondary_delta, n)
    if attribute < 0 or not best - best_of_chain(state, index, before) > bound:
        return
    values = 2 if attribute < state.stats.numeric.size else 0
    if state.header[NODES] + 1 + values > state.nodes.size:
        return
    option = new_node(state)
    _link(state, option, 0)
    first = state.header[NODES]
    if not grow(state, option, slot, attribute, threshold):
        state.header[NODES] -= 1
        return
    for child in range(first, state.header[NODES]):
        _link(state, child, option)
    state.nodes[option].head = index
    last = index
    while state.nodes[last].option > 0:
        last = state.nodes[last].option
    state.nodes[last].option = option
    update_reach(state, index)


@kernel
def _link(state, index, parent):  # type: ignore[no-untyped-def]
    """Set the fields that only option trees have, for a new leaf below the split `parent`."""
    node = state.nodes[index]
    node.option, node.head, node.parent, node.reach = 0, index, parent, 1
