"""Controlled permutations and the distance of neighbours, by listing all outcomes."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import permutations, seeds
from repro.permutations import (
    neighbor_distance,
    random_permutation,
    shape_permutation,
    speed_permutation,
    time_permutation,
    total_neighbor_distance,
)

CONTROLLED = (time_permutation, speed_permutation, shape_permutation)
MAKERS = (*CONTROLLED, random_permutation)
every_maker = pytest.mark.parametrize("make", MAKERS, ids=lambda f: f.__name__)
lengths, draws = st.integers(1, 60), st.integers(0, 2**40)


def time_by_hand(n, split):
    """Algorithm 1: blocks that end where `split` is true, in reverse order."""
    edges = [0, *(i + 1 for i in range(n - 1) if split[i]), n]
    blocks = [range(a, b) for a, b in itertools.pairwise(edges)]
    return tuple(itertools.chain.from_iterable(reversed(blocks)))


def speed_by_hand(n, lifted):
    """Algorithm 2: the lifted positions follow the others."""
    rest = [i for i in range(n) if not lifted[i]]
    return (*rest, *(i for i in range(n) if lifted[i]))


def shape_by_hand(n, places):
    """Algorithm 3: one swap with the right neighbour per entry of `places`."""
    order = list(range(n))
    for i in places:
        order[i], order[i + 1] = order[i + 1], order[i]
    return tuple(order)


def law(outcomes):
    """Probability of each order, from (order, probability) of each outcome."""
    found = Counter()
    for order, share in outcomes:
        found[order] += share
    return found


def law_of_time(n, p):
    masks = itertools.product((0, 1), repeat=n - 1)
    return law((time_by_hand(n, m), p ** sum(m) * (1 - p) ** (n - 1 - sum(m))) for m in masks)


def law_of_speed(n, p):
    masks = itertools.product((0, 1), repeat=n)
    return law((speed_by_hand(n, m), p ** sum(m) * (1 - p) ** (n - sum(m))) for m in masks)


def law_of_shape(n, k):
    swaps = itertools.product(range(n - 1), repeat=k)
    return law((shape_by_hand(n, places), (n - 1.0) ** -k) for places in swaps)


def check_law(drawn, expected):
    """Chi-squared test of the orders drawn at the level 0.1 %; no other order may occur."""
    from scipy.stats import chisquare

    counts = Counter(tuple(order.tolist()) for order in drawn)
    assert set(counts) <= {order for order, share in expected.items() if share > 0}
    orders = [order for order, share in expected.items() if share > 0]
    shares = np.array([expected[order] for order in orders])
    observed = [counts[order] for order in orders]
    assert chisquare(observed, shares * len(drawn)).pvalue > 0.001


# --- the orders


@second_opinion("brute force", "permutations.time_permutation permutations.speed_permutation")
@given(lengths, st.floats(0, 1), draws)
def test_time_and_speed_orders_equal_the_algorithms_by_hand(n, p, seed):
    split = seeds.generator(seed, "permutation", "time").random(n - 1) < p
    assert tuple(time_permutation(n, p, seed).tolist()) == time_by_hand(n, split)
    lifted = seeds.generator(seed, "permutation", "speed").random(n) < p
    assert tuple(speed_permutation(n, p, seed).tolist()) == speed_by_hand(n, lifted)


@second_opinion("brute force", "permutations.shape_permutation")
@given(st.integers(2, 60), draws, st.data())
def test_a_shape_order_equals_the_algorithm_by_hand(n, seed, data):
    k = data.draw(st.integers(0, 2 * n - 1))
    places = seeds.generator(seed, "permutation", "shape").integers(0, n - 1, k)
    assert tuple(shape_permutation(n, k, seed).tolist()) == shape_by_hand(n, places)


def test_swaps_drawn_in_blocks_are_those_drawn_at_once():
    n = 100_000
    places = seeds.generator(3, "permutation", "shape").integers(0, n - 1, 2 * n - 1)
    assert tuple(shape_permutation(n, 2 * n - 1, 3).tolist()) == shape_by_hand(n, places.tolist())


@second_opinion("enumeration", "permutations.time_permutation permutations.speed_permutation")
@pytest.mark.parametrize("p", [0.5, 0.2])
def test_time_and_speed_orders_have_the_law_of_the_algorithms(p):
    check_law([time_permutation(5, p, seed) for seed in range(4000)], law_of_time(5, p))
    check_law([speed_permutation(4, p, seed) for seed in range(4000)], law_of_speed(4, p))


@pytest.mark.parametrize("k", [1, 3, 7])
def test_shape_orders_have_the_law_of_the_algorithm(k):
    check_law([shape_permutation(4, k, seed) for seed in range(4000)], law_of_shape(4, k))


@second_opinion("enumeration", "permutations.random_permutation")
def test_all_random_orders_are_equally_likely():
    uniform = dict.fromkeys(itertools.permutations(range(4)), 1 / 24)
    check_law([random_permutation(4, seed) for seed in range(4000)], uniform)


@every_maker
@given(n=lengths, seed=draws)
def test_an_order_holds_each_position_once_and_depends_on_the_seed_alone(make, n, seed):
    order = make(n, seed=seed)
    assert (order.dtype, order.flags.c_contiguous) == (np.int64, True)
    assert sorted(order.tolist()) == list(range(n))
    np.testing.assert_array_equal(make(n, seed=seed), order)


@every_maker
def test_seeds_give_different_orders_and_kinds_independent_ones(make):
    assert not np.array_equal(make(50, seed=1), make(50, seed=2))
    others = [other(50, seed=1).tolist() for other in MAKERS if other is not make]
    assert make(50, seed=1).tolist() not in others


@every_maker
def test_one_and_two_examples(make):
    assert make(1).tolist() == [0]
    both = {tuple(make(2, seed=seed).tolist()) for seed in range(40)}
    if make is shape_permutation:  # two swaps of the only pair
        assert both == {(0, 1)}
        assert make(2, k=1).tolist() == [1, 0]
    else:
        assert both == {(0, 1), (1, 0)}


@pytest.mark.parametrize("n", [1, 2, 7])
def test_extreme_strengths(n):
    forward = list(range(n))
    assert time_permutation(n, 0.0).tolist() == forward
    assert time_permutation(n, 1.0).tolist() == forward[::-1]
    assert speed_permutation(n, 0.0).tolist() == speed_permutation(n, 1.0).tolist() == forward
    assert shape_permutation(n, 0).tolist() == forward


@every_maker
@pytest.mark.parametrize("n", [0, -1, 1.5, True, None, 2**63])
def test_a_length_that_is_no_count_is_refused(make, n):
    with pytest.raises(ValueError, match=r"n must be (a whole number >= 1|at most 100000000); got"):
        make(n)


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), None, "a", True])
def test_a_probability_outside_the_interval_is_refused(p):
    for make in (time_permutation, speed_permutation):
        with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]; got"):
            make(5, p)


@pytest.mark.parametrize(
    ("k", "rule"),
    [(-1, "a whole number >= 0"), (1.0, "a whole number >= 0"), (10, "at most 9"), (11, "at most")],
)
def test_swaps_outside_the_range_of_the_paper_are_refused(k, rule):
    with pytest.raises(ValueError, match=f"k must be {rule}.*; got {k}"):
        shape_permutation(5, k)
    assert len(shape_permutation(5, 9)) == 5


@every_maker
def test_a_seed_that_is_no_count_is_refused(make):
    with pytest.raises(ValueError, match="seed must be a whole number >= 0; got -1"):
        make(5, seed=-1)


# --- neighbour distances


def test_the_examples_of_section_4_1():
    """(5,6,7,8,1,2,3,4) is close, the reverse very close, (1,8,3,6,5,4,7,2) very distant."""
    swapped, mixed = np.r_[5:9, 1:5] - 1, np.array([1, 8, 3, 6, 5, 4, 7, 2]) - 1
    assert total_neighbor_distance(swapped) == 6 * 1 + 7
    assert total_neighbor_distance(np.arange(8)[::-1]) == 7
    assert total_neighbor_distance(mixed) == 7 + 5 + 3 + 1 + 1 + 3 + 5
    assert [neighbor_distance(o) for o in (swapped, mixed)] == [13 / 7, 25 / 7]
    assert neighbor_distance([0, 2, 1, 3]) == 5 / 3  # below Definition 1


@second_opinion(
    "brute force",
    "permutations.neighbor_distance permutations.total_neighbor_distance",
)
def test_neighbor_distances_of_all_orders_equal_a_sum_by_hand():
    for n in range(1, 8):
        for order in itertools.permutations(range(n)):
            total = sum(abs(a - b) for a, b in itertools.pairwise(order))
            assert total_neighbor_distance(order) == total
            if n > 1:
                assert neighbor_distance(order) == total / (n - 1) >= 1


def test_a_single_example_has_no_neighbor():
    assert total_neighbor_distance([0]) == 0
    assert np.isnan(neighbor_distance([0]))


def test_orders_of_any_integer_type_are_accepted():
    for kind in (np.int8, np.uint8, np.uint64, np.int32):
        assert total_neighbor_distance(np.array([0, 2, 1, 3], kind)) == 5
    assert total_neighbor_distance(np.arange(10)[::-2][::-1] // 2) == 4  # not contiguous


NO_ORDERS = [
    ([], r"got shape \(0,\)"),
    (np.zeros(0, int), r"got shape \(0,\)"),
    ([0, 2], "got the value 2 at index 1"),
    ([0, -1], "got the value -1 at index 1"),
    ([1, 2, 3], "got the value 3 at index 2"),
    ([0, 1, 1], "got a second 1 at index 2"),
    ([0.0, 1.0], "got dtype float64"),
    ([True, False], "got dtype bool"),
    ([[0, 1]], r"got shape \(1, 2\)"),
    (3, r"got shape \(\)"),
    (np.array([0, 2**64 - 1], np.uint64), "got the value 18446744073709551615 at index 1"),
    (np.ma.masked_array([0, 1], [False, True]), "got masked_array"),
    (["a"], r"got \['a'\]"),
    ([[0], [1, 2]], r"got \[\[0\], \[1, 2\]\]"),
    (None, "got None"),
]


@pytest.mark.parametrize(("order", "got"), NO_ORDERS)
@pytest.mark.parametrize("name", ["neighbor_distance", "total_neighbor_distance"])
def test_what_is_no_order_is_refused(name, order, got):
    rule = r"order must be a 1-d array of integers with each of 0\.\.n-1 once"
    with pytest.raises(ValueError, match=f"{rule}; {got}"):
        getattr(permutations, name)(order)
