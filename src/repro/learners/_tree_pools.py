"""The memory of a tree: nodes and slots for statistics, in pools of bounded size.

The nodes of a tree are rows of one array; the branches of a split are consecutive rows.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_choice, check_count, check_fits, check_inside, check_number
from repro.kernels.states import blank, state_bytes
from repro.learners._slots import slot_bytes
from repro.streams.stream import Schema

__all__ = [
    "ADAPTIVE",
    "BAYES",
    "FREE",
    "LEAVES",
    "MAJORITY",
    "NODE",
    "NODES",
    "NO_SLOT",
    "PRUNED",
    "REACHED",
    "SLOTS",
    "blank_pools",
    "check_settings",
    "make_leaves",
    "pool_sizes",
    "tree_counts",
    "used_bytes",
]

LEAVES = ("mc", "nb", "nba")  #: how leaves vote: majority class, naive Bayes, the better of both
MAJORITY, BAYES, ADAPTIVE = range(3)
NO_SLOT, PRUNED = -1, -2  # in place of a slot: none at present; none ever again

NODE = np.dtype(
    [
        ("attribute", np.int64),  # numbered as in `_splits`; -1: a leaf
        ("column", np.int64),  # of X
        ("threshold", np.float64),  # branch 0 up to it, 1 above; nan: a branch for each value
        ("child", np.int64),  # the first branch
        ("n_children", np.int64),
        ("slot", np.int64),
        ("evaluated", np.float64),  # weight at the last search for a split
        ("majority_right", np.float64),  # weight that each way of voting predicted right
        ("bayes_right", np.float64),
    ],
    align=True,
)
# Entries of `header`: nodes in use; slots ever used; first free slot among these, plus 1; the leaf
# whose votes were asked for last (of an option tree: how many nodes the last example reached).
NODES, SLOTS, FREE, REACHED = range(4)


def check_settings(tree: Any) -> None:
    """Check the settings that all trees share."""
    check_choice(tree.leaf, LEAVES, name="leaf")
    check_count(tree.grace_period, name="grace_period", most=LONGEST)
    check_inside(tree.delta, name="delta")
    check_number(tree.tau, name="tau", least=0)
    check_fits(check_count(tree.memory, name="memory"), name="memory", value=tree.memory)


def pool_sizes(schema: Schema, memory: int, node_bytes: int = NODE.itemsize) -> tuple[int, int]:
    """(nodes, slots) that fit into `memory` bytes, two nodes for each slot.

    Parameters
    ----------
    schema : of the stream.
    memory : of the tree, in bytes.
    node_bytes : memory of one node without its class counts, in bytes.

    Raises ValueError when `memory` is too small for one slot.
    """
    of_slot = slot_bytes(schema) + 8  # 8 for its owner
    of_nodes = 2 * (node_bytes + 8 * schema.n_classes)
    slots = int(memory) // (of_slot + of_nodes)
    if slots < 1:
        raise ValueError(
            f"memory must hold one leaf at least, {of_slot + of_nodes} bytes; got {memory}"
        )
    return 2 * slots, slots


def used_bytes(tree: Any) -> int:
    """Memory of `tree` in bytes, without the nodes and slots that are not in use."""
    nodes, slots = tree.header[NODES], tree.header[SLOTS]
    pools: list[NDArray[Any]] = [tree.nodes, tree.counts, tree.owner]
    pools += [tree.stats.weights, tree.stats.numbers, tree.stats.counts]
    sizes = [nodes, nodes, slots, slots, slots, slots]
    unused = sum(p.nbytes - n * p[0].nbytes for p, n in zip(pools, sizes, strict=True))
    return int(state_bytes(tuple(tree)) - unused)


def blank_pools(schema: Schema, nodes: int, slots: int, node: np.dtype) -> dict[str, NDArray[Any]]:
    """The arrays that every tree has besides its statistics; node 0 is a leaf.

    Parameters
    ----------
    schema : of the stream.
    nodes, slots : numbers of rows.
    node : type of a node, `NODE` or one with more fields.
    """
    pools = {
        "nodes": blank((nodes,), node),
        "counts": blank((nodes, schema.n_classes)),
        "owner": blank((slots,), np.int64),
        "header": np.array([1, 0, 0, 0]),
        "scratch": np.zeros((4, schema.n_classes)),
    }
    make_leaves(pools["nodes"][:1])
    return pools


def make_leaves(nodes: NDArray[Any]) -> None:
    """Make each of the `nodes`, a part of a pool, an empty leaf, as `repro.learners._tree` does."""
    nodes[...] = _leaf(nodes.dtype)


@cache
def _leaf(kind: np.dtype) -> NDArray[Any]:
    leaf = np.zeros((), kind)
    leaf["attribute"] = leaf["column"] = -1
    leaf["slot"], leaf["threshold"] = NO_SLOT, np.nan
    return leaf


def tree_counts(tree: Any) -> dict[str, int]:
    """Numbers of nodes, leaves and learning leaves of `tree`, and its depth; node 0 is the root."""
    level, depth, leaves, learning = [0], -1, 0, 0
    while level:
        nodes, depth, level = tree.nodes[level], depth + 1, []
        for node in nodes:
            level += range(node["child"], node["child"] + node["n_children"])
        leaves += int((nodes["n_children"] == 0).sum())
        learning += int(((nodes["n_children"] == 0) & (nodes["slot"] >= 0)).sum())
    return {
        "nodes": int(tree.header[NODES]),
        "leaves": leaves,
        "learning leaves": learning,
        "depth": depth,
    }
