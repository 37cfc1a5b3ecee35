"""Detectors on estimates of the error, the ratio detector, and thresholds by simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import learners, metrics, prequential, seeds
from repro.detectors import (
    ADWIN,
    DDM,
    DRIFT,
    ErrorRatio,
    FadingEstimate,
    Monitor,
    PageHinkley,
    RandomAlarms,
    SlidingEstimate,
    calibrate,
    error_ratio,
    page_hinkley,
    run_lengths,
)
from repro.streams import Stream

RNG = np.random.default_rng(19540601)
LOSS = (RNG.random(6000) < np.repeat([0.2, 0.6, 0.3], 2000)).astype(float)
ESTIMATES = [
    FadingEstimate(0.99),
    FadingEstimate(1.0),
    SlidingEstimate(70),
    ErrorRatio(FadingEstimate(0.98), FadingEstimate(0.998)),
    ErrorRatio(SlidingEstimate(50), SlidingEstimate(400)),
    ErrorRatio(SlidingEstimate(50), FadingEstimate(0.998)),
]
every_estimate = pytest.mark.parametrize("estimate", ESTIMATES, ids=repr)


# --- estimates are those of the metrics


@second_opinion("array form", "detectors.FadingEstimate detectors.SlidingEstimate")
@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=120), st.floats(0.05, 1), st.integers(1, 130)
)
def test_estimates_are_those_of_the_metrics(loss, alpha, window):
    fading, sliding = FadingEstimate(alpha).along(loss), SlidingEstimate(window).along(loss)
    np.testing.assert_array_equal(fading, metrics.fading_error(loss, alpha))
    np.testing.assert_allclose(sliding, metrics.sliding_error(loss, window), rtol=1e-12, atol=1e-12)


@second_opinion("another definition", "detectors.error_ratio")
def test_the_ratio_is_the_quotient_of_two_curves():
    loss = np.r_[1.0, LOSS]
    faded = metrics.fading_error(loss, 0.997) / metrics.fading_error(loss, 0.999)
    np.testing.assert_allclose(error_ratio(loss, 0.997, 0.999), faded, rtol=1e-12)
    short, long = SlidingEstimate(100), SlidingEstimate(700)
    sliding = metrics.sliding_error(loss, 100) / metrics.sliding_error(loss, 700)
    np.testing.assert_allclose(error_ratio(loss, short, long), sliding, rtol=1e-12)
    mixed = metrics.sliding_error(loss, 100) / metrics.fading_error(loss, 0.999)
    np.testing.assert_allclose(error_ratio(loss, short, 0.999), mixed, rtol=1e-12)


def test_a_number_is_always_a_fading_factor():
    expected = ErrorRatio(FadingEstimate(0.5), FadingEstimate(1.0)).along(LOSS)
    np.testing.assert_array_equal(error_ratio(LOSS, 0.5, 1), expected)
    np.testing.assert_array_equal(error_ratio(LOSS, 0.5, 1.0), expected)


def test_the_memory_of_an_estimate_is_the_number_of_losses_it_is_worth():
    for alpha in (0.5, 0.99):
        worth = 1 / metrics.sum_of_squared_weights(10_000, alpha=alpha)[-1]
        assert FadingEstimate(alpha).memory == pytest.approx(worth, rel=1e-10)
        assert metrics.alpha_for(round(FadingEstimate(alpha).memory)) == pytest.approx(alpha)
    assert SlidingEstimate(500).memory == 500
    assert FadingEstimate(1.0).memory == np.inf
    assert ErrorRatio().memory == FadingEstimate(0.999).memory


@second_opinion("array form", "detectors.ErrorRatio")
@given(
    st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0, 100), min_size=1, max_size=120),
    st.floats(0.05, 0.9),
    st.floats(0.91, 1.0),
)
def test_the_ratio_on_arrays_equals_the_estimate_to_the_last_digit(loss, short, long):
    one_by_one = ErrorRatio(FadingEstimate(short), FadingEstimate(long)).along(loss)
    np.testing.assert_array_equal(error_ratio(loss, short, long), one_by_one)


def test_the_ratio_on_arrays_forgets_old_losses_as_the_estimate_does():
    loss = np.r_[np.ones(50), np.zeros(5000)]
    ratio = ErrorRatio(FadingEstimate(0.5), FadingEstimate(0.9))
    np.testing.assert_array_equal(error_ratio(loss, 0.5, 0.9), ratio.along(loss))


def test_the_ratio_without_any_loss_is_1():
    assert error_ratio(np.zeros(20)).tolist() == [1.0] * 20
    assert error_ratio([0, 0, 1, 1], 0.5, 0.9)[:3].tolist()[:2] == [1.0, 1.0]
    assert error_ratio([0, 0, 1], 0.5, 1.0)[-1] == pytest.approx((1 / 1.75) / (1 / 3))


def test_the_ratio_returns_to_1_after_a_step():
    """Of expected losses: the estimators are linear, so the result is their expectation."""
    rates = np.repeat([0.2, 0.4], 20_000)
    ratio = error_ratio(rates)
    assert ratio[19_999] == pytest.approx(1.0)
    k = np.arange(1, 20_001)
    short, long = (0.2 + 0.2 * (1 - alpha**k) for alpha in (0.997, 0.999))
    np.testing.assert_allclose(ratio[20_000:], short / long, rtol=1e-6)
    assert ratio.max() == pytest.approx((short / long).max())
    assert ratio[-1] == pytest.approx(1.0)


def algorithm_4(losses, long, short, delta, threshold):
    """The paper's algorithm, line by line; after an alarm all but S and N start from nothing."""
    S1 = N1 = S2 = N2 = 0.0
    SR, m_T, M_T, i, alarms = 0.0, 0.0, 1.0, 0, []
    for t, e in enumerate(losses):
        S1, N1 = e + long * S1, 1 + long * N1
        S2, N2 = e + short * S2, 1 + short * N2
        R = (S2 / N2) / (S1 / N1) if S1 else 1.0
        i += 1
        SR += R
        m_T += R - SR / i - delta
        M_T = min(M_T, m_T)
        if m_T - M_T >= threshold:
            alarms.append(t)
            SR, m_T, M_T, i = 0.0, 0.0, 1.0, 0
    return alarms


