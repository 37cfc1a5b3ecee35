"""Estimators of the error: closed forms, pandas, and their online twins."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import wilcoxon

from repro import detectors, metrics

losses = st.lists(st.floats(0, 100), min_size=1, max_size=120)
RNG = np.random.default_rng(20181806)
LOSS = np.r_[1.0, RNG.integers(0, 2, 699)]  # the first loss must be forgotten


@second_opinion("pandas", "metrics.prequential_error")
def test_prequential_is_the_expanding_mean():
    expected = pd.Series(LOSS).expanding().mean()
    np.testing.assert_allclose(metrics.prequential_error(LOSS), expected, rtol=1e-12)


@second_opinion("pandas", "metrics.sliding_error")
@pytest.mark.parametrize("window", [1, 2, 50, 699, 700, 5000])
def test_sliding_is_the_rolling_mean(window):
    expected = pd.Series(LOSS).rolling(window, min_periods=1).mean()
    np.testing.assert_allclose(metrics.sliding_error(LOSS, window), expected, atol=1e-12)


@second_opinion("pandas", "metrics.fading_error")
@pytest.mark.parametrize("alpha", [0.5, 0.95, 0.999])
def test_fading_is_pandas_weighted_mean_with_one_minus_alpha(alpha):
    expected = pd.Series(LOSS).ewm(alpha=1 - alpha, adjust=True).mean()
    np.testing.assert_allclose(metrics.fading_error(LOSS, alpha), expected, rtol=1e-10)


@second_opinion("pandas", "metrics.holdout_error")
def test_holdout_is_the_mean_of_each_test_set():
    loss = np.random.default_rng(0).random((7, 30))
    means = pd.DataFrame(loss).mean(axis="columns")
    np.testing.assert_allclose(metrics.holdout_error(loss), means, rtol=1e-12)


@second_opinion("closed form", "metrics.fading_error")
@pytest.mark.parametrize("alpha", [0.5, 0.9, 0.999])
def test_fading_steps_up_as_the_closed_form(alpha):
    """After n right answers and k wrong ones, P = (1 - alpha^k) / (1 - alpha^(n + k))."""
    n, k = 40, np.arange(1, 61)
    error = metrics.fading_error(np.r_[np.zeros(n), np.ones(60)], alpha)[n:]
    np.testing.assert_allclose(error, (1 - alpha**k) / (1 - alpha ** (n + k)), rtol=1e-10)


def test_all_estimators_agree_without_forgetting():
    prequential = metrics.prequential_error(LOSS)
    np.testing.assert_allclose(metrics.fading_error(LOSS, 1.0), prequential, rtol=1e-12)
    np.testing.assert_allclose(metrics.sliding_error(LOSS, LOSS.size), prequential, rtol=1e-12)


@second_opinion(
    "array form",
    "metrics.PrequentialError metrics.SlidingError metrics.FadingError metrics.HoldoutError",
)
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
    """A million losses of very different size: the last window is exact to its own scale."""
    loss = np.r_[np.full(500_000, 1e8 / 3), np.full(500_000, 1e-3 / 3)]
    last = metrics.sliding_error(loss, 1000)[-1]
    assert last == pytest.approx(1e-3 / 3, rel=1e-12)


ONLINE = [
    (metrics.PrequentialError, metrics.prequential_error),
    (lambda: metrics.SlidingError(50), lambda x: metrics.sliding_error(x, 50)),
    (lambda: metrics.FadingError(0.99), lambda x: metrics.fading_error(x, 0.99)),
    (metrics.QStatistic, lambda x: metrics.q_statistic(x, np.ones(x.size))),
    (lambda: metrics.QStatistic(window=50), lambda x: metrics.q_statistic(x, x * 0 + 1, window=50)),
    (lambda: detectors.PageHinkley().online(), lambda x: detectors.PageHinkley().statistics(x)),
    (lambda: detectors.PageHinkley(), lambda x: detectors.PageHinkley().statistics(x)),
]
every_online = pytest.mark.parametrize(("make", "array"), ONLINE)


def seen(online, loss):
    """Update an estimator, or a comparison with a learner that always errs, with one loss."""
    compares = isinstance(online, metrics.QStatistic)
    assert (online.update(loss, 1.0) if compares else online.update(loss)) is None
    return online.value if hasattr(online, "value") else online.statistic


@every_online
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int8, np.bool_, bool, np.float64])
def test_the_type_of_a_loss_does_not_decide_the_precision(make, array, kind):
    """5000 ones in float16 sum to 5000, and 5000 tenths in float32 are not rounded in between."""
    losses = np.full(5000, 0.1 if np.dtype(kind).kind == "f" else 1).astype(kind)
    online = make()
    values = [seen(online, kind(loss)) for loss in losses]
    np.testing.assert_array_equal(values, array(losses.astype(float)))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, np.float16(np.inf), 10**400])
@every_online
def test_a_loss_that_is_not_finite_is_refused_and_changes_nothing(make, array, wrong):
    online, kept = make(), make()
    for loss in LOSS[:70]:
        seen(online, loss)
        seen(kept, loss)
    for bad, rule in [(wrong, "finite"), ("1", "a number"), (None, "a number"), ([1], "a number")]:
        with pytest.raises(ValueError, match=rf"(loss|value|loss_a) must be {rule}; got"):
            seen(online, bad)
    assert [seen(online, x) for x in LOSS[70:99]] == [seen(kept, x) for x in LOSS[70:99]]


def test_a_test_set_with_an_invalid_loss_changes_nothing():
    online = metrics.HoldoutError()
    online.update(np.array([1, 0], np.float16))
    with pytest.raises(ValueError, match="loss must be finite; got nan at index 1"):
        online.update([1, np.nan])
    assert online.value == 0.5


numbers = st.sampled_from([0.0, 1.0, 1e8, 1e-9, 1 / 3]) | st.floats(0, 1e9)


def sums_of_windows(x, window):
    """Exactly rounded sums of the last `window` values."""
    return np.array([math.fsum(x[max(0, i + 1 - window) : i + 1]) for i in range(len(x))])


@given(st.lists(numbers, min_size=1, max_size=60), st.integers(1, 70))
def test_a_sliding_mean_is_exact_to_its_own_size_and_never_below_0(loss, window):
    """All terms have one sign, so n additions make at most n rounding errors of the result."""
    exact = sums_of_windows(loss, window) / np.minimum(np.arange(1, len(loss) + 1), window)
    error = metrics.sliding_error(loss, window)
    np.testing.assert_allclose(error, exact, rtol=60 * 2.0**-52, atol=0)
    online, values = metrics.SlidingError(window), []
    for x in loss:
        online.update(x)
        values.append(online.value)
    np.testing.assert_array_equal(values, error)
    estimate = detectors.SlidingEstimate(window)
    np.testing.assert_array_equal(estimate.along(loss), error)
    assert detectors.ErrorRatio(estimate, detectors.SlidingEstimate(71)).along(loss).min() >= 0


def test_a_small_loss_after_a_large_one_is_kept_and_a_sum_of_zeros_is_0():
    loss = np.r_[1e8, np.full(9, 1e-9)]
    assert metrics.sliding_error(loss, 3)[-1] == pytest.approx(1e-9, rel=1e-15)
    tenths = RNG.integers(0, 2, 5000) * 0.1
    assert metrics.sliding_error(np.r_[tenths, np.zeros(50)], 50).min() == 0.0
    short, long = detectors.SlidingEstimate(7), detectors.SlidingEstimate(50)
    assert detectors.error_ratio(np.r_[tenths, np.zeros(60)], short, long).min() == 0.0


@pytest.mark.parametrize("window", [10**12, 2**63 - 1, 2**63, 2**64, 2**1100])
def test_a_window_beyond_all_losses_forgets_nothing(window):
    expected = metrics.prequential_error(LOSS)
    np.testing.assert_array_equal(metrics.sliding_error(LOSS, window), expected)
    online = metrics.SlidingError(window)
    assert [online.update(x) or online.value for x in LOSS] == expected.tolist()
    q = metrics.QStatistic(window=window)
    values = [q.update(x, 1) or q.value for x in LOSS]
    np.testing.assert_array_equal(values, metrics.q_statistic(LOSS, LOSS * 0 + 1, window=window))
    for measure in (metrics.mcnemar, metrics.q_standard_error):
        np.testing.assert_array_equal(
            measure(LOSS, 1 - LOSS, window=window), measure(LOSS, 1 - LOSS, window=LOSS.size)
        )


def test_a_faded_sum_is_0_before_it_becomes_subnormal():
    """Everywhere by the same rule; arithmetic on subnormal numbers is slow."""
    loss, online, values = np.r_[1.0, np.zeros(2000)], metrics.FadingError(0.5), []
    for x in loss:
        online.update(x)
        values.append(online.value)
    for curve in (values, metrics.fading_error(loss, 0.5)):
        np.testing.assert_array_equal(curve, detectors.FadingEstimate(0.5).along(loss))
        assert curve[-1] == 0.0
        assert 1e-281 < min(x for x in curve if x > 0) < 1e-280


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
def test_invalid_losses_are_refused(estimator, loss, message):
    with pytest.raises(ValueError, match=message):
        estimator(loss)


def test_large_finite_losses_are_accepted():
    assert metrics.prequential_error([1.7e308, 1.7e308])[0] == 1.7e308


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1, float("nan"), True, "0.9"])
def test_alpha_outside_the_interval_is_refused(alpha):
    for use in (lambda: metrics.fading_error([0.0], alpha), lambda: metrics.FadingError(alpha)):
        with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\]; got"):
            use()


@pytest.mark.parametrize("window", [0, -1, 1.5, True, None])
def test_an_invalid_window_is_refused(window):
    for use in (lambda: metrics.sliding_error([0.0], window), lambda: metrics.SlidingError(window)):
        with pytest.raises(ValueError, match="window must be a whole number >= 1; got"):
            use()


@pytest.mark.parametrize("loss", [[0.0], np.zeros((0, 3)), np.zeros((3, 0))])
def test_holdout_losses_without_test_sets_are_refused(loss):
    with pytest.raises(ValueError, match=r"loss must have shape \(times, m\)"):
        metrics.holdout_error(loss)


@second_opinion("scipy", "metrics.not_worse_than_best")
def test_as_good_as_best_is_wilcoxon_against_the_best():
    errors = 0.2 + 0.02 * RNG.standard_normal((10, 5)) + [0.0, 0.005, 0.01, 0.02, 0.1]
    best = errors.mean(axis=0).argmin()
    expected = [
        j == best or wilcoxon(errors[:, j], errors[:, best]).pvalue >= 0.05 for j in range(5)
    ]
    assert metrics.not_worse_than_best(errors).tolist() == expected
    assert not all(expected)


def test_as_good_as_best_with_ties_missing_errors_and_few_runs():
    assert metrics.not_worse_than_best([[0.1, 0.1]] * 10).tolist() == [True, True]
    gap = np.array([[0.1, 0.3, np.nan]] * 10)
    assert metrics.not_worse_than_best(gap).tolist() == [True, False, False]
    assert metrics.not_worse_than_best([[0.1, 0.9]] * 5).tolist() == [True, True]
    assert not metrics.not_worse_than_best([[np.nan]] * 3).any()
    with pytest.raises(ValueError, match=r"errors must have shape \(runs, learners\)"):
        metrics.not_worse_than_best([0.1, 0.2])
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 1"):
        metrics.not_worse_than_best([[0.1, 0.2]], 1)
    for errors in ("abc", None, [[1, 2], [3]], [[1j, 2]], [[10**400, 1]]):
        with pytest.raises(ValueError, match=r"errors must (hold numbers|have shape)"):
            metrics.not_worse_than_best(errors)


@pytest.mark.parametrize("loss", ["ab", None, {}, [[1, 2], [3]], [["a", "b"]], 5])
def test_other_input_than_a_table_of_losses_is_refused(loss):
    with pytest.raises(ValueError, match=r"loss must (have shape|hold numbers).*; got"):
        metrics.holdout_error(loss)


def test_the_fading_factor_is_999_thousandths_unless_another_is_asked_for():
    loss = [0.0, 1.0, 1.0]
    asked = metrics.fading_error(loss, alpha=0.999)
    np.testing.assert_array_equal(metrics.fading_error(loss), asked)


def test_losses_whose_sum_is_too_large_for_a_number_are_taken_without_a_warning():
    assert metrics.sliding_error([1e308, 1e308], window=1).tolist() == [1e308, 1e308]
