"""Functions that state the same quantity: each pair is held together by a property.

An array form and its online form have their tests beside their definitions: `test_estimators`,
`test_comparison`, `test_kappa`, `test_detectors`, `test_ratio`; a number for all delays and one
for each, `test_delays`.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import detectors, metrics, seeds

KAPPAS = [metrics.kappa, metrics.kappa_majority, metrics.kappa_temporal, metrics.kappa_combined]
COMPARISONS = [metrics.q_statistic, metrics.mcnemar, metrics.q_standard_error]
every_kappa = pytest.mark.parametrize("measure", KAPPAS, ids=lambda f: f.__name__)

runs_of_labels = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.tuples(*[st.integers(0, k - 1)] * 2), min_size=1, max_size=60)
)
binary_pairs = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 2), min_size=1, max_size=60)


# --- the number of a whole stream and the end of its curve


@every_kappa
@given(runs_of_labels)
def test_the_curve_without_forgetting_ends_at_the_kappa_of_the_stream(measure, steps):
    """To the last digit."""
    y, y_pred = np.array(steps).T
    for memory in ({"alpha": 1}, {"alpha": 1.0}, {"window": y.size}, {"window": 2**70}):
        curve = measure(y, y_pred, **memory)
        assert curve.shape == y.shape
        np.testing.assert_array_equal(curve[-1], measure(y, y_pred))
    ends = [curve[-1] for curve in metrics.baselines(y, y_pred, alpha=1)]
    np.testing.assert_array_equal(ends, metrics.baselines(y, y_pred))


@given(binary_pairs)
def test_a_comparison_ends_at_the_statistic_of_the_stream(pairs):
    """Computed by the formula from sums over the whole stream."""
    a, b = np.array(pairs).T
    for statistic in COMPARISONS:
        plain = statistic(a, b)
        assert plain.shape == a.shape
        np.testing.assert_array_equal(statistic(a, b, alpha=1), plain)
        np.testing.assert_allclose(statistic(a, b, window=a.size), plain, rtol=1e-9, atol=1e-7)
    n01, n10 = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    signed = (n01 - n10) * abs(n01 - n10) / (n01 + n10) if n01 + n10 else np.nan
    np.testing.assert_equal(metrics.mcnemar(a, b)[-1], signed)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.log(a.sum() / b.sum())
    np.testing.assert_allclose(metrics.q_statistic(a, b)[-1], expected, atol=1e-12)


# --- kappas


@every_kappa
@pytest.mark.parametrize("memory", [{}, {"alpha": 0.95}, {"window": 30}], ids=str)
def test_the_value_in_a_band_is_the_measure(measure, memory):
    rng = seeds.generator(1, "band")
    y, y_pred = rng.integers(0, 3, (2, 200))
    band = metrics.kappa_band(y, y_pred, measure.__name__, rng, **memory, n_resamples=2, points=200)
    np.testing.assert_allclose(band["value"], np.atleast_1d(measure(y, y_pred, **memory)))


@second_opinion("another definition", "metrics.kappa_advice")
@given(runs_of_labels)
def test_advice_test_and_dependence_have_the_numbers_of_the_measures(steps):
    y, y_pred = np.array(steps).T
    frame = metrics.kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred)).frame
    for measure in KAPPAS:
        name = measure.__name__
        np.testing.assert_array_equal(frame.loc[name, "value"], measure(y, y_pred))
        error = metrics.kappa_standard_error(y, y_pred, name)
        np.testing.assert_array_equal(frame.loc[name, "standard_error"], error)
    np.testing.assert_array_equal(metrics.kappa_test(y, y_pred).kappa, metrics.kappa(y, y_pred))
    numbers = metrics.baselines(y, y_pred)
    np.testing.assert_allclose(metrics.label_dependence(y).p_per, numbers.p_per, rtol=1e-12)
    baseline = frame["baseline_accuracy"].to_numpy()
    expected = [numbers.p_ran, numbers.p_m, numbers.p_per, np.nan]
    np.testing.assert_array_equal(baseline, expected)


@given(runs_of_labels)
def test_persistence_sums_to_the_accuracy_of_no_change(steps):
    """p_per is the mean of P_1 over the labels that have a successor."""
    y = np.array(steps)[:, 0]
    shares, after_one = metrics.label_persistence(y, 1)
    numbers = metrics.baselines(y)
    assert shares.max() == numbers.p_maj
    if y.size > 1:
        before = np.bincount(y[:-1], minlength=shares.size) / (y.size - 1)
        p_per = before[before > 0] @ after_one[before > 0]
        np.testing.assert_allclose(p_per, numbers.p_per, atol=1e-12)


# --- estimators, their expectation and their memory


@pytest.mark.parametrize(
    ("memory", "estimator", "online"),
    [
        ({}, metrics.prequential_error, metrics.PrequentialError()),
        ({"window": 7}, lambda p: metrics.sliding_error(p, 7), metrics.SlidingError(7)),
        ({"alpha": 0.9}, lambda p: metrics.fading_error(p, 0.9), metrics.FadingError(0.9)),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_the_expected_error_of_known_losses_is_their_error(memory, estimator, online):
    """Its deviation is 0; for other rates it is the estimator applied to the rates."""
    p = seeds.generator(2, "rates").random(50)
    expected = metrics.expected_error(p, **memory)
    np.testing.assert_array_equal(expected.mean, estimator(p))
    known = metrics.expected_error(p.round(), **memory)
    assert not known.deviation.any()
    for loss, mean in zip(p, expected.mean, strict=True):
        online.update(loss)
        assert online.value == mean


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.3])
def test_a_window_and_its_fading_factor_have_the_deviation_that_epsilon_asks_for(epsilon):
    """2 standard deviations at an error rate of a half."""
    window = metrics.window_for(epsilon)
    alpha, n = metrics.alpha_for(window), 20 * window
    for memory in ({"window": window}, {"alpha": alpha}):
        deviation = metrics.expected_error(np.full(n, 0.5), **memory).deviation[-1]
        assert 2 * deviation == pytest.approx(epsilon, rel=0.5 / window + 1e-9)
    assert alpha ** metrics.effective_memory(alpha, 0.01) == pytest.approx(0.01)


# --- alarms


def test_alarms_after_a_detection_are_not_false():
    """The paper's tables count only alarms before the change as false."""
    assert metrics.first_detection([420, 430], 400) == (20.0, 0)
    assert metrics.first_detection([120, 420], np.int8(121)) == (299.0, 1)
    assert np.isnan(metrics.first_detection([420, 430], 2**70).delay)
    report = metrics.detection_report([420, 430], [400], 1000)
    assert (report.mtd, report.false_alarms, report.repeated) == (20.0, 0, 1)