@second_opinion("brute force", "detectors.Monitor detectors.ErrorRatio")
def test_page_hinkley_on_the_ratio_is_the_papers_algorithm():
    expected = algorithm_4(LOSS, 0.999, 0.997, 0.1, 20.0)
    assert page_hinkley(error_ratio(LOSS), 0.1, 20.0).tolist() == expected != []
    monitor = Monitor(ErrorRatio(), PageHinkley(0.1, 20.0))
    assert monitor.alarms(LOSS).tolist() == expected


# --- any detector on any estimate


@second_opinion("another definition", "detectors.Monitor")
@every_estimate
@pytest.mark.parametrize("detector", [PageHinkley(0.02, 5.0), ADWIN(), DDM()], ids=repr)
def test_a_monitor_is_the_detector_on_the_curve(estimate, detector):
    monitor = Monitor(estimate, detector)
    expected = detector.levels(estimate.along(LOSS))
    np.testing.assert_array_equal(monitor.levels(LOSS), expected)
    for i, value in enumerate(LOSS[:2500]):
        assert monitor.update(value) is None
        assert monitor.drift_detected == (expected[i] == DRIFT)
    monitor.reset()
    assert not monitor.drift_detected


def test_each_monitor_alarms_on_the_test_losses():
    """Without alarms the test above would compare empty arrays."""
    for estimate, threshold in itertools.product(ESTIMATES, [1.0]):
        assert Monitor(estimate, PageHinkley(0.02, threshold)).alarms(LOSS).size > 0


def delays(estimate, before, after):
    """Delays of Page-Hinkley with the paper's settings in ten runs; nan for a miss."""
    found = []
    for rng in seeds.spawn(1, 10):
        loss = (rng.random(30_000) < np.repeat([before, after], [20_000, 10_000])).astype(float)
        alarms = Monitor(estimate, PageHinkley(0.1, 100)).alarms(loss)
        later = alarms[alarms >= 20_000] - 20_000
        found.append(later[0] if later.size else np.nan)
    return np.array(found)


def test_the_ratio_sees_a_large_rise_sooner_than_the_error_does():
    """Paper 2, Table 3 against Table 2, with its settings."""
    ratio, error = (delays(e, 0.2, 0.7) for e in (ErrorRatio(), FadingEstimate(0.997)))
    assert ratio.mean() < 0.7 * error.mean()


def test_the_ratio_misses_a_rise_that_the_error_shows():
    """The long estimate catches up before the summed deviations reach the threshold."""
    ratio, error = (delays(e, 0.26, 0.44) for e in (ErrorRatio(), FadingEstimate(0.997)))
    assert np.isnan(ratio).sum() >= 7
    assert np.isfinite(error).all()


def test_a_monitor_works_inside_a_learner():
    y = np.r_[np.zeros(1500, int), np.arange(1500) % 2]
    X = np.c_[RNG.random(3000)]
    monitor = Monitor(FadingEstimate(0.98), PageHinkley(0.05, 10.0))
    run = prequential(
        learners.DriftRetraining(learners.Majority(), monitor), Stream(X, y, n_classes=2)
    )
    assert run.alarms.size > 0
    assert run.alarms[0] > 1500


def test_a_monitors_memory_is_that_of_its_parts():
    detector = PageHinkley()
    for window in (10, 1000):
        monitor = Monitor(SlidingEstimate(window), detector)
        assert monitor.state_bytes == 8 * (window + 3) + detector.state_bytes


