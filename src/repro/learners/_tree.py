"""What trees are made of: nodes in a pool of bounded size, and leaves that learn in slots.

The nodes of a tree are rows of one array; the branches of a split stand side by side. A leaf that
learns has a slot of statistics; slots are dear, so where they run out the leaves that promise most
have them, by the weight that their majority class gets wrong (Domingos and Hulten 2000, Sec. 3.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_choice, check_count, check_fits, check_inside, check_number
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, state_bytes
from repro.learners._splits import best_gain, branch_weights, entropy, hoeffding_bound
from repro.learners._statistics import (
    COLUMN,
    VALUES,
    WEIGHT,
    clear,
    densities,
    observe,
    slot_bytes,
)
from repro.streams.stream import Schema

__all__ = [
    "ADAPTIVE",
    "BAYES",
    "LEAVES",
    "MAJORITY",
    "NODE",
    "NODES",
    "PRUNED",
    "begin",
    "blank_pools",
    "check_settings",
    "child_of",
    "find_split",
    "grow",
    "leaf_votes",
    "learn_at_leaf",
    "new_node",
    "pool",
    "ready_to_split",
    "release_slot",
    "tree_census",
    "used_bytes",
]

LEAVES = ("mc", "nb", "nba")  #: how leaves vote: majority class, naive Bayes, the better of both
MAJORITY, BAYES, ADAPTIVE = range(3)
NO_SLOT, PRUNED = -1, -2  # instead of a slot: none yet or taken away; none ever again

NODE = np.dtype(
    [
        ("attribute", np.int64),  # as `splits` counts them; -1: a leaf
        ("column", np.int64),  # of X
        ("threshold", np.float64),  # branch 0 up to it, 1 above; nan: a branch for each value
        ("child", np.int64),  # the first branch
        ("n_children", np.int64),
        ("slot", np.int64),
        ("evaluated", np.float64),  # weight when splits were last looked for
        ("majority_right", np.float64),  # weight that either way of voting got right
        ("bayes_right", np.float64),
    ],
    align=True,
)
# Entries of `header`: nodes in use; slots used at some time; first of the free ones, plus 1.
NODES, SLOTS, FREE = range(3)


def check_settings(tree: Any) -> None:
    """Check the settings that all trees share."""
    check_choice(tree.leaf, LEAVES, name="leaf")
    check_count(tree.grace_period, name="grace_period", most=LONGEST)
    check_inside(tree.delta, name="delta")
    check_number(tree.tau, name="tau", least=0)
    check_fits(check_count(tree.memory, name="memory"), name="memory", value=tree.memory)


def pool(schema: Schema, memory: int, node_bytes: int = NODE.itemsize) -> tuple[int, int]:
    """(nodes, slots) that `memory` bytes hold: two nodes for each slot.

    Raises ValueError when that is less than one slot.
    """
    of_slot = slot_bytes(schema) + 8  # and whose it is
    of_nodes = 2 * (node_bytes + 8 * schema.n_classes)
    slots = int(memory) // (of_slot + of_nodes)
    if slots < 1:
        raise ValueError(
            f"memory must hold one leaf at least, {of_slot + of_nodes} bytes; got {memory}"
        )
    return 2 * slots, slots


def used_bytes(tree: Any) -> int:
    """Memory of the nodes and slots of `tree` that are in use, and of all else, in bytes."""
    nodes, slots = tree.header[NODES], tree.header[SLOTS]
    pools: list[NDArray[Any]] = [tree.nodes, tree.counts, tree.owner]
    pools += [tree.stats.weights, tree.stats.numbers, tree.stats.counts]
    sizes = [nodes, nodes, slots, slots, slots, slots]
    unused = sum(p.nbytes - n * p[0].nbytes for p, n in zip(pools, sizes, strict=True))
    return int(state_bytes(tuple(tree)) - unused)


def blank_pools(schema: Schema, nodes: int, slots: int, node: np.dtype) -> dict[str, NDArray[Any]]:
    """The arrays that every tree has besides its statistics; node 0 is a leaf."""
    pools = {
        "nodes": blank((nodes,), node),
        "counts": blank((nodes, schema.n_classes)),
        "owner": blank((slots,), np.int64),
        "header": np.array([1, 0, 0]),
        "room": np.zeros((4, schema.n_classes)),
    }
    pools["nodes"]["attribute"][0] = -1
    pools["nodes"]["slot"][0] = NO_SLOT
    return pools


def tree_census(tree: Any) -> dict[str, int]:
    """What can be counted in `tree`, whose root is node 0."""
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


@kernel
def begin(tree):  # type: ignore[no-untyped-def]
    """One leaf, which has seen nothing: node 0."""
    tree.header[:] = 0
    new_node(tree)


@kernel
def new_node(tree):  # type: ignore[no-untyped-def]
    """Index of a new leaf that has seen nothing; the caller knows that there is room."""
    index = tree.header[NODES]
    tree.header[NODES] += 1
    node = tree.nodes[index]
    node.attribute, node.child, node.slot, node.n_children = -1, 0, NO_SLOT, 0
    node.column, node.threshold = -1, np.nan
    node.evaluated = node.majority_right = node.bayes_right = 0.0
    tree.counts[index] = 0.0
    return index


@kernel
def child_of(tree, index, x):  # type: ignore[no-untyped-def]
    """The branch of the split at node `index` that `x` belongs to."""
    node = tree.nodes[index]
    value = x[node.column]
    if node.threshold == node.threshold:
        return node.child + (value > node.threshold)
    return node.child + int(value)


@kernel
def leaf_votes(tree, index, x, out):  # type: ignore[no-untyped-def]
    """Fill `out` (K,) with the votes of the leaf `index` for `x`: class weights, or densities."""
    node = tree.nodes[index]
    if tree.leaf == BAYES or (tree.leaf == ADAPTIVE and node.bayes_right >= node.majority_right):
        _bayes_votes(tree, index, x, out)
    else:
        for k in range(out.size):
            out[k] = tree.counts[index, k]


@kernel
def learn_at_leaf(tree, index, x, y, weight):  # type: ignore[no-untyped-def]
    """Let the leaf `index` learn; returns whether a split should be looked for."""
    node = tree.nodes[index]
    if node.slot == NO_SLOT:
        _ask_for_slot(tree, index)
    if node.slot >= 0:
        if tree.leaf == ADAPTIVE:
            _keep_score(tree, index, x, y, weight)
        observe(tree.stats, node.slot, x, y, weight)
    tree.counts[index, y] += weight
    return ready_to_split(tree, index)


@kernel
def ready_to_split(tree, index):  # type: ignore[no-untyped-def]
    """Whether enough came to the leaf `index` since the last look, of more than one class."""
    node = tree.nodes[index]
    # Summed anew, not counted along: an example more or less by rounding is another tree.
    weight = tree.counts[index].sum()
    if node.slot < 0 or weight - node.evaluated < tree.grace_period:
        return False
    node.evaluated = weight
    classes = 0
    for count in tree.counts[index]:
        classes += count > 0
    return classes > 1


@outlined
def find_split(tree, leaf):  # type: ignore[no-untyped-def]
    """(whether to split, attribute, threshold) of the leaf `leaf`, by the Hoeffding bound."""
    before, n = entropy(tree.counts[leaf]), tree.counts[leaf].sum()
    slot = tree.nodes[leaf].slot
    best, threshold, gain, second = best_gain(tree.stats, slot, before, tree.room[:2])
    bound = hoeffding_bound(np.log2(max(2, tree.counts.shape[1])), tree.delta, n)
    return best >= 0 and (gain - second > bound or bound < tree.tau), best, threshold


@outlined
def grow(tree, index, slot, attribute, threshold):  # type: ignore[no-untyped-def]
    """Branches below node `index`, which split on `attribute` of `slot`; False without room."""
    numeric = attribute < tree.stats.numeric.size
    nominal = attribute - tree.stats.numeric.size
    branches = 2 if numeric else tree.stats.nominal[nominal, VALUES]
    if tree.header[NODES] + branches > tree.nodes.size:
        return False
    node = tree.nodes[index]
    node.attribute, node.threshold, node.n_children = attribute, threshold, branches
    node.column = tree.stats.numeric[attribute] if numeric else tree.stats.nominal[nominal, COLUMN]
    node.child = tree.header[NODES]
    for branch in range(branches):
        child = new_node(tree)
        branch_weights(tree.stats, slot, attribute, threshold, branch, tree.counts[child])
        tree.nodes[child].evaluated = tree.counts[child].sum()
    return True


@kernel
def release_slot(tree, index, mark):  # type: ignore[no-untyped-def]
    """Give back the slot of node `index`, which has `mark` instead then."""
    node = tree.nodes[index]
    if node.slot >= 0:
        tree.owner[node.slot] = -tree.header[FREE]
        tree.header[FREE] = node.slot + 1
    node.slot = mark


@kernel
def _keep_score(tree, index, x, y, weight):  # type: ignore[no-untyped-def]
    node = tree.nodes[index]
    if tree.counts[index, y] > 0 and tree.counts[index].argmax() == y:  # no majority of nothing
        node.majority_right += weight
    _bayes_votes(tree, index, x, tree.room[0])
    if tree.room[0].argmax() == y:
        node.bayes_right += weight


@kernel
def _bayes_votes(tree, index, x, out):  # type: ignore[no-untyped-def]
    """Prior shares x densities, which leaves of several paths may add; of a new leaf, the prior."""
    slot = tree.nodes[index].slot
    if slot >= 0 and tree.stats.weights[slot, WEIGHT].sum() > 0:
        densities(tree.stats, slot, tree.counts[index], x, out)
    else:
        for k in range(out.size):
            out[k] = tree.counts[index, k]
    total = tree.counts[index].sum()
    if total > 0:
        for k in range(out.size):
            out[k] /= total


@outlined
def _ask_for_slot(tree, index):  # type: ignore[no-untyped-def]
    """A free slot, or that of the leaf that promises least, when this one promises more."""
    node = tree.nodes[index]
    if tree.header[FREE] > 0:
        slot = tree.header[FREE] - 1
        tree.header[FREE] = -tree.owner[slot]
    elif tree.header[SLOTS] < tree.owner.size:
        slot = tree.header[SLOTS]
        tree.header[SLOTS] += 1
    else:
        if tree.counts[index].sum() - node.evaluated < tree.grace_period:
            return
        node.evaluated = tree.counts[index].sum()
        slot, least = -1, _promise(tree, index)
        for other in range(tree.owner.size):
            promise = _promise(tree, tree.owner[other])
            if promise < least:
                slot, least = other, promise
        if slot < 0:
            return
        tree.nodes[tree.owner[slot]].slot = NO_SLOT
    tree.owner[slot] = index
    node.slot = slot
    node.evaluated = tree.counts[index].sum()
    node.majority_right = node.bayes_right = 0.0
    clear(tree.stats, slot)


@kernel
def _promise(tree, index):  # type: ignore[no-untyped-def]
    """Weight that the majority class of a leaf gets wrong."""
    return tree.counts[index].sum() - tree.counts[index, tree.counts[index].argmax()]
