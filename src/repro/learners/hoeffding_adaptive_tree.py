"""The Hoeffding adaptive tree: where the error of a subtree rises, an alternate grows beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_inside
from repro.detectors.adwin import ADWIN, adwin_rose
from repro.detectors.detector import update
from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.kernels.states import blank, member, stacked, state_bytes
from repro.learners._alternates import (
    ALARM,
    HAS_GAPS,
    PENDING,
    compact,
    compare_alternate,
    inherit_alternates,
    start_alternate,
    try_to_split,
)
from repro.learners._class_weights import predicted
from repro.learners._slots import ClassStatistics, statistics
from repro.learners._tree import (
    begin,
    child_of,
    leaf_below,
    leaf_votes,
    learn_at_leaf,
)
from repro.learners._tree_growth import inherit_tree
from repro.learners._tree_pools import (
    LEAVES,
    NODE,
    NODES,
    REACHED,
    blank_pools,
    check_settings,
    pool_sizes,
    tree_counts,
    used_bytes,
)
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner, counts
from repro.learners.verbs import alarmed, implements, learn, learn_predicted, restart, votes
from repro.streams.stream import Schema

__all__ = ["HoeffdingAdaptiveTree"]

NONE = -1  # instead of the leaf reached last: several were, or none since the tree has learned
ADAPTIVE_NODE = np.dtype([*NODE.descr, ("alternate", np.int64)], align=True)


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
    counters: NDArray[np.int64]  # (6,) see `repro.learners._alternates`
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
        node_bytes = ADAPTIVE_NODE.itemsize + state_bytes(window) + 8
        nodes, slots = pool_sizes(schema, self.memory, node_bytes)
        return HoeffdingAdaptiveTreeState(
            **blank_pools(schema, nodes, slots, ADAPTIVE_NODE),
            stats=statistics(schema, slots, ranges=True),
            windows=stacked([window], nodes),
            fresh_window=window,
            queue=blank((nodes,), np.int64),
            rng=random.start(seed, "tree"),
            poisson=random.poisson_table(1.0),
            counters=np.zeros(6, np.int64),
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