def test_descriptions_are_values():
    ratio = ErrorRatio(FadingEstimate(0.997), FadingEstimate(0.999))
    assert Monitor(ErrorRatio(), PageHinkley()) == Monitor(ratio, PageHinkley())
    assert len({FadingEstimate(0.9), FadingEstimate(0.9), SlidingEstimate(9)}) == 2


# --- run lengths


@second_opinion("closed form", "detectors.run_lengths")
def test_run_lengths_of_alarms_without_memory_are_geometric():
    lengths = run_lengths(RandomAlarms(0.05, warmup=1), 0.3, seeds.generator(2), 4000)
    assert abs(lengths.mean() - 20) < 4 * np.sqrt(0.95) / 0.05 / np.sqrt(4000)
    assert abs(np.mean(lengths == 1) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)


def page_run_length(p, threshold, longest):
    """Exact mean of min(T, longest) for Page-Hinkley with delta 0, state by state."""
    delta, states, mean = 0.0, {(0, 0.0, 0.0): 1.0}, 0.0
    for n in range(1, longest + 1):
        mean += sum(states.values())
        after = {}
        for (total, m, least), weight in states.items():
            for x, share in ((0, 1 - p), (1, p)):
                new_total = total + x
                new_m = m + x - new_total / n - delta
                new_least = min(least, new_m)
                if new_m - new_least <= threshold:
                    key = (new_total, round(new_m, 9), round(new_least, 9))
                    after[key] = after.get(key, 0.0) + weight * share
        states = after
    return mean


@second_opinion("enumeration", "detectors.run_lengths")
def test_run_lengths_of_page_hinkley_are_exact_by_enumeration():
    """From all 2^14 runs of losses, weighted by their probability."""
    p, threshold, longest = 0.3, 1.2, 14
    exact = page_run_length(p, threshold, longest)
    lengths = run_lengths(PageHinkley(0.0, threshold), p, seeds.generator(3), 20_000, limit=longest)
    lengths = np.minimum(lengths, longest)
    assert exact < 0.9 * longest
    assert abs(lengths.mean() - exact) < 4 * lengths.std() / np.sqrt(20_000)


def test_run_lengths_at_a_drift_begin_there():
    """The rate jumps from .1 to .9 after 500 losses; the delay is about threshold / .8."""
    lengths = run_lengths(
        PageHinkley(0.05, 20.0), 0.9, seeds.generator(4), 500, rate_before=0.1, drift_at=500
    )
    assert 20 / 0.85 < lengths.mean() < 20 / 0.65
    same = run_lengths(
        RandomAlarms(0.05, warmup=1), 0.9, seeds.generator(4), 4000, rate_before=0.1, drift_at=50
    )
    assert abs(same.mean() - 20) < 4 * 19.5 / np.sqrt(4000)


def test_a_run_without_an_alarm_is_infinite():
    assert (
        run_lengths(RandomAlarms(0.0), 0.5, seeds.generator(1), 3, limit=100).tolist()
        == [np.inf] * 3
    )


# --- calibration


@second_opinion("simulation", "detectors.calibrate")
@pytest.mark.parametrize(
    ("make", "error", "arl0"),
    [
        (lambda h: PageHinkley(0.05, h), 0.2, 1000),
        (lambda h: Monitor(ErrorRatio(FadingEstimate(0.99)), PageHinkley(0.1, h)), 0.3, 2000),
    ],
)
def test_a_calibrated_detector_has_the_wanted_run_length_on_other_losses(make, error, arl0):
    found = calibrate(make, arl0, error, seeds.generator(5))
    assert found.arl0 == pytest.approx(arl0, rel=0.03)
    other = run_lengths(make(found.threshold), error, seeds.generator(6), 1000)
    spread = np.hypot(found.arl0_standard_error, other.std() / np.sqrt(1000))
    assert abs(other.mean() - arl0) < 4 * spread


def test_standard_errors_of_a_calibration_are_deviations_over_calibrations():
    made = [
        calibrate(lambda h: PageHinkley(0.05, h), 300, 0.3, rng, 100) for rng in seeds.spawn(7, 60)
    ]
    deviation = np.std([c.threshold for c in made])
    errors = [c.threshold_standard_error for c in made]
    assert np.mean(errors) == pytest.approx(deviation, rel=0.35)
    lengths = [
        run_lengths(PageHinkley(0.05, 5.0), 0.3, rng, 100).mean() for rng in seeds.spawn(8, 60)
    ]
    relative = np.mean([c.arl0_standard_error / c.arl0 for c in made])
    assert relative == pytest.approx(np.std(lengths) / np.mean(lengths), rel=0.35)


