"""Corrections for several tests and paired tests: by hand, by simulation, and other libraries."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy import stats

from repro.seeds import generator
from repro.statistics import holm, rejected_by_holm, signed_rank


def test_holm_multiplies_by_the_hypotheses_left_and_never_falls():
    assert holm([0.04, 0.01, 0.03, 0.005]).tolist() == pytest.approx([0.06, 0.03, 0.06, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([np.nan, 0.02]).tolist()[1] == 0.02
    assert np.isnan(holm([np.nan])).all()


@second_opinion("enumeration", "statistics.holm")
def test_holm_is_the_closed_test_by_bonferroni():
    """A hypothesis is rejected if Bonferroni rejects each set of hypotheses that has it."""
    n = 8
    sets = np.array(list(product((False, True), repeat=n))[1:])
    for p in generator(7, "holm").random((50, n)) ** 3:
        smallest = np.where(sets, p, 1.0).min(axis=1)
        of_sets = np.minimum(1, sets.sum(axis=1) * smallest)
        expected = [of_sets[sets[:, i]].max() for i in range(n)]
        np.testing.assert_allclose(holm(p), expected, rtol=1e-12)


@second_opinion("by hand", "statistics.rejected_by_holm")
def test_rejections_by_hand():
    """0.05 / 4, / 3 and / 2: the third fails, and with it the fourth, though it is below .05."""
    p = [0.04, 0.001, 0.03, 0.016, np.nan]
    assert rejected_by_holm(p).tolist() == [False, True, False, True, False]
    assert rejected_by_holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_adds_a_rejection_and_keeps_a_tiny_p(p):
    stands = rejected_by_holm(p)
    assert not any(s and value > 0.05 * (1 + 1e-9) for s, value in zip(stands, p, strict=True))
    assert all(s for s, value in zip(stands, p, strict=True) if value < 0.05 / len(p))


@second_opinion("simulation", "statistics.rejected_by_holm")
def test_of_equal_tables_5_percent_have_a_rejection():
    rng = generator(6, "holm")
    found = [rejected_by_holm(p).any() for p in rng.random((1000, 40))]
    assert np.mean(found) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 1000))


@second_opinion("enumeration", "statistics.signed_rank")
def test_signed_rank_is_the_share_of_all_signs_with_as_extreme_a_sum():
    differences = np.array([0.3, -0.1, 0.7, 0.9, -0.2, 1.1, 0.5])
    ranked = stats.rankdata(abs(differences))
    sums = [np.dot(signs, ranked) for signs in product([-1, 1], repeat=7)]
    own = abs(np.dot(np.sign(differences), ranked))
    assert signed_rank(differences) == pytest.approx(np.mean(np.abs(sums) >= own))
    assert signed_rank([*differences, np.nan]) == signed_rank(differences)


def test_signed_rank_of_few_pairs_is_unknown_and_of_equal_ones_1():
    assert np.isnan(signed_rank([1.0] * 5))
    assert signed_rank([0.0] * 6) == 1


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: holm([0.5, 1.5]), r"p must lie in \[0, 1\] or be nan; got 1.5"),
        (lambda: holm([[0.5]]), "p must have shape"),
        (lambda: rejected_by_holm([0.5], level=0), "level must lie in"),
        (lambda: signed_rank([[1.0]]), "differences must have shape"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
