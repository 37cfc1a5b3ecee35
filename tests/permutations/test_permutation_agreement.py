"""Agreement of repeated runs: Kendall's W, rankings, and winners that switch."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import spearmanr

from repro.permutations import kendall_w, rank_disagreement, rankings, switch_probability

TIED = st.lists(st.integers(-2, 2).map(float), min_size=2, max_size=8)


def tables(runs, learners):
    """All tables of errors of so many runs and learners, with ties."""
    cells = product((0.1, 0.2, 0.3), repeat=runs * learners)
    return (np.reshape(values, (runs, learners)) for values in cells)


def share_of_a_switch(a, b):
    """1 for opposite winners, a half for a tie against a winner, else 0; by cases."""
    if a * b < 0:
        return 1.0
    return 0.5 if (a == 0) != (b == 0) else 0.0


@second_opinion("by hand", "permutations.rankings")
def test_ranks_of_ties_are_the_mean_of_the_ranks_that_they_share():
    assert rankings([[0.3, 0.1, 0.2], [0.1, 0.1, 0.1]]).tolist() == [[3, 1, 2], [2, 2, 2]]


def test_kendall_w_is_1_for_equal_rankings_and_0_for_opposite_ones():
    assert kendall_w([[1, 2, 3], [10, 20, 30]]) == 1
    assert kendall_w([[1, 2, 3], [3, 2, 1]]) == 0


@second_opinion("scipy", "permutations.kendall_w")
def test_kendall_w_follows_from_the_mean_rank_correlation():
    """Mean Spearman correlation of two runs is (m W - 1) / (m - 1), for all 3! ** 3 tables."""
    for orders in product(permutations((1, 2, 3)), repeat=3):
        pairs = [spearmanr(a, b).statistic for a, b in combinations(orders, 2)]
        assert kendall_w(orders) == pytest.approx((2 * np.mean(pairs) + 1) / 3, abs=1e-12)


def test_kendall_w_with_ties_is_a_share_of_the_variance_of_the_ranks():
    """Sum of squares between learners over the total, for all tables with ties."""
    for table in tables(2, 3):
        ranks = rankings(table)
        total = ((ranks - 2) ** 2).sum()
        between = 2 * ((ranks.mean(axis=0) - 2) ** 2).sum()
        expected = between / total if total else np.nan
        assert kendall_w(table) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("errors", [[[0.1, 0.2]], [[0.1], [0.2]], [[0.1, 0.1], [0.2, 0.2]]])
def test_kendall_w_is_nan_for_one_run_one_learner_and_ties_only(errors):
    assert np.isnan(kendall_w(errors))


@second_opinion("brute force", "permutations.switch_probability")
@given(TIED, st.integers(-1, 1))
def test_switches_are_counted_run_by_run(differences, original):
    expected = np.mean([share_of_a_switch(d, original) for d in differences])
    assert switch_probability(differences, original) == pytest.approx(expected)
    each = [original] * len(differences)
    assert switch_probability(differences, each) == pytest.approx(expected)


@second_opinion("enumeration", "permutations.rank_disagreement")
@given(TIED)
def test_disagreement_is_the_share_of_pairs_of_runs_with_other_winners(differences):
    expected = np.mean([share_of_a_switch(a, b) for a, b in combinations(differences, 2)])
    assert rank_disagreement(differences) == pytest.approx(expected)


def test_disagreement_of_a_single_run_is_nan():
    assert np.isnan(rank_disagreement([0.1]))


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"original must be one number or 3; got 2"):
        switch_probability([1, 2, 3], [1, 2])
    for ragged in ([[1], 2], [[1, 2], [3]], {}, "a"):
        with pytest.raises(ValueError, match="original must "):
            switch_probability([1, 2], ragged)
    with pytest.raises(ValueError, match="differences must be finite; got nan at index 0"):
        rank_disagreement([np.nan])
    with pytest.raises(ValueError, match=r"errors must have shape \(n, d\)"):
        kendall_w([1.0, 2.0])
