r"""Growing trees: their memory, leaves that learn and vote, and the search for splits.

The nodes of a tree are rows of one array; the branches of a split are consecutive rows. A leaf that
learns has a slot of statistics. Nodes and slots are in pools of bounded size. Slots take much
memory: where they run out, the most promising leaves have them, those whose majority class gets the
most weight wrong (Domingos and Hulten 2000, Sec. 3.1).

A split is on the attribute of highest information gain. Attributes are numbered: first the numeric
ones, in their order, then the nominal ones. A numeric attribute is split in two at one of ten
thresholds, a nominal one into all its values.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_choice, check_count, check_fits, check_inside, check_number
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import blank, state_bytes
from repro.learners._normal import normal_probability
from repro.learners._statistics import (
    COLUMN,
    FIRST,
    HIGH,
    LOW,
    MEAN,
    SQUARES,
    VALUES,
    WEIGHT,
    clear,
    densities,
    observe,
    slot_bytes,
    statistics,
)
from repro.learners.verbs import predicted, total_weight
from repro.streams.stream import Schema

__all__ = [
    "NODE",
    "NODES",
    "NO_SLOT",
    "PRUNED",
    "REACHED",
    "SLOTS",
    "begin",
    "best_gain",
    "branch_weights",
    "check_settings",
    "child_of",
    "common_fields",
    "entropy",
    "find_split",
    "gain_of",
    "grow",
    "hoeffding_bound",
    "leaf_below",
    "leaf_votes",
    "learn_at_leaf",
    "make_leaves",
    "new_node",
    "ready_to_split",
    "recall_votes",
    "release_slot",
    "tree_counts",
    "used_bytes",
]

LEAVES = ("mc", "nb", "nba")  #: how leaves vote: majority class, naive Bayes, the better of both
MAJORITY, BAYES, ADAPTIVE = range(3)
NO_SLOT, PRUNED = -1, -2  # in place of a slot: none at present; none ever again

NODE = np.dtype(
    [
        ("attribute", np.int64),  # numeric ones first; -1: a leaf
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
THRESHOLDS = 10  # candidates per numeric attribute, evenly between its lowest and highest value
LEAST_SHARE = 0.01  # at least two branches must have more than this share of the weight
SQRT_2_PI = np.sqrt(2 * np.pi)
STEEP = 1e6  # highest density whose rounding error of 1e-16 does not show in the weight


# --- memory


def check_settings(tree: Any) -> None:
    """Check the settings that all trees share."""
    check_choice(tree.leaf, LEAVES, name="leaf")
    check_count(tree.grace_period, name="grace_period", most=LONGEST)
    check_inside(tree.delta, name="delta")
    check_number(tree.tau, name="tau", least=0)
    check_fits(check_count(tree.memory, name="memory"), name="memory", value=tree.memory)


def common_fields(
    tree: Any, schema: Schema, node: np.dtype = NODE, more_bytes: int = 0
) -> dict[str, Any]:
    """The fields that the states of all trees have, by name; node 0 is an empty leaf.

    Parameters
    ----------
    tree : the description, whose `memory` bounds the pools: there are two nodes for each slot.
    schema : of the stream.
    node : type of a node, `NODE` or one with more fields.
    more_bytes : what one node takes in further arrays, in bytes.

    Raises ValueError when the memory is too small for one slot.
    """
    K = schema.n_classes
    of_nodes = 2 * (node.itemsize + more_bytes + 8 * K)
    of_slot = slot_bytes(schema) + 8 + of_nodes  # 8 for its owner
    slots = int(tree.memory) // of_slot
    if slots < 1:
        raise ValueError(f"memory must hold one leaf at least, {of_slot} bytes; got {tree.memory}")
    nodes = blank((2 * slots,), node)
    make_leaves(nodes[:1])
    return {
        "nodes": nodes,
        "counts": blank((2 * slots, K)),
        "stats": statistics(schema, slots, ranges=True),
        "owner": blank((slots,), np.int64),
        "header": np.array([1, 0, 0, 0]),
        "scratch": np.zeros((4, K)),
        "leaf": LEAVES.index(tree.leaf),
        "grace_period": float(tree.grace_period),
        "delta": float(tree.delta),
        "tau": float(tree.tau),
    }


def used_bytes(tree: Any) -> int:
    """Memory of `tree` in bytes, without the nodes and slots that are not in use."""
    nodes, slots = tree.header[NODES], tree.header[SLOTS]
    pools: list[NDArray[Any]] = [tree.nodes, tree.counts, tree.owner]
    pools += [tree.stats.weights, tree.stats.numbers, tree.stats.counts]
    sizes = [nodes, nodes, slots, slots, slots, slots]
    unused = sum(p.nbytes - n * p[0].nbytes for p, n in zip(pools, sizes, strict=True))
    return int(state_bytes(tuple(tree)) - unused)


def make_leaves(nodes: NDArray[Any]) -> None:
    """Make each of the `nodes`, a part of a pool, an empty leaf, as `new_node` does."""
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


# --- nodes and leaves


@kernel
def begin(tree):  # type: ignore[no-untyped-def]
    """Reduce the tree to one empty leaf, node 0."""
    tree.header[:] = 0
    new_node(tree)


@kernel
def new_node(tree):  # type: ignore[no-untyped-def]
    """Index of a new empty leaf; the caller makes sure that a node is free."""
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
def leaf_below(tree, index, x):  # type: ignore[no-untyped-def]
    """The leaf that `x` reaches from node `index`."""
    while tree.nodes[index].attribute >= 0:
        index = child_of(tree, index, x)
    return index


@kernel
def leaf_votes(tree, index, x, out):  # type: ignore[no-untyped-def]
    """Fill `out` (K,) with the votes of the leaf `index` for `x`: class weights, or densities.

    The votes of naive Bayes stay in `tree.scratch[0]`, for `learn_at_leaf`.
    """
    node = tree.nodes[index]
    if tree.leaf != MAJORITY:
        _bayes_votes(tree, index, x, tree.scratch[0])
    if tree.leaf == BAYES or (tree.leaf == ADAPTIVE and node.bayes_right >= node.majority_right):
        for k in range(out.size):
            out[k] = tree.scratch[0, k]
    else:
        for k in range(out.size):
            out[k] = tree.counts[index, k]


@kernel
def recall_votes(tree, index, x):  # type: ignore[no-untyped-def]
    """Compute what `learn_at_leaf` needs of the `leaf_votes` of leaf `index`, and no more."""
    if tree.leaf == ADAPTIVE:
        _bayes_votes(tree, index, x, tree.scratch[0])


@kernel
def learn_at_leaf(tree, index, x, y, weight):  # type: ignore[no-untyped-def]
    """Let the leaf `index` learn; returns whether to look for a split.

    The last call on the tree was `leaf_votes` of this leaf for `x`, or `recall_votes`.
    """
    node = tree.nodes[index]
    if node.slot == NO_SLOT:
        _request_slot(tree, index)
    if node.slot >= 0:
        if tree.leaf == ADAPTIVE:
            _update_accuracies(tree, index, y, weight)
        observe(tree.stats, node.slot, x, y, weight, tree.leaf != MAJORITY)
    tree.counts[index, y] += weight
    return ready_to_split(tree, index)


@kernel
def ready_to_split(tree, index):  # type: ignore[no-untyped-def]
    """Whether the leaf `index` has enough new weight, and more than one class."""
    node = tree.nodes[index]
    # A new sum, not a running total: rounding could shift the split by an example.
    weight = total_weight(tree.counts[index])
    if node.slot < 0 or weight - node.evaluated < tree.grace_period:
        return False
    node.evaluated = weight
    classes = 0
    for count in tree.counts[index]:
        classes += count > 0
    return classes > 1


@outlined
def find_split(tree, leaf):  # type: ignore[no-untyped-def]
    """(whether to split, attribute, threshold) for the leaf `leaf`, by the Hoeffding bound."""
    before, n = entropy(tree.counts[leaf]), total_weight(tree.counts[leaf])
    slot = tree.nodes[leaf].slot
    best, threshold, gain, second = best_gain(tree.stats, slot, before, tree.scratch[:2])
    bound = hoeffding_bound(np.log2(max(2, tree.counts.shape[1])), tree.delta, n)
    return best >= 0 and (gain - second > bound or bound < tree.tau), best, threshold


@outlined
def grow(tree, index, slot, attribute, threshold):  # type: ignore[no-untyped-def]
    """Split node `index` on `attribute`, with the statistics in `slot`; False if nodes run out."""
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
        tree.nodes[child].evaluated = total_weight(tree.counts[child])
    return True


@kernel
def release_slot(tree, index, mark):  # type: ignore[no-untyped-def]
    """Free the slot of node `index` and put `mark` in its place."""
    node = tree.nodes[index]
    if node.slot >= 0:
        tree.owner[node.slot] = -tree.header[FREE]
        tree.header[FREE] = node.slot + 1
    node.slot = mark


@kernel
def _update_accuracies(tree, index, y, weight):  # type: ignore[no-untyped-def]
    """Count how often majority class and naive Bayes are right at the leaf `index`."""
    node, counts = tree.nodes[index], tree.counts[index]
    if counts[y] > 0 and predicted(counts) == y:  # an empty leaf is not right
        node.majority_right += weight
    if predicted(tree.scratch[0]) == y:
        node.bayes_right += weight


@kernel
def _bayes_votes(tree, index, x, out):  # type: ignore[no-untyped-def]
    """Prior shares x densities, so that votes of several leaves can be added; prior if empty."""
    slot = tree.nodes[index].slot
    if slot >= 0 and total_weight(tree.stats.weights[slot, WEIGHT]) > 0:
        densities(tree.stats, slot, tree.counts[index], x, out)
    else:
        for k in range(out.size):
            out[k] = tree.counts[index, k]
    total = total_weight(tree.counts[index])
    if total > 0:
        for k in range(out.size):
            out[k] /= total


@outlined
def _request_slot(tree, index):  # type: ignore[no-untyped-def]
    """Give leaf `index` a free slot, or the slot of the least promising leaf if it is better."""
    node = tree.nodes[index]
    if tree.header[FREE] > 0:
        slot = tree.header[FREE] - 1
        tree.header[FREE] = -tree.owner[slot]
    elif tree.header[SLOTS] < tree.owner.size:
        slot = tree.header[SLOTS]
        tree.header[SLOTS] += 1
    else:
        if total_weight(tree.counts[index]) - node.evaluated < tree.grace_period:
            return
        node.evaluated = total_weight(tree.counts[index])
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
    node.evaluated = total_weight(tree.counts[index])
    node.majority_right = node.bayes_right = 0.0
    clear(tree.stats, slot)


@kernel
def _promise(tree, index):  # type: ignore[no-untyped-def]
    """Weight that the majority class of a leaf gets wrong."""
    return total_weight(tree.counts[index]) - tree.counts[index, predicted(tree.counts[index])]


# --- splits


@kernel
def hoeffding_bound(value_range, delta, n):  # type: ignore[no-untyped-def]
    """Deviation of a mean of `n` values in a range, exceeded with probability `delta` at most."""
    return np.sqrt(value_range * value_range * -np.log(delta) / (2.0 * n))  # 1/delta overflows


@kernel
def entropy(weights):  # type: ignore[no-untyped-def]
    """Entropy of the class `weights` (K,) in bits; 0 without any weight."""
    total, sum_of_logs = 0.0, 0.0
    for weight in weights:
        if weight > 0:
            total += weight
            sum_of_logs += weight * np.log2(weight)
    return np.log2(total) - sum_of_logs / total if total > 0 else 0.0


@outlined
def gain_of(stats, slot, attribute, before, scratch):  # type: ignore[no-untyped-def]
    """(gain, threshold) of the best split on `attribute`; `before` is the entropy without a split.

    The gain is -inf when every split leaves all but LEAST_SHARE of the weight in one branch, and
    nan when the attribute is constant; `scratch` has shape (2, K).
    """
    if attribute < stats.numeric.size:
        return _numeric_gain(stats, slot, attribute, before, scratch)
    return _nominal_gain(stats, slot, attribute - stats.numeric.size, before), np.nan


@outlined
def best_gain(stats, slot, before, scratch):  # type: ignore[no-untyped-def]
    """(attribute, threshold, gain, second gain) of the attribute with the highest gain.

    Of equal attributes the last; attribute -1 when all attributes are constant.
    """
    best, best_threshold, highest, second = -1, np.nan, -np.inf, -np.inf
    for attribute in range(stats.numeric.size + stats.nominal.shape[0]):
        gain, threshold = gain_of(stats, slot, attribute, before, scratch)
        if gain >= highest:
            best, best_threshold, highest, second = attribute, threshold, gain, highest
        elif gain > second:
            second = gain
    return best, best_threshold, highest, second


@outlined
def branch_weights(stats, slot, attribute, threshold, branch, out):  # type: ignore[no-untyped-def]
    """Fill `out` (K,) with the class weights of one `branch` of the split."""
    if attribute >= stats.numeric.size:
        nominal = stats.nominal[attribute - stats.numeric.size]
        for k in range(out.size):
            out[k] = stats.counts[slot, nominal[FIRST] + branch, k]
        return
    for k in range(out.size):
        low, high = _parts(stats, slot, attribute, k, threshold)
        out[k] = high if branch else low


@kernel
def _numeric_gain(stats, slot, j, before, scratch):  # type: ignore[no-untyped-def]
    low, high = np.inf, -np.inf
    for k in range(scratch.shape[1]):
        if stats.weights[slot, WEIGHT, k] > 0:
            low = min(low, stats.numbers[slot, k, LOW, j])
            high = max(high, stats.numbers[slot, k, HIGH, j])
    best, best_threshold = np.nan, np.nan
    for i in range(1, THRESHOLDS + 1):
        threshold = (high - low) / (THRESHOLDS + 1) * i + low  # rounded in this order, as in MOA
        if low < threshold < high:
            gain = _gain_at(stats, slot, j, threshold, before, scratch)
            if not best >= gain:
                best, best_threshold = gain, threshold
    return best, best_threshold


@kernel
def _gain_at(stats, slot, j, threshold, before, scratch):  # type: ignore[no-untyped-def]
    left, right = 0.0, 0.0
    for k in range(scratch.shape[1]):
        scratch[0, k], scratch[1, k] = _parts(stats, slot, j, k, threshold)
        left, right = left + scratch[0, k], right + scratch[1, k]
    total = left + right
    if min(left, right) <= LEAST_SHARE * total:
        return -np.inf
    return before - (left * entropy(scratch[0]) + right * entropy(scratch[1])) / total


@kernel
def _parts(stats, slot, j, k, threshold):  # type: ignore[no-untyped-def]
    """Weight of class `k` where the attribute is (at most, above) `threshold`.

    The attribute is taken as normally distributed. The weights equal MOA's to the last bit, as far
    as its predictions show. That needs three parts: below, at and above the threshold, where the
    share of the second part is the density.
    """
    weight = stats.weights[slot, WEIGHT, k]
    numbers = stats.numbers[slot, k]
    if weight <= 0 or threshold < numbers[LOW, j]:
        return 0.0, weight
    if threshold >= numbers[HIGH, j]:
        return weight, 0.0
    step = threshold - numbers[MEAN, j]
    deviation = np.sqrt(numbers[SQUARES, j] / (weight - 1)) if weight > 1 else 0.0
    if not deviation > 0:
        return (weight, 0.0) if step >= 0 else (0.0, weight)
    share = normal_probability(step / deviation)
    if SQRT_2_PI * deviation * STEEP < 1:
        return share * weight, weight - share * weight
    peak = 1.0 / (SQRT_2_PI * deviation)
    at = peak * np.exp(-(step * step / (2.0 * deviation * deviation))) * weight
    below = share * weight - at
    return below + at, max(weight - at - below, 0.0)


@kernel
def _nominal_gain(stats, slot, j, before):  # type: ignore[no-untyped-def]
    first, values = stats.nominal[j, FIRST], stats.nominal[j, VALUES]
    total, after, shown = 0.0, 0.0, 0
    for value in range(values):
        weight = total_weight(stats.counts[slot, first + value])
        total += weight
        shown += weight > 0
        after += weight * entropy(stats.counts[slot, first + value])
    if shown < 2:
        return np.nan
    large = 0
    for value in range(values):
        large += total_weight(stats.counts[slot, first + value]) > LEAST_SHARE * total
    return before - after / total if large > 1 else -np.inf
