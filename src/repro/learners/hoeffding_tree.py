"""The Hoeffding tree (VFDT): a leaf splits once enough examples show which split is best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import state_bytes
from repro.learners._statistics import ClassStatistics
from repro.learners._tree import (
    PRUNED,
    REACHED,
    begin,
    check_settings,
    common_fields,
    find_split,
    grow,
    leaf_below,
    leaf_votes,
    learn_at_leaf,
    recall_votes,
    release_slot,
    tree_counts,
    used_bytes,
)
from repro.learners._tree_growth import inherit_tree
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner, counts
from repro.learners.verbs import implements, learn, learn_predicted, restart, votes
from repro.streams.stream import Schema

__all__ = ["HoeffdingTree"]


class HoeffdingTreeState(NamedTuple):
    """Nodes, of which node 0 is the root, and statistics of the leaves that learn."""

    nodes: NDArray[Any]  # (N,) of NODE
    counts: NDArray[np.float64]  # (N, K) weight of each class at the nodes
    stats: ClassStatistics  # S slots
    owner: NDArray[np.int64]  # (S,) node of each slot
    header: NDArray[np.int64]  # (4,) nodes and slots in use, see `_tree`
    scratch: NDArray[np.float64]  # (4, K)
    leaf: int
    grace_period: float
    delta: float
    tau: float


@dataclass(frozen=True)
class HoeffdingTree(Learner):
    r"""Hoeffding tree with information gain.

    A leaf looks for a split after each `grace_period` examples. It splits on the attribute of
    highest gain :math:`G_1` when that gain exceeds the second highest by more than the Hoeffding
    bound, or when the bound is below `tau`:

    .. math:: G_1 - G_2 > \epsilon\ \text{or}\ \epsilon < \tau, \quad
              \epsilon = \sqrt{\frac{R^2 \ln(1/\delta)}{2 n}},\quad R = \log_2 K

    A numeric attribute is described by a normal distribution per class and split in two, at one of
    ten thresholds between its lowest and highest value; a nominal one is split into all its values.
    At least two branches must get more than 1 % of the weight, else the gain is :math:`-\infty`.
    (If all gains are :math:`-\infty` they tie, and below `tau` the last attribute is split at its
    first threshold. MOA's trees do this, and the papers ran them.) Leaves vote by `leaf`: "mc" the
    majority class, "nb" naive Bayes, "nba" whichever of both was right more often at that leaf.

    `delta` lies in (0, 1), `tau` is at least 0; with 0 a tie is never broken.

    `memory` bounds the tree, in bytes. When the slots for statistics run out, the most promising
    leaves have them and the others vote by majority. When the nodes run out the tree stops growing.

    >>> HoeffdingTree()
    HoeffdingTree(leaf='nba', grace_period=200, delta=1e-07, tau=0.05, memory=33554432)
    """

    leaf: str = "nba"
    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    memory: int = 32 * 2**20

    paper: ClassVar[str] = (
        "Domingos and Hulten (2000), KDD, 71-80; leaves of Holmes, Kirkby and Pfahringer (2005)"
    )

    def __post_init__(self) -> None:
        check_settings(self)

    def start(self, schema: Schema, seed: int = 0) -> HoeffdingTreeState:
        """A single leaf."""
        return HoeffdingTreeState(**common_fields(self, schema))


state_bytes.register(HoeffdingTreeState, used_bytes)
counts.register(HoeffdingTreeState, tree_counts)


@inherit.register
def _inherit(state: HoeffdingTreeState, old: Any, growth: Growth) -> None:
    inherit_tree(state, old, growth)


@implements(votes, HoeffdingTreeState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    leaf = leaf_below(state, 0, x)
    state.header[REACHED] = leaf
    leaf_votes(state, leaf, x, out)


@implements(learn, HoeffdingTreeState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    leaf = leaf_below(state, 0, x)
    recall_votes(state, leaf, x)
    _learn_at(state, leaf, x, y, weight)


@implements(learn_predicted, HoeffdingTreeState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    _learn_at(state, state.header[REACHED], x, y, weight)


@implements(restart, HoeffdingTreeState)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    begin(state)


@kernel
def _learn_at(state, leaf, x, y, weight):  # type: ignore[no-untyped-def]
    if learn_at_leaf(state, leaf, x, y, weight):
        _try_to_split(state, leaf)


@outlined
def _try_to_split(tree, leaf):  # type: ignore[no-untyped-def]
    split, attribute, threshold = find_split(tree, leaf)
    if split and grow(tree, leaf, tree.nodes[leaf].slot, attribute, threshold):
        release_slot(tree, leaf, PRUNED)
