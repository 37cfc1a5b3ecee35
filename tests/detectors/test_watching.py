"""Detectors on several estimates, their expected delay, and the outcome of one run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import metrics, streams
from repro.detectors import (
    ErrorRatio,
    FadingEstimate,
    Monitor,
    PageHinkley,
    SlidingEstimate,
    expected_delay,
    monitor_all,
)

RNG = np.random.default_rng(2013)
LOSS = (RNG.random(9000) < np.repeat([0.2, 0.7, 0.2], 3000)).astype(float)
ESTIMATES = {
    "faded": FadingEstimate(0.997),
    "sliding": SlidingEstimate(400),
    "ratio": ErrorRatio(FadingEstimate(0.99), FadingEstimate(0.999)),
}
TEST = PageHinkley(delta=0.1, threshold=20)


# --- watch


@second_opinion("another definition", "detectors.monitor_all")
def test_each_estimate_has_the_alarms_of_its_monitor():
    got = monitor_all(LOSS, ESTIMATES, TEST)
    assert list(got) == list(ESTIMATES)
    for name, estimate in ESTIMATES.items():
        expected = Monitor(estimate, TEST).alarms(LOSS)
        assert expected.size > 0
        np.testing.assert_array_equal(got[name], expected)


@pytest.mark.parametrize("start", [2500, -6500])
def test_a_late_start_hides_the_past_from_the_detector_and_not_from_the_estimate(start):
    got = monitor_all(LOSS, ESTIMATES, TEST, start=start)
    for name, estimate in ESTIMATES.items():
        np.testing.assert_array_equal(got[name], 2500 + TEST.alarms(estimate.along(LOSS)[2500:]))


def test_a_start_outside_the_stream_is_refused():
    for start in (9000, -9001, 2**63, 1.5, True, None):
        with pytest.raises(ValueError, match=rf"start must lie in -9000..8999; got {start}"):
            monitor_all(LOSS, ESTIMATES, TEST, start=start)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((LOSS, 5, TEST), "estimates must map names to estimates; got 5"),
        ((LOSS, {"a": TEST}, TEST), "estimates must map names to estimates; got"),
        ((LOSS, list(ESTIMATES.values()), TEST), "estimates must map names to estimates; got"),
        ((LOSS, ESTIMATES, "DDM"), r"detector must be a Detector, such as DDM\(\); got 'DDM'"),
        ((None, ESTIMATES, TEST), "loss must be a non-empty 1-d array"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        monitor_all(*arguments)


# --- expected_delay


def simulated(estimates: np.ndarray, history: float, before: float) -> int:
    """Return the index of the first alarm on expected estimates, after a long past."""
    past = np.r_[np.full(3_000_000, history), np.full(1000, before)]
    return int(PageHinkley(0.1, 100).alarms(np.r_[past, estimates])[0]) - past.size


CASES = [(0.26, 0.9, 0.26), (0.2, 0.45, 0.2), (0.15, 0.5, 0.2), (0.1, 0.36, 0.13)]


@second_opinion("brute force", "detectors.expected_delay")
@pytest.mark.parametrize(("before", "after", "history"), CASES)
@pytest.mark.parametrize("window", [200, 1000, 5000])
def test_the_formula_for_windows_is_the_delay_on_expected_losses(before, after, history, window):
    t = np.arange(1, 20_001)
    curve = before + (after - before) * np.minimum(t / window, 1)
    formula = expected_delay(before, after, window=window, history=history)
    assert simulated(curve, history, before) == pytest.approx(formula, rel=0.01, abs=2)


@second_opinion("brute force", "detectors.expected_delay")
@pytest.mark.parametrize(("before", "after", "history"), CASES)
@pytest.mark.parametrize("alpha", [0.99, 0.997, 0.9994])
def test_the_formula_for_fading_is_the_delay_on_expected_losses(before, after, history, alpha):
    curve = before + (after - before) * (1 - alpha ** np.arange(1, 40_001))
    formula = expected_delay(before, after, alpha=alpha, history=history)
    assert simulated(curve, history, before) == pytest.approx(formula, rel=0.01, abs=2)


@given(st.floats(0.05, 0.4), st.floats(0.0, 0.05), st.floats(0.0, 0.3), st.floats(0.01, 0.3))
def test_the_delay_grows_with_memory_and_falls_with_the_jump(before, extra, gap, jump):
    history, after = before + extra, before + extra + 0.1 + jump
    alphas = [expected_delay(before, after, alpha=a, history=history) for a in (0.99, 0.999)]
    windows = [expected_delay(before, after, window=w, history=history) for w in (200, 2000)]
    assert alphas[0] < alphas[1]
    assert windows[0] < windows[1]
    larger = expected_delay(before, after + gap, window=2000, history=history)
    assert larger <= windows[1] * (1 + 1e-12)


def test_a_jump_is_missed_exactly_where_it_does_not_exceed_the_gap():
    for given_ in ({"alpha": 0.99}, {"window": 100}):
        assert expected_delay(0.2, 0.3, delta=0.1, **given_) == math.inf
        assert expected_delay(0.2, 0.35, history=0.25, delta=0.1, **given_) == math.inf
        assert expected_delay(0.2, 0.3001, delta=0.0999, **given_) < math.inf


@pytest.mark.parametrize("size", [1e-200, 1e150, 1e300])
@pytest.mark.parametrize("memory", [{"alpha": 0.997}, {"window": 1000}], ids=str)
def test_the_delay_does_not_depend_on_the_unit_of_the_losses(size, memory):
    plain = expected_delay(0.2, 0.7, history=0.25, delta=0.1, threshold=50, **memory)
    units = {"history": 0.25 * size, "delta": 0.1 * size, "threshold": 50 * size}
    assert expected_delay(0.2 * size, 0.7 * size, **units, **memory) == pytest.approx(plain)


def test_a_threshold_beyond_all_losses_is_never_reached():
    assert expected_delay(0.2, 0.7, window=2**2000) > 1e290
    assert expected_delay(0.2, 0.7, alpha=0.99, threshold=1e308) > 1e300
    assert expected_delay(1e-300, 2e-300, alpha=0.99, delta=1e-301, threshold=1e200) == math.inf


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "one of alpha and window must be given; got None, None"),
        ({"alpha": 0.9, "window": 5}, "only one of alpha and window must be given; got 0.9, 5"),
        ({"alpha": 1.0}, r"alpha must lie in \(0, 1\); got 1.0"),
        ({"window": 0}, "window must be a whole number >= 1; got 0"),
        ({"window": 5, "history": 0.05}, r"history \+ delta must be above before; got 0.05"),
        ({"window": 5, "threshold": 0}, "threshold must be finite and > 0; got 0"),
        ({"window": 5, "delta": 0}, r"history \+ delta must be above before; got 0.2, 0, 0.2"),
        ({"window": 5, "delta": -1}, "delta must be finite and >= 0; got -1"),
    ],
)
def test_bad_arguments_of_the_delay_are_refused(given_, message):
    with pytest.raises(ValueError, match=message):
        expected_delay(0.2, 0.6, **given_)


# --- outcome


@second_opinion("another definition", "metrics.first_detection")
@given(st.sets(st.integers(0, 999)), st.integers(1, 999))
def test_an_outcome_agrees_with_the_report_of_one_run(alarms, drift_at):
    got = metrics.first_detection(sorted(alarms), drift_at)
    report = metrics.detection_report(sorted(alarms), [drift_at], 1000)
    np.testing.assert_equal(got.delay, report.delays[0, 0])
    np.testing.assert_equal(got.delay, report.mtd)
    assert got.false_alarms == report.false_alarms == sum(a < drift_at for a in alarms)
    assert report.repeated == len(alarms) - got.false_alarms - report.detected


def test_alarms_out_of_order_are_refused():
    with pytest.raises(ValueError, match="alarms must be increasing indices; got 2 at index 1"):
        metrics.first_detection([3, 2], 1)


# --- redrawn


def test_each_seed_redraws_another_stream_of_the_generator():
    redrawn = streams.Redrawn(streams.RandomTree(n=200))
    drawn = [redrawn.drawn(seed) for seed in range(5)]
    assert len({tree.model_seed for tree in drawn}) == 5
    for seed, tree in enumerate(drawn):
        mine, own = redrawn.sample(seed), tree.sample(seed)
        np.testing.assert_array_equal(mine.X, own.X)
        np.testing.assert_array_equal(mine.y, own.y)
    assert (redrawn.schema, redrawn.n, redrawn.name) == (drawn[0].schema, 200, "RandomTree")


def test_a_redrawn_concept_can_be_the_second_of_a_stream():
    second = streams.Redrawn(streams.LED(drifting=7))
    whole = streams.sudden(streams.LED(), second, at=300, n=600)
    plain = streams.sudden(streams.LED(), streams.LED(), at=300, n=600)
    np.testing.assert_array_equal(whole.sample(1).y[:300], plain.sample(1).y[:300])
    segments = [frozenset(whole.concepts[1].drawn(seed).columns.tolist()) for seed in range(4)]
    assert len(set(segments)) == 4


@pytest.mark.parametrize(
    "concept", [streams.SEA(), "LED", streams.TESTBED["NSGT"], streams.RandomRBF]
)
def test_a_concept_without_model_seed_cannot_be_redrawn(concept):
    with pytest.raises(TypeError, match="concept must be a generator with a model seed; got"):
        streams.Redrawn(concept)
