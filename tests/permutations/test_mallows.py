"""Orders of the Mallows model: its law over all permutations, and the mean of its distance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import chisquare

from repro import seeds
from repro.permutations import expected_kendall, mallows_permutation


def inversions(order):
    return sum(a > b for a, b in itertools.combinations(order, 2))


@second_opinion("enumeration", "permutations.mallows_permutation")
@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("dispersion", [0.3, 0.8, 1.0])
def test_an_order_is_less_probable_by_the_dispersion_for_each_inversion(n, dispersion):
    orders = list(itertools.permutations(range(n)))
    weights = np.array([dispersion ** inversions(order) for order in orders])
    drawn = [tuple(mallows_permutation(n, dispersion, seed).tolist()) for seed in range(6000)]
    counts = np.array([drawn.count(order) for order in orders])
    expected = 6000 * weights / weights.sum()
    common = expected >= 5  # rare orders are counted together
    observed = [*counts[common], counts[~common].sum()] if (~common).any() else counts
    wanted = [*expected[common], expected[~common].sum()] if (~common).any() else expected
    assert chisquare(observed, wanted).pvalue > 0.001


@second_opinion("brute force", "permutations.mallows_permutation")
@given(st.integers(1, 80), st.floats(0, 1), st.integers(0, 2**40))
def test_the_order_equals_repeated_insertion_by_hand(n, dispersion, seed):
    uniform = seeds.generator(seed, "permutation", "mallows").random(n)
    order = []
    for i, u in enumerate(uniform):
        weights = dispersion ** np.arange(i + 1.0)
        later = int(np.searchsorted(np.cumsum(weights) / weights.sum(), u, side="right"))
        order.insert(i - min(later, i), i)
    assert mallows_permutation(n, dispersion, seed).tolist() == order


def test_extreme_dispersions_give_the_original_order_and_any_order():
    assert mallows_permutation(50, 0.0, seed=3).tolist() == list(range(50))
    assert mallows_permutation(50, 5e-324, seed=3).tolist() == list(range(50))
    assert mallows_permutation(1, 1.0).tolist() == [0]
    middle = [inversions(mallows_permutation(40, 1.0, seed).tolist()) for seed in range(200)]
    assert abs(np.mean(middle) - 390) < 4 * np.std(middle) / np.sqrt(200)


@second_opinion("enumeration", "permutations.expected_kendall")
@pytest.mark.parametrize("dispersion", [0.0, 1e-300, 0.2, 0.9, 0.99, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("n", [1, 2, 6])
def test_the_expected_distance_equals_the_sum_over_all_orders(n, dispersion):
    found = np.array([inversions(order) for order in itertools.permutations(range(n))])
    weights = dispersion**found
    expected = float(weights @ found / weights.sum())
    assert expected_kendall(n, dispersion) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_the_expected_distance_equals_the_sum_of_the_formula():
    m, phi = np.arange(1, 504), 0.95
    terms = phi / (1 - phi) - m * phi**m / (1 - phi**m)
    assert expected_kendall(503, phi) == pytest.approx(terms.sum(), rel=1e-12)
    drawn = [inversions(mallows_permutation(503, phi, seed).tolist()) for seed in range(40)]
    assert abs(np.mean(drawn) - terms.sum()) < 4 * np.std(drawn) / np.sqrt(40)


@pytest.mark.parametrize("dispersion", [-0.1, 1.1, float("nan"), None, "a"])
@pytest.mark.parametrize("function", [mallows_permutation, expected_kendall])
def test_a_dispersion_outside_the_interval_is_refused(function, dispersion):
    with pytest.raises(ValueError, match=r"dispersion must lie in \[0, 1\]; got"):
        function(5, dispersion)


@pytest.mark.parametrize("function", [mallows_permutation, expected_kendall])
def test_a_length_that_is_no_count_is_refused(function):
    with pytest.raises(ValueError, match="n must be a whole number >= 1; got 0"):
        function(0, 0.5)