def test_the_same_generator_gives_the_same_threshold():
    a, b = (calibrate(lambda h: PageHinkley(0.1, h), 200, 0.2, seeds.generator(1)) for _ in "ab")
    assert a == b


# --- arguments


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (0.999, 0.997),
        (0.9, 0.9),
        (1, 1.0),
        (SlidingEstimate(100), SlidingEstimate(50)),
        (FadingEstimate(0.9), SlidingEstimate(19)),
        (SlidingEstimate(20), 0.9),
        (ErrorRatio(), 0.999),
    ],
)
def test_a_short_memory_that_is_not_the_shorter_is_refused(short, long):
    with pytest.raises(ValueError, match="short must have a shorter memory than long; got"):
        error_ratio([0.0, 1.0], short, long)


@pytest.mark.parametrize("wrong", [0.0, -0.5, 1.5, 2, 1000, np.nan, True, None, "0.9", DDM()])
def test_other_arguments_than_fading_factors_and_estimates_are_refused(wrong):
    rule = r"must be a fading factor in \(0, 1\] or an estimate, such as Sliding.*; got"
    with pytest.raises(ValueError, match=f"short {rule}"):
        error_ratio([0.0, 1.0], short=wrong)
    with pytest.raises(ValueError, match=f"long {rule}"):
        error_ratio([0.0, 1.0], long=wrong)
    with pytest.raises(ValueError, match=r"long must be an Estimate, such as Fad.*; got"):
        ErrorRatio(long=wrong)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: error_ratio([]), r"loss must be a non-empty 1-d array; got shape \(0,\)"),
        (lambda: error_ratio([np.nan]), "loss must be finite; got nan at index 0"),
        (lambda: ErrorRatio(0.997), r"short must be an Estimate, such as .*; got 0.997"),
        (lambda: FadingEstimate(2.0), r"alpha must lie in \(0, 1\]; got 2.0"),
        (lambda: SlidingEstimate(0), "window must be a whole number >= 1; got 0"),
        (
            lambda: Monitor(PageHinkley(), PageHinkley()),
            "estimate must be an Estimate, .*; got Page",
        ),
        (
            lambda: Monitor(ErrorRatio(), ErrorRatio()),
            "detector must be a Detector, .*; got ErrorR",
        ),
        (lambda: run_lengths(DDM(), 1.5, RNG), r"rate must lie in \[0, 1\]; got 1.5"),
        (
            lambda: run_lengths(DDM(), 0.5, RNG, rate_before=-1),
            r"rate_before must lie in \[0, 1\]; got -1",
        ),
        (lambda: run_lengths(DDM(), 0.5, RNG, 0), "n_runs must be a whole number >= 1; got 0"),
        (lambda: run_lengths(DDM(), 0.5, RNG, limit=0), "limit must be a whole number >= 1; got 0"),
        (
            lambda: run_lengths(DDM(), 0.5, RNG, drift_at=5),
            "rate_before must be given .*; got drift_at",
        ),
        (lambda: calibrate(PageHinkley, 1, 0.5, RNG), "arl0 must be finite and > 1; got 1"),
        (lambda: calibrate(PageHinkley, 9, 2, RNG), r"error must lie in \[0, 1\]; got 2"),
        (lambda: calibrate(PageHinkley, 9, 0.5, RNG, 1), "n_runs must be a whole number >= 2"),
        (
            lambda: calibrate(PageHinkley, 50_000_001, 0.5, RNG),
            "arl0 must be at most 50000000; got",
        ),
        (lambda: calibrate(PageHinkley, 1e300, 0.5, RNG), "arl0 must be at most 50000000; got 1e+"),
        (lambda: calibrate(5, 9, 0.5, RNG), "factory must be a function of a threshold; got 5"),
        (lambda: calibrate(lambda h: h, 9, 0.5, RNG), r"factory\(threshold\) must be a Detector"),
        (lambda: calibrate(PageHinkley, 9, 0.5, 7), "rng must be a numpy.random.Generator; got 7"),
        (lambda: run_lengths("DDM", 0.5, RNG), "detector must be a Detector, .*; got 'DDM'"),
        (lambda: run_lengths(DDM(), 0.5, RNG, limit=2**64), "limit must be at most 1000000000"),
        (lambda: SlidingEstimate(2**63), "window must be at most 134217728; got 9223"),
        (
            lambda: calibrate(lambda h: RandomAlarms(1, warmup=5), 9, 0.5, RNG, 2),
            "arl0 must be attainable with a threshold of at most 1e6; got 9",
        ),
        (
            lambda: calibrate(lambda h: PageHinkley(0.9, h), 3, 0.0, RNG, 2),
            "arl0 must be at least 60, its value at threshold 0; got 3",
        ),
    ],
)
def test_bad_arguments_are_refused(use, message):
    with pytest.raises(ValueError, match=message):
        use()
