"""Estimates with standard errors: against pandas, scipy and simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy import stats

from repro.seeds import generator
from repro.statistics import (
    PointEstimate,
    jackknife,
    mean_estimate,
    mean_over_streams,
    student_quantile,
)

finite = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))


@second_opinion("pandas", "statistics.mean_estimate")
@given(st.lists(finite, min_size=2, max_size=30))
def test_a_mean_is_that_of_pandas_to_the_last_bit(values):
    """But for equal numbers, to which pandas gives the spread that rounding leaves."""
    series = pd.Series(values)
    error = series.sem() if series.nunique() > 1 else 0.0
    assert mean_estimate(values) == (series.mean(), error, len(values) - 1)


@pytest.mark.parametrize("n", range(2, 12))
def test_equal_repeats_have_no_spread(n):
    for value in (0.1, 0.7, 1 / 3, 1e-300):
        assert mean_estimate(np.full(n, value)).standard_error == 0
        table = np.column_stack([np.full(n, value), np.arange(n)])
        assert mean_estimate(table).standard_error[0] == 0 < mean_estimate(table).standard_error[1]


def test_equal_but_for_rounding_is_equal():
    found = mean_estimate([0.1 + 0.2, 0.3])  # differ by 6e-17
    assert (found.standard_error, found.p_value) == (0, 0.5)
    assert mean_estimate([1.0, 1.0 + 1e-9]).standard_error > 0


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e308])
def test_numbers_without_end_have_no_error_that_is_known(value):
    """Of 1e308 the sum has no end."""
    assert not np.isfinite(mean_estimate([value, value]).standard_error)


@pytest.mark.parametrize("df", [0, -1, np.nan])
def test_equal_repeats_without_degrees_of_freedom_say_nothing(df):
    of_two = PointEstimate([1.0, 0.0], 0.0, df)
    assert np.isnan(of_two.p_value[0])
    assert np.isnan(of_two.interval()).all()


def test_two_equal_repeats_have_no_interval_and_more_have_their_value():
    assert np.isnan(mean_estimate([0.3, 0.3]).interval()).all()
    assert mean_estimate([0.3, 0.3, 0.3]).interval() == (0.3, 0.3)
    assert PointEstimate(0.3).interval() == (0.3, 0.3)  # known, not estimated


@pytest.mark.parametrize("deviation", [0.3, 1.0, 3.0, 30.0])
def test_counts_that_agree_three_times_are_as_near_to_their_mean_as_they_resolve(deviation):
    """In 19 of 20 studies the interval holds the mean, or is within a count of it."""
    draws = generator(4, "estimates").normal(100.4, deviation, (3, 20_000)).round()
    low, high = mean_estimate(draws).interval()
    outside = (low > 101.4) | (high < 99.4)
    assert outside.mean() < 0.05


@pytest.mark.parametrize("n", range(2, 8))
def test_few_counts_that_happen_to_be_equal_prove_no_more_than_their_signs(n):
    """All 2^n outcomes of n counts of -1 or 1, which are symmetric about 0."""
    outcomes = np.array(list(product([-1, 1], repeat=n)))
    p = mean_estimate(outcomes.T).p_value
    assert p[-1] == p[0] == stats.binomtest(n, n).pvalue
    assert (p <= p[0]).mean() == p[0]


def test_columns_are_means_of_their_own():
    table = generator(1, "estimates").random((7, 3))
    found = mean_estimate(table)
    for j in range(3):
        assert (found.value[j], found.standard_error[j], 6) == mean_estimate(table[:, j])
    assert found.df == 6


def test_one_repeat_has_no_error_and_none_no_mean():
    assert mean_estimate([2.0])[0] == 2
    assert np.isnan(mean_estimate([2.0]).standard_error)
    assert np.isnan(mean_estimate([]).value)
    assert all(np.isnan(end) for end in mean_estimate([2.0]).interval())


@second_opinion("scipy", "statistics.mean_estimate")
def test_interval_and_p_value_are_those_of_students_test():
    one, other = generator(5, "estimates").normal(size=(2, 30))
    found, expected = mean_estimate(one - other), stats.ttest_rel(one, other)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert np.allclose(found.interval(0.1), expected.confidence_interval(0.9))
    assert mean_estimate(one - one).p_value == 1
    assert PointEstimate(1.0).p_value == 0
    assert np.isnan(mean_estimate(one[:1]).p_value)


def test_levels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"level must broadcast with df, of shape \(3,\); got \[0"):
        student_quantile([1, 2, 3], [0.1, 0.2])
    with pytest.raises(ValueError, match=r"level must broadcast with the values, of shape \(2,\)"):
        mean_estimate([[1.0, 2.0], [2.0, 4.0]]).interval([0.1, 0.2, 0.3])


@second_opinion("scipy", "statistics.student_quantile")
def test_quantiles_are_students_and_the_normal_ones():
    assert student_quantile(7, 0.01) == pytest.approx(stats.t(7).isf(0.005))
    assert student_quantile(np.inf) == pytest.approx(stats.norm.isf(0.025))
    assert np.isnan(student_quantile(0))


@pytest.mark.parametrize("level", [5, -0.1, [0.05, 2.0], np.inf])
def test_a_level_outside_the_interval_is_refused(level):
    with pytest.raises(ValueError, match=r"level must lie in \[0, 1\]; got"):
        student_quantile(3, level)
    with pytest.raises(ValueError, match=r"level must lie in \[0, 1\]; got"):
        PointEstimate(1.0, 0.5, 9).interval(level)


def test_streams_that_share_seeds_are_not_independent():
    """Of two equal drawn streams the mean has the spread of one; of two single ones, less."""
    values = pd.Series([1.0, 2.0, 4.0])
    both = {"A": values, "B": values}
    alone = mean_estimate(values)
    assert mean_over_streams(both, ["A", "B"]) == pytest.approx(alone)
    apart = mean_over_streams(both, [])
    assert apart.standard_error == pytest.approx(alone.standard_error / 2**0.5)
    mixed = mean_over_streams({"A": values, "B": pd.Series([5.0, 6.0])}, ["A"])
    assert mixed.standard_error == pytest.approx(np.hypot(alone.standard_error, 0.5) / 2)
    assert mixed.df == 1
    assert np.isnan(mean_over_streams({}, []).value)


@second_opinion("simulation", "statistics.mean_over_streams")
def test_the_error_over_streams_is_that_of_simulated_draws():
    rng, found = generator(2, "estimates"), []
    for _ in range(3000):
        shared = rng.normal(size=6)
        frames = {n: pd.Series(shared + 0.5 * rng.normal(size=6)) for n in "AB"}
        frames["C"] = pd.Series(2 * rng.normal(size=20))
        found.append(mean_over_streams(frames, ["A", "B"])[:2])
    means, errors = np.array(found).T
    assert np.mean(errors**2) == pytest.approx(means.var(), rel=0.1)


@second_opinion("closed form", "statistics.jackknife")
def test_jackknife_of_a_mean_is_its_standard_error():
    values = generator(3, "estimates").random((9, 2))
    without = [np.delete(values, i, axis=0).mean(axis=0) for i in range(9)]
    assert jackknife(without) == pytest.approx(mean_estimate(values).standard_error)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: mean_estimate([[[1.0]]]), "values must have shape"),
        (lambda: mean_estimate(["a"]), "values must hold numbers"),
        (lambda: jackknife([1.0]), "without must have shape"),
        (lambda: mean_over_streams({"A": pd.Series([1.0])}, ["B"]), "drawn must name streams"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
