"""The Hoeffding adaptive tree: where the error of a subtree rises, another one grows beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_inside
from repro.detectors.adwin import ADWIN, adwin_mean, adwin_width
from repro.detectors.detector import DRIFT, update
from repro.kernels import random
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, copy_into, member, stacked, state_bytes
from repro.learners._statistics import ClassStatistics, statistics
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
    release_slot,
    tree_census,
    used_bytes,
)
from repro.learners.learner import Learner, census
from repro.learners.verbs import alarmed, implements, learn, restart, votes
from repro.streams.stream import Schema

__all__ = ["HoeffdingAdaptiveTree"]

ADAPTIVE_NODE = np.dtype([*NODE.descr, ("alternate", np.int64)], align=True)
STARTED, SWITCHED, DROPPED, UNTIDY, ALARM, PENDING = range(6)  # of `tally`
LEAST_WIDTH = 300  # errors that both subtrees must have seen before they are compared


class HoeffdingAdaptiveTreeState(NamedTuple):
    """A tree, whose nodes may have the root of another one in `alternate` (0: none)."""

    nodes: NDArray[Any]  # (N,) of ADAPTIVE_NODE
    counts: NDArray[np.float64]  # (N, K)
    stats: ClassStatistics  # S slots
    owner: NDArray[np.int64]  # (S,)
    header: NDArray[np.int64]  # (3,)
    room: NDArray[np.float64]  # (4, K)
    windows: Any  # N stacked states of ADWIN: the errors below each node
    fresh_window: Any
    queue: NDArray[np.int64]  # (N,) trees that are still to learn an example; new places of nodes
    rng: NDArray[np.uint64]  # (1,)
    poisson: NDArray[np.float64]
    tally: NDArray[np.int64]  # (6,) alternates started, switched to, dropped; and work to do
    leaf: int
    grace_period: float
    delta: float
    tau: float
    confidence: float


@dataclass(frozen=True)
class HoeffdingAdaptiveTree(Learner):
    r"""Hoeffding adaptive tree (HAT-ADWIN).

    A `HoeffdingTree` in which an ADWIN (confidence `adwin_delta`) watches the errors below every
    node. Where they rise, a new tree begins as the alternate of that node (an alarm) and learns the
    same examples. As soon as both windows hold more than 300 errors, with means :math:`e` and
    :math:`e'` over :math:`n` and :math:`n'` of them, the alternate takes the place of the node
    when :math:`e - e' > \epsilon`, and is dropped when :math:`e' - e > \epsilon`:

    .. math:: \epsilon = \sqrt{2 e (1 - e) \ln(2 / \delta') (1/n + 1/n')},\quad
              \delta' = \text{switch\_delta}

    Leaves learn each example with weight Poisson(1), 1 where that is 0. Alternates vote along as
    soon as they have split. The paper leaves both open; MOA's accuracies show them.

    >>> HoeffdingAdaptiveTree().adwin_delta
    0.002
    """

    leaf: str = "nba"
    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    adwin_delta: float = 0.002
    switch_delta: float = 0.05
    memory: int = 32 * 2**20

    paper: ClassVar[str] = "Bifet and Gavaldà (2009), IDA, 249-260"
    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self)
        check_inside(self.adwin_delta, name="adwin_delta")
        check_inside(self.switch_delta, name="switch_delta")

    def start(self, schema: Schema, seed: int = 0) -> HoeffdingAdaptiveTreeState:
        """A single leaf."""
        window = ADWIN(self.adwin_delta).start()
        node_bytes = ADAPTIVE_NODE.itemsize + state_bytes(window) + 8
        nodes, slots = pool(schema, self.memory, node_bytes)
        return HoeffdingAdaptiveTreeState(
            **blank_pools(schema, nodes, slots, ADAPTIVE_NODE),
            stats=statistics(schema, slots, ranges=True),
            windows=stacked([window], nodes),
            fresh_window=window,
            queue=blank((nodes,), np.int64),
            rng=random.start(seed, "tree"),
            poisson=random.poisson_table(1.0),
            tally=np.zeros(6, np.int64),
            leaf=LEAVES.index(self.leaf),
            grace_period=float(self.grace_period),
            delta=float(self.delta),
            tau=float(self.tau),
            confidence=float(np.log(2 / float(self.switch_delta))),
        )


@state_bytes.register
def _bytes(state: HoeffdingAdaptiveTreeState) -> int:
    of_node = state_bytes(state.fresh_window) + state.queue.itemsize
    others = used_bytes(state._replace(windows=())) - state.queue.nbytes
    return int(others + state.header[NODES] * of_node)


@census.register
def _census(state: HoeffdingAdaptiveTreeState) -> dict[str, int]:
    started, switched, dropped = (int(n) for n in state.tally[:3])
    alternates = {"started": started, "switched": switched, "dropped": dropped}
    return {**tree_census(state), **{f"alternates {name}": n for name, n in alternates.items()}}


@implements(votes, HoeffdingAdaptiveTreeState, inline=False)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    """The leaf of `x`, and those of the alternates on its way that have split, add their votes."""
    out[:] = 0.0
    state.queue[0], pending = 0, 1
    while pending > 0:
        pending -= 1
        index = state.queue[pending]
        while state.nodes[index].attribute >= 0:
            other = state.nodes[index].alternate
            if other > 0 and state.nodes[other].attribute >= 0:
                state.queue[pending] = other
                pending += 1
            index = child_of(state, index, x)
        leaf_votes(state, index, x, state.room[2])
        for k in range(out.size):
            out[k] += state.room[2, k]


@implements(learn, HoeffdingAdaptiveTreeState, inline=False)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.tally[ALARM] = 0
    state.tally[PENDING] = 1
    state.queue[0] = 0
    while state.tally[PENDING] > 0:
        state.tally[PENDING] -= 1
        _learn_below(state, state.queue[state.tally[PENDING]], x, y, weight)
    if state.tally[UNTIDY] == 1:
        _tidy(state)


@implements(alarmed, HoeffdingAdaptiveTreeState)
def _alarmed(state):  # type: ignore[no-untyped-def]
    return state.tally[ALARM] == 1


@implements(restart, HoeffdingAdaptiveTreeState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    """All but the random numbers, which must not come again."""
    begin(state)
    state.nodes[0].alternate = 0
    restart(member(state.windows, 0), state.fresh_window)
    state.tally[:] = 0


@kernel
def _leaf_below(state, index, x):  # type: ignore[no-untyped-def]
    while state.nodes[index].attribute >= 0:
        index = child_of(state, index, x)
    return index


@outlined
def _learn_below(state, root, x, y, weight):  # type: ignore[no-untyped-def]
    """One tree learns, from `root` down; alternates on the way are put into the queue."""
    leaf_votes(state, _leaf_below(state, root, x), x, state.room[3])
    wrong = 1.0 if state.room[3].argmax() != y else 0.0
    index = root
    while state.nodes[index].attribute >= 0:
        if _error_rose(member(state.windows, index), wrong):
            _start_alternate(state, index)
        elif state.nodes[index].alternate > 0:
            _compare(state, index)
        if state.nodes[index].attribute < 0:
            break  # the alternate that took its place is a leaf
        if state.nodes[index].alternate > 0:
            state.queue[state.tally[PENDING]] = state.nodes[index].alternate
            state.tally[PENDING] += 1
        index = child_of(state, index, x)
    update(member(state.windows, index), wrong)
    times = max(1, random.poisson(state.rng, state.poisson))
    if learn_at_leaf(state, index, x, y, weight * times):
        _try_to_split(state, index)


@kernel
def _error_rose(window, wrong):  # type: ignore[no-untyped-def]
    before = adwin_mean(window)
    return update(window, wrong) == DRIFT and adwin_mean(window) > before


@outlined
def _start_alternate(state, index):  # type: ignore[no-untyped-def]
    state.tally[ALARM] = 1
    if state.nodes[index].alternate > 0:
        state.tally[DROPPED] += 1
        state.tally[UNTIDY] = 1
        state.nodes[index].alternate = 0
    if state.header[NODES] < state.nodes.size:
        state.nodes[index].alternate = _new_leaf(state)
        state.tally[STARTED] += 1


@outlined
def _compare(state, index):  # type: ignore[no-untyped-def]
    """Let the alternate of node `index` take its place or go, when one is better for sure."""
    other = state.nodes[index].alternate
    own, new = member(state.windows, index), member(state.windows, other)
    if adwin_width(own) <= LEAST_WIDTH or adwin_width(new) <= LEAST_WIDTH:
        return
    e, gain = adwin_mean(own), adwin_mean(own) - adwin_mean(new)
    share = 1.0 / adwin_width(own) + 1.0 / adwin_width(new)
    bound = np.sqrt(2.0 * e * (1.0 - e) * state.confidence * share)
    if abs(gain) <= bound:
        return
    state.tally[UNTIDY] = 1
    if gain < 0:
        state.tally[DROPPED] += 1
        state.nodes[index].alternate = 0
        return
    state.tally[SWITCHED] += 1
    release_slot(state, index, PRUNED)
    _move(state, other, index)


@kernel
def _new_leaf(state):  # type: ignore[no-untyped-def]
    index = new_node(state)
    state.nodes[index].alternate = 0
    restart(member(state.windows, index), state.fresh_window)
    return index


@outlined
def _try_to_split(state, leaf):  # type: ignore[no-untyped-def]
    slot = state.nodes[leaf].slot
    split, attribute, threshold = find_split(state, leaf)
    if not split:
        return
    first = state.header[NODES]
    if grow(state, leaf, slot, attribute, threshold):
        release_slot(state, leaf, PRUNED)
        restart(member(state.windows, leaf), state.fresh_window)
        for child in range(first, state.header[NODES]):
            state.nodes[child].alternate = 0
            restart(member(state.windows, child), state.fresh_window)


@outlined
def _tidy(state):  # type: ignore[no-untyped-def]
    """Close the gaps that subtrees left: branches and alternates come after their node, always."""
    state.tally[UNTIDY] = 0
    used, place = state.header[NODES], state.queue
    for index in range(used):
        place[index] = -1
    place[0] = 0
    kept = 0
    for index in range(used):
        node = state.nodes[index]
        if place[index] < 0:
            release_slot(state, index, PRUNED)
            continue
        place[index] = kept
        kept += 1
        for branch in range(node.n_children):
            place[node.child + branch] = 0
        if node.alternate > 0:
            place[node.alternate] = 0
    for index in range(used):
        if place[index] >= 0:
            node = state.nodes[index]
            node.child = place[node.child] if node.n_children > 0 else 0
            node.alternate = place[node.alternate] if node.alternate > 0 else 0
            if place[index] < index:
                _move(state, index, place[index])
    state.header[NODES] = kept


@kernel
def _move(state, source, target):  # type: ignore[no-untyped-def]
    """Node `source` to the place `target`, with all that belongs to it."""
    state.nodes[target] = state.nodes[source]
    for k in range(state.counts.shape[1]):
        state.counts[target, k] = state.counts[source, k]
    copy_into(member(state.windows, target), member(state.windows, source))
    if state.nodes[target].slot >= 0:
        state.owner[state.nodes[target].slot] = target
    state.nodes[source].slot = PRUNED  # it has a new owner
