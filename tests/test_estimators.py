"""Estimators of the error: closed forms, pandas, and their online twins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from repro import metrics

losses = st.lists(st.floats(0, 100), min_size=1, max_size=120)
RNG = np.random.default_rng(20181806)
LOSS = np.r_[1.0, RNG.integers(0, 2, 699)]  # the first one is to be forgotten


def test_prequential_is_the_expanding_mean():
    expected = pd.Series(LOSS).expanding().mean()
    np.testing.assert_allclose(metrics.prequential_error(LOSS), expected, rtol=1e-12)


@pytest.mark.parametrize("window", [1, 2, 50, 699, 700, 5000])
def test_sliding_is_the_rolling_mean_over_what_there_is(window):
    expected = pd.Series(LOSS).rolling(window, min_periods=1).mean()
    np.testing.assert_allclose(metrics.sliding_error(LOSS, window), expected, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 0.95, 0.999])
def test_fading_is_pandas_weighted_mean_with_one_minus_alpha(alpha):
    expected = pd.Series(LOSS).ewm(alpha=1 - alpha, adjust=True).mean()
    np.testing.assert_allclose(metrics.fading_error(LOSS, alpha), expected, rtol=1e-10)


@pytest.mark.parametrize("alpha", [0.5, 0.9, 0.999])
def test_fading_steps_up_as_the_closed_form(alpha):
    """After n right answers and k wrong ones, P = (1 - alpha^k) / (1 - alpha^(n + k))."""
    n, k = 40, np.arange(1, 61)
    error = metrics.fading_error(np.r_[np.zeros(n), np.ones(60)], alpha)[n:]
    np.testing.assert_allclose(error, (1 - alpha**k) / (1 - alpha ** (n + k)), rtol=1e-10)


def test_without_forgetting_all_estimators_are_one():
    prequential = metrics.prequential_error(LOSS)
    np.testing.assert_allclose(metrics.fading_error(LOSS, 1.0), prequential, rtol=1e-12)
    np.testing.assert_allclose(metrics.sliding_error(LOSS, LOSS.size), prequential, rtol=1e-12)


@given(losses, st.floats(0.05, 1.0), st.integers(1, 5) | st.integers(1, 130))
def test_online_and_array_forms_agree(loss, alpha, window):
    pairs = [
        (metrics.PrequentialError(), metrics.prequential_error(loss)),
        (metrics.SlidingError(window), metrics.sliding_error(loss, window)),
        (metrics.FadingError(alpha), metrics.fading_error(loss, alpha)),
        (metrics.HoldoutError(), metrics.holdout_error(np.c_[loss, loss])),
    ]
    for online, expected in pairs:
        values = []
        for x in loss:
            update = online.update([x, x] if isinstance(online, metrics.HoldoutError) else x)
            assert update is None
            values.append(online.value)
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@given(losses, st.floats(0.05, 1.0), st.floats(-3, 3))
def test_estimators_are_linear_in_the_losses(loss, alpha, factor):
    once, scaled = (metrics.fading_error(f * np.array(loss), alpha) for f in (1, factor))
    np.testing.assert_allclose(scaled, factor * once, atol=1e-8)


def test_rounding_does_not_build_up_in_a_sliding_sum():
    """Losses far apart in size, a million of them: the last window is exact to its own scale."""
    loss = np.r_[np.full(500_000, 1e8 / 3), np.full(500_000, 1e-3 / 3)]
    last = metrics.sliding_error(loss, 1000)[-1]
    assert last == pytest.approx(1e-3 / 3, rel=1e-12)


def test_before_the_first_loss_there_is_no_error():
    online = [metrics.PrequentialError(), metrics.SlidingError(), metrics.FadingError()]
    assert all(np.isnan(estimator.value) for estimator in [*online, metrics.HoldoutError()])


ALONG = [
    metrics.prequential_error,
    metrics.sliding_error,
    metrics.fading_error,
]


@pytest.mark.parametrize("estimator", ALONG)
@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ([], r"loss must be a non-empty 1-d array; got shape \(0,\)"),
        ([[0.0, 1.0]], r"loss must be a non-empty 1-d array; got shape \(1, 2\)"),
        ([0.0, np.nan], "loss must be finite; got nan at index 1"),
        ([0.0, 1.0, np.inf], "loss must be finite; got inf at index 2"),
    ],
)
def test_losses_that_are_none_are_refused(estimator, loss, message):
    with pytest.raises(ValueError, match=message):
        estimator(loss)


def test_large_finite_losses_are_no_infinities():
    assert metrics.prequential_error([1.7e308, 1.7e308])[0] == 1.7e308


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1, float("nan"), True, "0.9"])
def test_alpha_outside_the_interval_is_refused(alpha):
    for use in (lambda: metrics.fading_error([0.0], alpha), lambda: metrics.FadingError(alpha)):
        with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\]; got"):
            use()


@pytest.mark.parametrize("window", [0, -1, 1.5, True, None])
def test_a_window_that_is_no_count_is_refused(window):
    for use in (lambda: metrics.sliding_error([0.0], window), lambda: metrics.SlidingError(window)):
        with pytest.raises(ValueError, match="window must be a whole number >= 1; got"):
            use()


@pytest.mark.parametrize("loss", [[0.0], np.zeros((0, 3)), np.zeros((3, 0))])
def test_holdout_losses_without_test_sets_are_refused(loss):
    with pytest.raises(ValueError, match=r"loss must have shape \(times, m\)"):
        metrics.holdout_error(loss)


def test_as_good_as_best_is_wilcoxon_against_the_best():
    errors = 0.2 + 0.02 * RNG.standard_normal((10, 5)) + [0.0, 0.005, 0.01, 0.02, 0.1]
    best = errors.mean(axis=0).argmin()
    expected = [
        j == best or wilcoxon(errors[:, j], errors[:, best]).pvalue >= 0.05 for j in range(5)
    ]
    assert metrics.as_good_as_best(errors).tolist() == expected
    assert not all(expected)


def test_as_good_as_best_decides_ties_gaps_and_too_few_runs():
    assert metrics.as_good_as_best([[0.1, 0.1]] * 10).tolist() == [True, True]
    gap = np.array([[0.1, 0.3, np.nan]] * 10)
    assert metrics.as_good_as_best(gap).tolist() == [True, False, False]
    assert metrics.as_good_as_best([[0.1, 0.9]] * 5).tolist() == [True, True]
    assert not metrics.as_good_as_best([[np.nan]] * 3).any()
    with pytest.raises(ValueError, match=r"errors must have shape \(runs, learners\)"):
        metrics.as_good_as_best([0.1, 0.2])