@pytest.mark.parametrize("alarms", [[np.nan, 5], [1.5], ["a"], [True], None, [[1], 2], "ab", [-1]])
def test_both_refuse_alarms_that_are_not_indices(alarms):
    for use in (
        lambda: metrics.first_detection(alarms, 3),
        lambda: metrics.detection_report(alarms, [3], 10),
    ):
        with pytest.raises(ValueError, match=r"alarms must be increasing indices.*; got"):
            use()


@pytest.mark.parametrize("drift_at", [50, 400])
def test_run_lengths_are_those_of_a_report(drift_at):
    """Losses are 0, then 1, so nothing is random. A run length includes the alarm itself."""
    detector = detectors.PageHinkley(0.1, 5.0)
    x = np.r_[np.zeros(drift_at), np.ones(300)]
    report = metrics.detection_report(detector.alarms(x), [drift_at], x.size)
    lengths = detectors.run_lengths(
        detector, 1.0, seeds.generator(1), 2, rate_before=0.0, drift_at=drift_at
    )
    assert lengths.tolist() == [report.arl1] * 2 == [report.mtd + 1] * 2
    early = metrics.detection_report(detectors.RandomAlarms(1.0).alarms(x), [], x.size)
    lengths = detectors.run_lengths(detectors.RandomAlarms(1.0), 0.5, seeds.generator(1), 2)
    assert lengths.tolist() == [early.arl0] * 2 == [30.0] * 2


def test_a_calibration_has_the_run_length_of_its_detector():
    """On the same simulated runs."""
    found = detectors.calibrate(
        lambda h: detectors.PageHinkley(0.1, h), 200, 0.2, seeds.generator(3), 50
    )
    detector = detectors.PageHinkley(0.1, found.threshold)
    lengths = detectors.run_lengths(detector, 0.2, seeds.generator(3), 50, limit=20 * 200)
    assert found.arl0 == np.minimum(lengths, 20 * 200).mean()


@pytest.mark.parametrize("memory", [{"window": 500}, {"alpha": 0.995}], ids=str)
def test_an_expected_delay_is_the_outcome_on_expected_losses(memory):
    """After a long past, so that the mean of all estimates hardly moves."""
    rates = np.r_[np.full(2_000_000, 0.2), np.full(5000, 0.7)]
    estimate = (
        detectors.SlidingEstimate(500) if "window" in memory else detectors.FadingEstimate(0.995)
    )
    alarms = detectors.PageHinkley(0.1, 100).alarms(estimate.along(rates))
    found = metrics.first_detection(alarms, 2_000_000)
    assert found.false_alarms == 0
    assert found.delay == pytest.approx(detectors.expected_delay(0.2, 0.7, **memory), rel=0.01)
