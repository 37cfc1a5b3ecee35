"""Nine distances of an order, against their definitions over all orders of up to 7 examples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import kendalltau, spearmanr

from repro.permutations import distances, random_permutation, shape_permutation

orders = st.integers(1, 60).flatmap(lambda n: st.permutations(range(n)))


def exchanges(order):
    """The paper's count: put each example into its place, one exchange of two at a time."""
    order, count = list(order), 0
    for i in range(len(order)):
        while order[i] != i:
            j = order[i]
            order[i], order[j] = order[j], order[i]
            count += 1
    return count


def increasing_parts(sequence):
    """Number of maximal increasing parts."""
    return sum(b < a for a, b in itertools.pairwise(sequence)) + 1


def by_hand(order):
    n, inverse = len(order), [order.index(i) for i in range(len(order))]
    kendall = sum(b < a for a, b in itertools.combinations(order, 2))
    old = {frozenset(pair) for pair in itertools.pairwise(range(n))}
    now = {frozenset(pair) for pair in itertools.pairwise(order)}
    return {
        "kendall": kendall,
        "precede": kendall,
        "spearman": sum((inverse[i] - i) ** 2 for i in range(n)),
        "position": sum(abs(inverse[i] - i) for i in range(n)),
        "adjacent": len(old - now),
        "exchange": exchanges(order),
        "hamming": sum(inverse[i] != i for i in range(n)),
        "rising_sequences": increasing_parts(inverse) - 1,
        "runs": increasing_parts(order) - 1,
    }


@second_opinion("brute force", "permutations.distances")
@pytest.mark.parametrize("n", range(1, 8))
def test_distances_of_all_orders_equal_their_definitions(n):
    for order in itertools.permutations(range(n)):
        assert distances(order) == by_hand(order)


def test_distances_of_the_examples_of_section_4_1():
    swapped, reverse = distances(np.r_[4:8, 0:4]), distances(np.arange(8)[::-1])
    mixed = distances(np.array([1, 8, 3, 6, 5, 4, 7, 2]) - 1)
    assert list(swapped.values()) == [16, 16, 128, 32, 1, 4, 8, 1, 1]
    assert list(reverse.values()) == [28, 28, 168, 32, 0, 4, 8, 7, 7]
    assert list(mixed.values()) == [14, 14, 80, 16, 5, 2, 4, 4, 4]


def test_the_original_order_has_distance_0_only():
    assert set(distances(range(9)).values()) == {0}
    assert set(distances([0]).values()) == {0}


@given(orders)
def test_distances_of_an_order_and_of_its_inverse(order):
    """Runs and rising sequences change places; the others stay."""
    here, there = distances(order), distances(np.argsort(order))
    assert (here.pop("runs"), here.pop("rising_sequences")) == (
        there.pop("rising_sequences"),
        there.pop("runs"),
    )
    assert here == there


@second_opinion("scipy", "permutations.distances")
@given(orders)
def test_distances_agree_with_scipy_and_are_python_integers(order):
    found, n = distances(order), len(order)
    assert all(type(value) is int for value in found.values())
    if n > 1:
        tau, rho = kendalltau(range(n), order).statistic, spearmanr(range(n), order).statistic
        assert found["kendall"] == pytest.approx((1 - tau) * n * (n - 1) / 4, abs=1e-6)
        assert found["spearman"] == pytest.approx((1 - rho) * n * (n**2 - 1) / 6, abs=1e-6)


def test_sums_of_squares_beyond_64_bits_are_exact():
    """The reverse of n examples has the sum n (n^2 - 1) / 3, here 9e19."""
    n = 6_500_000
    assert distances(np.arange(n)[::-1])["spearman"] == n * (n**2 - 1) // 3 > 2**63


def test_a_long_order_has_the_distances_that_sorting_finds():
    """The number of inversions equals that by counting exchanges of neighbours, k at most."""
    order = shape_permutation(100_000, 30, seed=1)
    found = distances(order)
    assert found["kendall"] <= 30
    assert (found["kendall"] - 30) % 2 == 0  # each swap changes it by one
    pair = random_permutation(3000, seed=2)
    ahead = (pair[:, None] > pair) & (np.arange(3000)[:, None] < np.arange(3000))
    assert distances(pair)["kendall"] == int(ahead.sum())


@pytest.mark.parametrize("order", [[], [0, 0], [1, 2], [0.0, 1.0], [[0, 1]], [True, False]])
def test_what_is_no_order_is_refused(order):
    with pytest.raises(ValueError, match=r"order must be a 1-d array of integers with each of 0"):
        distances(order)
