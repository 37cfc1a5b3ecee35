"""Random trees grown with Java's random numbers, against the algorithm on the examples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from opinions import second_opinion

from repro.seeds import generator
from repro.streams import RandomTree, Redrawn
from repro.streams.random_tree import JavaRandom

# --- java.util.Random


@pytest.mark.parametrize(
    ("seed", "bound", "expected"),
    [(42, 100, [30, 63, 48, 84, 70]), (42, 10, [0, 3, 8, 4, 0]), (0, 10, [0, 8, 9, 7, 5])],
)
def test_integers_are_those_of_java(seed, bound, expected):
    """Numbers that Java 17 prints."""
    rng = JavaRandom(seed)
    assert [rng.integers(bound) for _ in expected] == expected


def test_doubles_and_whole_integers_are_those_of_java():
    assert [JavaRandom(seed).random() for seed in (0, 42)] == [
        0.730967787376657,
        0.7275636800328681,
    ]
    assert JavaRandom(42).next(32) == -1170105035 % 2**32  # nextInt() has a sign
    assert JavaRandom(0).next(32) == -1155484576 % 2**32


def test_only_the_lowest_48_bits_of_a_seed_count():
    assert JavaRandom(5 + 2**48).random() == JavaRandom(5).random()


@pytest.mark.parametrize("n", [1, 2, 8, 1024])
def test_below_a_power_of_two_integers_are_the_upper_bits(n):
    drawn = [JavaRandom(seed).integers(n) for seed in range(100)]
    assert drawn == [JavaRandom(seed).next(31) // (2**31 // n) for seed in range(100)]


def test_numbers_above_the_last_multiple_of_the_bound_are_drawn_again():
    n = 2**30 + 1  # about half of all numbers lie above it
    again = 0
    for seed in range(60):
        rng, plain = JavaRandom(seed), JavaRandom(seed)
        while (kept := plain.next(31)) >= n:
            again += 1
        assert rng.integers(n) == kept
    assert again > 20


# --- the tree


def states(seed: int) -> Iterator[int]:
    """The 48-bit numbers of Java, written independently."""
    state = seed ^ 0x5DEECE66D
    while True:
        state = (state * 0x5DEECE66D + 11) & (2**48 - 1)
        yield state


def double(drawn: Iterator[int]) -> float:
    return ((next(drawn) >> 22 << 27) + (next(drawn) >> 21)) / 2**53


def below(drawn: Iterator[int], n: int) -> int:
    return next(drawn) * n >> 48 if n & (n - 1) == 0 else (next(drawn) >> 17) % n


def labels_by_growing(X: np.ndarray, seed: int) -> np.ndarray:
    """Labels of `X` (n, 10): a node holds the rows that reach it, and splits them."""
    y, drawn = np.full(len(X), -1), states(seed)
    nodes: list[tuple[np.ndarray, dict[int, tuple[float, float]], int]] = [
        (np.arange(len(X)), {}, 0)
    ]
    while nodes:
        rows, box, depth = nodes.pop()
        if depth == 5 or (depth > 2 and 1 - double(drawn) <= 0.15):
            y[rows] = below(drawn, 2)
            continue
        free = [j for j in range(10) if j > 4 or j not in box]
        j = free[below(drawn, len(free))]
        low, high = box.get(j, (0, 1))
        cuts = range(6) if j < 5 else (low, low + (high - low) * double(drawn), high)
        for a, b in reversed([*pairwise(cuts)]):
            inside = rows[(a <= X[rows, j]) & (X[rows, j] < b)]
            nodes.append((inside, box | {j: (a, b)}, depth + 1))
    return y


@second_opinion("brute force", "streams.RandomTree")
@pytest.mark.parametrize("seed", [*range(1, 25), 2**60 + 7])
def test_labels_equal_those_of_the_tree_grown_on_the_examples(seed):
    stream = RandomTree(model_seed=seed, java=True).sample(seed=seed % 5, n=20_000)
    np.testing.assert_array_equal(stream.y, labels_by_growing(stream.X, seed % 2**48))


def test_the_default_tree_of_moa_labels_few_examples_with_the_second_class():
    tree = RandomTree(model_seed=1, java=True)
    X = np.column_stack([generator(0, "X").integers(0, 5, (50_000, 5)), np.zeros((50_000, 5))])
    X[:, 5:] = generator(1, "X").random((50_000, 5))
    share = tree.posterior(X)[:, 1].mean()
    assert share == pytest.approx(labels_by_growing(X, 1).mean(), abs=1e-12)
    assert tree.bayes_error(0).error == 0


def test_java_changes_the_tree_and_not_the_examples():
    ours, javas = (RandomTree(java=java).sample(seed=2) for java in (False, True))
    np.testing.assert_array_equal(ours.X, javas.X)
    assert 0.2 < np.mean(ours.y != javas.y) < 0.8


def test_redrawn_trees_are_grown_by_java_too():
    drawn = Redrawn(RandomTree(java=True, n=2000)).drawn(3)
    assert drawn.java
    stream = drawn.sample(1)
    np.testing.assert_array_equal(stream.y, labels_by_growing(stream.X, drawn.model_seed % 2**48))


def test_other_sizes_grow_too():
    tree = RandomTree(
        n_nominal=1, n_numeric=0, n_classes=5, max_depth=9, first_leaf_depth=0, java=True
    )
    assert set(tree.sample(n=500).y) <= set(range(5))


def test_java_must_be_a_flag():
    with pytest.raises(ValueError, match="java must be True or False; got 'yes'"):
        RandomTree(java="yes")
