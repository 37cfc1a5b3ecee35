"""The Hoeffding adaptive tree: where the error of a subtree rises, an alternate grows beside it.

A dropped subtree leaves gaps among the nodes, which `compact` closes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_inside
from repro.detectors.adwin import ADWIN, adwin_mean, adwin_rose, adwin_width
from repro.detectors.detector import update
from repro.kernels import random
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, copy_into, copy_rows, member, stacked, state_bytes
from repro.learners._statistics import ClassStatistics
from repro.learners._tree import (
    NODE,
    NODES,
    PRUNED,
    REACHED,
    begin,
    check_settings,
    child_of,
    common_fields,
    find_split,
    grow,
    leaf_below,
    leaf_votes,
    learn_at_leaf,
    new_node,
    release_slot,
    tree_counts,
    used_bytes,
)
from repro.learners._tree_growth import NewRows, inherit_tree
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner, counts
from repro.learners.verbs import (
    alarmed,
    implements,
    learn,
    learn_predicted,
    predicted,
    restart,
    votes,
)
from repro.streams.stream import Schema

__all__ = ["HoeffdingAdaptiveTree"]

NONE = -1  # instead of the leaf reached last: several were, or none since the tree has learned
ADAPTIVE_NODE = np.dtype([*NODE.descr, ("alternate", np.int64)], align=True)
# Entries of `counters`: alternates started, switched to, and dropped so far; whether subtrees left
# gaps; whether the last example raised an alarm; number of subtrees that are still to learn it.
STARTED, SWITCHED, DROPPED, HAS_GAPS, ALARM, PENDING = range(6)
LEAST_WIDTH = 300  # errors that both subtrees must have seen before they are compared


class HoeffdingAdaptiveTreeState(NamedTuple):
    """A tree whose nodes may have the root of an alternate subtree in `alternate` (0: none)."""

    nodes: NDArray[Any]  # (N,) of ADAPTIVE_NODE
    counts: NDArray[np.float64]  # (N, K)
    stats: ClassStatistics  # S slots
    owner: NDArray[np.int64]  # (S,)
    header: NDArray[np.int64]  # (4,)
    scratch: NDArray[np.float64]  # (4, K)
    windows: Any  # N stacked states of ADWIN: the errors below each node
    fresh_window: Any
    queue: NDArray[np.int64]  # (N,) subtrees still to learn an example; new indices of nodes
    rng: NDArray[np.uint64]  # (1,)
    poisson: NDArray[np.float64]
    counters: NDArray[np.int64]  # (6,) see `repro.learners.hoeffding_adaptive_tree`
    leaf: int
    grace_period: float
    delta: float
    tau: float
    confidence: float


@dataclass(frozen=True)
class HoeffdingAdaptiveTree(Learner):
    r"""Hoeffding adaptive tree (HAT-ADWIN).

    A `HoeffdingTree` in which an ADWIN (confidence `adwin_delta`) watches the errors below every
    node. Where they rise, an alarm is raised, and a new tree starts as the alternate of that node
    and learns the same examples. As soon as both windows hold more than 300 errors, with means
    :math:`e` and :math:`e'` over :math:`n` and :math:`n'` errors, the alternate replaces the node
    if :math:`e - e' > \epsilon`, and is dropped if :math:`e' - e > \epsilon`:

    .. math:: \epsilon = \sqrt{2 e (1 - e) \ln(2 / \delta') (1/n + 1/n')},\quad
              \delta' = \text{switch\_delta}

    Leaves learn each example with weight Poisson(1), or 1 where that is 0. Alternates vote too, as
    soon as they have split. The paper leaves both open; MOA's accuracies show both.

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
        fields = common_fields(self, schema, ADAPTIVE_NODE, state_bytes(window) + 8)
        nodes = len(fields["nodes"])
        return HoeffdingAdaptiveTreeState(
            **fields,
            windows=stacked([window], nodes),
            fresh_window=window,
            queue=blank((nodes,), np.int64),
            rng=random.start(seed, "tree"),
            poisson=random.poisson_table(1.0),
            counters=np.zeros(6, np.int64),
            confidence=float(np.log(2 / float(self.switch_delta))),
        )


