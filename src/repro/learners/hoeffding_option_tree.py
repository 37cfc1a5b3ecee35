"""The Hoeffding option tree: a node may have several splits, and examples follow all of them.

A node with options is a chain of splits: the node itself, and records that only hold a split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_count, check_inside
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, state_bytes
from repro.learners._statistics import ClassStatistics, observe
from repro.learners._tree import (
    NODE,
    NODES,
    PRUNED,
    REACHED,
    begin,
    check_settings,
    child_of,
    common_fields,
    entropy,
    find_split,
    gain_of,
    grow,
    hoeffding_bound,
    leaf_votes,
    learn_at_leaf,
    new_node,
    ready_to_split,
    recall_votes,
    release_slot,
    tree_counts,
    used_bytes,
)
from repro.learners._tree_growth import NewRows, inherit_tree
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner, counts
from repro.learners.verbs import (
    implements,
    learn,
    learn_predicted,
    predicted,
    restart,
    total_weight,
    votes,
)
from repro.streams.stream import Schema

__all__ = ["HoeffdingOptionTree"]

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
VISITED = np.dtype([("node", np.uint32), ("label", np.uint32)])  # label: of naive Bayes, at a leaf


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
        fields = common_fields(self, schema, OPTION_NODE, VISITED.itemsize)
        state = HoeffdingOptionTreeState(
            **fields,
            visited=blank((len(fields["nodes"]),), VISITED),
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


# --- chains of splits, and how many leaves an example reaches through them


@kernel
def visit(state, x):  # type: ignore[no-untyped-def]
    """Fill `visited` with all nodes that `x` reaches, from the root down."""
    state.visited[0].node, reached, i = 0, 1, 0
    while i < reached:
        split = state.visited[i].node
        if state.nodes[split].attribute >= 0:
            while True:
                state.visited[reached].node = child_of(state, split, x)
                reached += 1
                split = state.nodes[split].option
                if split == 0:
                    break
        i += 1
    state.header[REACHED] = reached


@kernel
def best_of_chain(state, index, before):  # type: ignore[no-untyped-def]
    """The highest gain of the splits of the node `index`, from the counts in their branches."""
    best, split = -np.inf, index
    while True:
        total, after = 0.0, 0.0
        for branch in range(state.nodes[split].n_children):
            counts = state.counts[state.nodes[split].child + branch]
            weight = total_weight(counts)
            total, after = total + weight, after + weight * entropy(counts)
        best = max(best, before - after / total)
        split = state.nodes[split].option
        if split == 0:
            break
    return best


@kernel
def _reach_of_split(state, split):  # type: ignore[no-untyped-def]
    """Most leaves that one example reaches through `split`."""
    most = 0
    for branch in range(state.nodes[split].n_children):
        most = max(most, state.nodes[state.nodes[split].child + branch].reach)
    return most


@kernel
def update_reach(state, index):  # type: ignore[no-untyped-def]
    """Update `reach` from the node `index` up to the root."""
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
def most_leaves(state, index):  # type: ignore[no-untyped-def]
    """Most leaves of the whole tree that an example reaches if it passes the node `index`."""
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


def inherit_options(state: Any, old: Any, rows: NewRows) -> None:
    """Fill the links of options and the numbers of leaves reached, after `inherit_tree`."""
    nodes = state.nodes[: state.header[NODES]]
    for link in ("option", "head", "parent"):
        nodes[link][rows.to] = rows.follow(old.nodes[link][: rows.to.size])
    nodes["head"][rows.added], nodes["parent"][rows.added] = rows.added, rows.parents
    nodes["option"][nodes["n_children"][nodes["option"]] == 0] = 0  # its branches did not fit
    nodes["reach"][nodes["n_children"] == 0] = 1
    if rows.to.size < old.header[NODES]:
        is_split = (nodes["n_children"] > 0) & (nodes["head"] == np.arange(nodes.size))
        for index in np.flatnonzero(is_split)[::-1]:  # branches before the splits above them
            update_reach(state, index)
