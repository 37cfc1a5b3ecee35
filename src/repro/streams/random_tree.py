"""Random Tree: labels from a random decision tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import log2
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_count, check_flag, check_probability, settle, shown
from repro.streams._distribution import Filled
from repro.streams._generator import (
    Generator,
    Generators,
    check_noise,
    label_log_joint,
    noisy,
)
from repro.streams._inputs import check_size
from repro.streams.stream import Schema

__all__ = ["RandomTree"]

MOST_LEAVES = 1_000_000
FACTOR, INCREMENT, BITS = 0x5DEECE66D, 11, 48  # of Java's random numbers


class _Tree(NamedTuple):
    """Nodes in the order in which they were grown, the root first; a leaf is its own child."""

    attribute: NDArray[np.int64]  # (N,) that the node splits; -1 in a leaf
    threshold: NDArray[np.float64]  # (N,) numeric: child 1 from here on; inf for a nominal one
    child: NDArray[np.int64]  # (N, V) by value; numeric: 0 below the threshold, 1 from it on
    label: NDArray[np.int64]  # (N,) of a leaf; -1 elsewhere
    depth: NDArray[np.int64]  # (N,) 0 for the root


@dataclass(frozen=True)
class RandomTree(Generator):
    r"""Examples labelled by a random decision tree (Domingos and Hulten 2000).

    Nominal attributes come first, then numeric ones; all are uniform, the numeric ones on [0, 1).
    The tree splits random attributes: a nominal one into all its values, at most once on a path;
    a numeric one at a point that is uniform in the interval left by the path. A node is a leaf at
    `max_depth`, and from `first_leaf_depth` on with probability `leaf_share`; leaves have random
    labels. Then the label is replaced with probability `noise` by another one, equally likely:

    .. math:: P(y \mid x) = 1 - \text{noise} \text{ for the label of the leaf of } x, \quad
              \text{noise} / (K - 1) \text{ for another},

    so `noise` is the Bayes error.

    Parameters
    ----------
    n_nominal, n_values, n_numeric : numbers of nominal attributes, of values of each of them, and
        of numeric attributes.
    n_classes : K, at least 2. A small tree may have no leaf of some classes.
    max_depth, first_leaf_depth, leaf_share : see above; the root has depth 0. The tree must have
        at most a million leaves.
    noise : in [0, 1 - 1/K].
    model_seed : seed of the tree, which does not depend on the seed of `sample`.
    java : grow the tree with Java's random numbers from `model_seed` (its lowest 48 bits), as MOA's
        generator does, whose default tree has seed 1. Examples are drawn by numpy all the same.

    Raises TypeError for a name that is no text, ValueError for a wrong value.

    >>> RandomTree(model_seed=3, n=100).sample(seed=0).schema.nominal
    (5, 5, 5, 5, 5, 0, 0, 0, 0, 0)
    """

    n_nominal: int = 5
    n_values: int = 5
    n_numeric: int = 5
    n_classes: int = 2
    max_depth: int = 5
    first_leaf_depth: int = 3
    leaf_share: float = 0.15
    noise: float = 0.0
    model_seed: int = 1
    java: bool = False

    PARTS: ClassVar = ("nominal", "numeric", "noise")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("n_values", "n_classes"):
            check_size(getattr(self, name), row=self.ROWS, name=name, least=2)
        for name in ("n_nominal", "n_numeric"):
            check_size(getattr(self, name), row=self.ROWS, name=name, least=0)
        for name in ("max_depth", "first_leaf_depth", "model_seed"):
            check_count(getattr(self, name), name=name, least=0)
        if self.n_nominal + self.n_numeric == 0:
            raise ValueError("n_nominal + n_numeric must be at least 1; got 0")
        settle(self, leaf_share=check_probability(self.leaf_share, name="leaf_share"))
        check_flag(self.java, name="java")
        self._check_leaves()
        settle(self, noise=check_noise(self.noise, self.n_classes))

    def _check_leaves(self) -> None:
        """Raise ValueError if the largest tree that the settings allow is too large."""
        certain = self.first_leaf_depth if self.leaf_share == 1 else self.max_depth
        depth = min(self.max_depth, certain)
        nominal = min(self.n_nominal, depth)
        numeric = depth - nominal if self.n_numeric else 0
        bits = nominal * log2(self.n_values) + numeric
        if bits > log2(MOST_LEAVES):
            rule = f"leave a tree of at most {MOST_LEAVES} leaves"
            raise ValueError(f"max_depth must {rule}; got {shown(self.max_depth)}")

    @property
    def schema(self) -> Schema:
        """Nominal attributes, then numeric ones."""
        return Schema((self.n_values,) * self.n_nominal + (0,) * self.n_numeric, self.n_classes)

    @property
    def exact_error(self) -> float:
        """The noise."""
        return self.noise

    @cached_property
    def tree(self) -> _Tree:
        """The nodes as arrays (N,): attribute, threshold, child (N, V), label and depth."""
        return _grown(replace(self, noise=0.0, n=1, name=""))  # which do not change the tree

    def _grow(
        self,
        nodes: list[tuple[Any, ...]],
        depth: int,
        unused: list[int],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        rng: np.random.Generator | JavaRandom,
    ) -> int:
        """Append a node and its subtree; return its number. `unused`: nominal attributes left."""
        me, width = len(nodes), max(self.n_values, 2)
        nodes.append(())
        choices = [*unused, *range(self.n_nominal, self.n_nominal + self.n_numeric)]
        if self._is_leaf(depth, rng) or not choices:
            label = int(rng.integers(self.n_classes))
            nodes[me] = (-1, np.inf, (me,) * width, label, depth)
            return me
        attribute = choices[int(rng.integers(len(choices)))]
        if attribute < self.n_nominal:
            left = [a for a in unused if a != attribute]
            threshold = np.inf
            child = [self._grow(nodes, depth + 1, left, low, high, rng) for _ in range(width)]
        else:
            j = attribute - self.n_nominal
            threshold = low[j] + (high[j] - low[j]) * rng.random()
            below, above = high.copy(), low.copy()
            below[j] = above[j] = threshold
            child = [
                self._grow(nodes, depth + 1, unused, low, below, rng),
                self._grow(nodes, depth + 1, unused, above, high, rng),
            ]
            child += [child[1]] * (width - 2)
        nodes[me] = (attribute, threshold, tuple(child), -1, depth)
        return me

    def _is_leaf(self, depth: int, rng: np.random.Generator | JavaRandom) -> bool:
        deepest = depth >= self.max_depth
        if depth < self.first_leaf_depth or (deepest and self.java):
            return deepest  # MOA draws no number at its deepest nodes
        drawn = rng.random()
        return deepest or (1 - drawn <= self.leaf_share if self.java else drawn < self.leaf_share)

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        m, k = len(X), self.n_nominal
        X[:, :k] = rngs["nominal"].integers(0, self.n_values, (m, k))
        X[:, k:] = rngs["numeric"].random((m, self.n_numeric))
        clean = self._label(X)
        y = noisy(clean, self.noise, self.n_classes, rngs["noise"]) if self.noise else clean
        return Filled(y, self.noise, clean)

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        codes, numbers = X[:, : self.n_nominal], X[:, self.n_nominal :]
        coded = np.isin(codes, np.arange(self.n_values)).all(axis=1)
        inside = np.asarray(coded & ((numbers >= 0) & (numbers < 1)).all(axis=1))
        log_density = np.where(inside, -self.n_nominal * np.log(self.n_values), -np.inf)
        points = np.where(inside[:, np.newaxis], X, 0.0)  # the tree has no branch for other codes
        return label_log_joint(self._label(points), self.noise, self.n_classes, log_density)

    def _label(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        attribute, threshold, child, label, depth = self.tree
        values, first = np.ascontiguousarray(X).ravel(), np.arange(len(X)) * X.shape[1]
        column = np.maximum(attribute, 0)  # the column of a leaf does not matter
        # The branch is code * nominal + (value >= threshold), the same formula for both kinds.
        nominal = (column < self.n_nominal).astype(np.float64)
        node = np.zeros(len(X), np.int64)
        for _ in range(depth.max()):
            value = values[first + column[node]]
            branch = (value * nominal[node] + (value >= threshold[node])).astype(np.int64)
            node = child.ravel()[node * child.shape[1] + branch]
        return label[node]


@lru_cache(maxsize=8)
def _grown(stream: RandomTree) -> _Tree:
    """The tree of `stream`; an incremental drift of its noise has a hundred with the same."""
    rng: np.random.Generator | JavaRandom = seeds.generator(stream.model_seed, "RandomTree")
    if stream.java:
        rng = JavaRandom(stream.model_seed)
    low, high = np.zeros(stream.n_numeric), np.ones(stream.n_numeric)
    nodes: list[tuple[Any, ...]] = []
    stream._grow(nodes, 0, list(range(stream.n_nominal)), low, high, rng)
    tree = _Tree(*(np.array(column) for column in zip(*nodes, strict=True)))
    for column in tree:
        column.flags.writeable = False
    return tree


class JavaRandom:
    r"""The generator of `java.util.Random`, from which MOA draws, with the method names of numpy.

    Its state is a number of 48 bits,

    .. math:: s_0 = \text{seed} \oplus a, \qquad s_{i+1} = (a s_i + 11) \bmod 2^{48}, \qquad
              a = \text{5DEECE66D}_{16},

    of which a draw takes the upper bits. The documentation of Java fixes this for all versions.

    >>> rng = JavaRandom(42)
    >>> [rng.integers(100) for _ in range(5)]
    [30, 63, 48, 84, 70]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ FACTOR) % 2**BITS

    def next(self, bits: int) -> int:
        """The upper `bits` bits, at most 32, of the next state."""
        self._state = (self._state * FACTOR + INCREMENT) % 2**BITS
        return self._state >> (BITS - bits)

    def random(self) -> float:
        """A number in [0, 1), of 53 bits: Java's `nextDouble`."""
        return ((self.next(26) << 27) + self.next(27)) / 2**53

    def integers(self, n: int) -> int:
        """A number of 0..n-1, for `n` below 2^31: Java's `nextInt`."""
        if n & (n - 1) == 0:
            return n * self.next(31) >> 31
        drawn = self.next(31)
        while drawn - drawn % n + n > 2**31:  # the last numbers would favour small remainders
            drawn = self.next(31)
        return drawn % n
