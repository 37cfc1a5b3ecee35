"""Chains of optional splits: their gains, and how many leaves an example reaches through them.

A node with options is a chain of splits: the node itself, and records that only hold a split.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from repro.kernels.compiling import kernel
from repro.learners._class_weights import total_weight
from repro.learners._splits import entropy
from repro.learners._tree import child_of
from repro.learners._tree_growth import NewRows
from repro.learners._tree_pools import NODE, NODES, REACHED

__all__ = [
    "OPTION_NODE",
    "VISITED",
    "best_of_chain",
    "inherit_options",
    "most_leaves",
    "update_reach",
    "visit",
]

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


@kernel
def visit(state, x):  # type: ignore[no-untyped-def]
    """Fill `visited` with all nodes that `x` reaches, from the root down."""
    state.visited[0].node, found, i = 0, 1, 0
    while i < found:
        split = state.visited[i].node
        if state.nodes[split].attribute >= 0:
            while True:
                state.visited[found].node = child_of(state, split, x)
                found += 1
                split = state.nodes[split].option
                if split == 0:
                    break
        i += 1
    state.header[REACHED] = found


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
