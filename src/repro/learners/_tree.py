"""Growing trees: routing examples, leaves that learn and vote, and splits.

A leaf that learns has a slot of statistics. Slots take much memory: where they run out, the most
promising leaves have them, those whose majority class gets the most weight wrong (Domingos and
Hulten 2000, Sec. 3.1).
"""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel, outlined
from repro.learners._class_weights import predicted, total_weight
from repro.learners._slots import COLUMN, VALUES, WEIGHT
from repro.learners._splits import best_gain, branch_weights, entropy, hoeffding_bound
from repro.learners._statistics import clear, densities, observe
from repro.learners._tree_pools import ADAPTIVE, BAYES, FREE, MAJORITY, NO_SLOT, NODES, SLOTS

__all__ = [
    "begin",
    "child_of",
    "find_split",
    "grow",
    "leaf_below",
    "leaf_votes",
    "learn_at_leaf",
    "new_node",
    "ready_to_split",
    "recall_votes",
    "release_slot",
]


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