@state_bytes.register
def _bytes(state: HoeffdingAdaptiveTreeState) -> int:
    of_node = state_bytes(state.fresh_window) + state.queue.itemsize
    others = used_bytes(state._replace(windows=())) - state.queue.nbytes
    return int(others + state.header[NODES] * of_node)


@counts.register
def _counts(state: HoeffdingAdaptiveTreeState) -> dict[str, int]:
    started, switched, dropped = (int(n) for n in state.counters[:3])
    alternates = {"started": started, "switched": switched, "dropped": dropped}
    return {**tree_counts(state), **{f"alternates {name}": n for name, n in alternates.items()}}


@inherit.register
def _inherit(state: HoeffdingAdaptiveTreeState, old: Any, growth: Growth) -> None:
    inherit_alternates(state, old, inherit_tree(state, old, growth))


@implements(votes, HoeffdingAdaptiveTreeState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    """Add the votes of the leaf of `x` and of the split alternates on the way to it."""
    out[:] = 0.0
    state.queue[0], pending, visited = 0, 1, 0
    while pending > 0:
        pending -= 1
        visited += 1
        index = state.queue[pending]
        while state.nodes[index].attribute >= 0:
            other = state.nodes[index].alternate
            if other > 0 and state.nodes[other].attribute >= 0:
                state.queue[pending] = other
                pending += 1
            index = child_of(state, index, x)
        leaf_votes(state, index, x, state.scratch[2])
        for k in range(out.size):
            out[k] += state.scratch[2, k]
        state.header[REACHED] = index if visited == 1 else NONE


@implements(learn, HoeffdingAdaptiveTreeState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.header[REACHED] = NONE
    learn_predicted(state, x, y, weight)


@implements(learn_predicted, HoeffdingAdaptiveTreeState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.counters[ALARM] = 0
    state.counters[PENDING] = 1
    state.queue[0] = 0
    while state.counters[PENDING] > 0:
        state.counters[PENDING] -= 1
        _learn_below(state, state.queue[state.counters[PENDING]], x, y, weight)
    if state.counters[HAS_GAPS] == 1:
        compact(state)


@implements(alarmed, HoeffdingAdaptiveTreeState)
def _alarmed(state):  # type: ignore[no-untyped-def]
    return state.counters[ALARM] == 1


@implements(restart, HoeffdingAdaptiveTreeState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    """Restart everything but the random numbers, which must not repeat."""
    begin(state)
    state.nodes[0].alternate = 0
    restart(member(state.windows, 0), state.fresh_window)
    state.counters[:] = 0


@kernel
def _learn_below(state, root, x, y, weight):  # type: ignore[no-untyped-def]
    """Let the subtree at `root` learn; alternates on the way are put into the queue."""
    leaf = state.header[REACHED]
    if leaf == NONE:
        leaf = leaf_below(state, root, x)
        _vote(state, leaf, x)
    state.header[REACHED] = NONE
    wrong = 1.0 if predicted(state.scratch[2]) != y else 0.0
    index = root
    while state.nodes[index].attribute >= 0:
        if adwin_rose(member(state.windows, index), wrong):
            start_alternate(state, index)
        elif state.nodes[index].alternate > 0:
            compare_alternate(state, index)
        if state.nodes[index].attribute < 0:
            break  # the alternate that replaced it is a leaf
        if state.nodes[index].alternate > 0:
            state.queue[state.counters[PENDING]] = state.nodes[index].alternate
            state.counters[PENDING] += 1
        index = child_of(state, index, x)
    update(member(state.windows, index), wrong)
    if index != leaf:
        _vote(state, index, x)
    times = max(1, random.poisson(state.rng, state.poisson))
    if learn_at_leaf(state, index, x, y, weight * times):
        try_to_split(state, index)


@kernel
def _vote(state, leaf, x):  # type: ignore[no-untyped-def]
    leaf_votes(state, leaf, x, state.scratch[2])


# --- alternates: they start, win or are dropped


@outlined
def start_alternate(state, index):  # type: ignore[no-untyped-def]
    """Raise an alarm and start a new alternate of node `index`, in place of one that it has."""
    state.counters[ALARM] = 1
    if state.nodes[index].alternate > 0:
        state.counters[DROPPED] += 1
        state.counters[HAS_GAPS] = 1
        state.nodes[index].alternate = 0
    if state.header[NODES] < state.nodes.size:
        state.nodes[index].alternate = _new_leaf(state)
        state.counters[STARTED] += 1


@kernel
def compare_alternate(state, index):  # type: ignore[no-untyped-def]
    """Switch to the alternate of node `index` or drop it, if the errors differ significantly."""
    other = state.nodes[index].alternate
    current, rival = member(state.windows, index), member(state.windows, other)
    if adwin_width(current) <= LEAST_WIDTH or adwin_width(rival) <= LEAST_WIDTH:
        return
    e, gain = adwin_mean(current), adwin_mean(current) - adwin_mean(rival)
    share = 1.0 / adwin_width(current) + 1.0 / adwin_width(rival)
    bound = np.sqrt(2.0 * e * (1.0 - e) * state.confidence * share)
    if abs(gain) <= bound:
        return
    state.counters[HAS_GAPS] = 1
    if gain < 0:
        state.counters[DROPPED] += 1
        state.nodes[index].alternate = 0
        return
    state.counters[SWITCHED] += 1
    release_slot(state, index, PRUNED)
    _move(state, other, index)


@outlined
def try_to_split(state, leaf):  # type: ignore[no-untyped-def]
    """Split the leaf if that is due; its window and those of the branches start anew."""
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


@kernel
def _new_leaf(state):  # type: ignore[no-untyped-def]
    index = new_node(state)
    state.nodes[index].alternate = 0
    restart(member(state.windows, index), state.fresh_window)
    return index


@outlined
def compact(state):  # type: ignore[no-untyped-def]
    """Close the gaps that subtrees left; branches and alternates still come after their node."""
    state.counters[HAS_GAPS] = 0
    used, target = state.header[NODES], state.queue
    for index in range(used):
        target[index] = -1
    target[0] = 0
    kept = 0
    for index in range(used):
        node = state.nodes[index]
        if target[index] < 0:
            release_slot(state, index, PRUNED)
            continue
        target[index] = kept
        kept += 1
        for branch in range(node.n_children):
            target[node.child + branch] = 0
        if node.alternate > 0:
            target[node.alternate] = 0
    for index in range(used):
        if target[index] >= 0:
            node = state.nodes[index]
            node.child = target[node.child] if node.n_children > 0 else 0
            node.alternate = target[node.alternate] if node.alternate > 0 else 0
            if target[index] < index:
                _move(state, index, target[index])
    state.header[NODES] = kept


@kernel
def _move(state, source, target):  # type: ignore[no-untyped-def]
    """Move node `source`, its window and its slot to the index `target`."""
    state.nodes[target] = state.nodes[source]
    for k in range(state.counts.shape[1]):
        state.counts[target, k] = state.counts[source, k]
    copy_into(member(state.windows, target), member(state.windows, source))
    if state.nodes[target].slot >= 0:
        state.owner[state.nodes[target].slot] = target
    state.nodes[source].slot = PRUNED  # the slot has a new owner


def inherit_alternates(state: Any, old: Any, rows: NewRows) -> None:
    """Fill windows, links to alternates, random numbers and counters, after `inherit_tree`."""
    copy_rows(state.windows, old.windows, rows.to)
    before = old.nodes["alternate"][: rows.to.size]
    after = rows.follow(before)
    state.nodes["alternate"][rows.to] = after
    state.rng[:], state.counters[:] = old.rng, old.counters
    state.counters[DROPPED] += np.count_nonzero(before) - np.count_nonzero(after)
