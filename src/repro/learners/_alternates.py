"""Changes of an adaptive tree: splits, and alternate subtrees that start, win or are dropped.

A dropped subtree leaves gaps among the nodes, which `compact` closes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from repro.detectors.adwin import adwin_mean, adwin_width
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import copy_into, copy_rows, member
from repro.learners._tree import find_split, grow, new_node, release_slot
from repro.learners._tree_growth import NewRows
from repro.learners._tree_pools import NODES, PRUNED
from repro.learners.verbs import restart

__all__ = [
    "ALARM",
    "DROPPED",
    "HAS_GAPS",
    "PENDING",
    "STARTED",
    "SWITCHED",
    "compact",
    "compare_alternate",
    "inherit_alternates",
    "start_alternate",
    "try_to_split",
]

# Entries of `counters`: alternates started, switched to, and dropped so far; whether subtrees left
# gaps; whether the last example raised an alarm; number of subtrees that are still to learn it.
STARTED, SWITCHED, DROPPED, HAS_GAPS, ALARM, PENDING = range(6)
LEAST_WIDTH = 300  # errors that both subtrees must have seen before they are compared


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
    own, new = member(state.windows, index), member(state.windows, other)
    if adwin_width(own) <= LEAST_WIDTH or adwin_width(new) <= LEAST_WIDTH:
        return
    e, gain = adwin_mean(own), adwin_mean(own) - adwin_mean(new)
    share = 1.0 / adwin_width(own) + 1.0 / adwin_width(new)
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
