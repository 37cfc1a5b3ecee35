"""Bad input for every learner; the table in docs/learners.md names these tests."""

from __future__ import annotations

import numpy as np
import pytest
from test_learners import every_learner

from repro import prequential
from repro.detectors import ADWIN, DDM, EDDM, PageHinkley, RandomAlarms
from repro.learners import (
    DriftRetraining,
    LinearSVM,
    NaiveBayes,
    TemporalCorrection,
    temporal_correction,
)
from repro.streams import Schema, Stream

RNG = np.random.default_rng(5)
N = 300
LABELS = RNG.integers(0, 2, N)
MIXED = Schema(nominal=(0, 3), n_classes=2)
CONSTANTS = [0.0, 3.0, 1e-300, -1e150]


def started(learner):
    """An online learner after a few examples with a numeric and a nominal attribute."""
    online = learner.online(MIXED)
    for x, y in [((0.1, 2), 0), ((0.9, 0), 1), ((0.2, 2), 0), ((0.8, 1), 1)]:
        online.learn_one(x, y)
    return online


def shares(online):
    points = [(0.15, 2), (0.85, 0), (0.5, 1)]
    return np.array([online.predict_proba_one(x) for x in points])


@every_learner
@pytest.mark.parametrize("code", [3, -1, 0.5])
def test_a_code_out_of_range_is_refused(learner, code):
    online, untouched = started(learner), started(learner)
    for ask in (online.predict_one, online.predict_proba_one, lambda x: online.learn_one(x, 0)):
        with pytest.raises(ValueError, match=rf"x\[1\] must be a code 0..2; got {code}"):
            ask([0.5, code])
    np.testing.assert_array_equal(shares(online), shares(untouched))
    message = f"X must hold codes 0..2 in the nominal column 1; got {code}.* in row 1"
    with pytest.raises(ValueError, match=message):
        Stream([[0.5, 0], [0.5, code]], [0, 1], [0, 3])


@every_learner
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_infinities_are_refused(learner, value):
    online, untouched = started(learner), started(learner)
    for ask in (online.predict_one, online.predict_proba_one, lambda x: online.learn_one(x, 0)):
        with pytest.raises(ValueError, match="x must hold 2 finite numbers"):
            ask([value, 1])
    np.testing.assert_array_equal(shares(online), shares(untouched))
    with pytest.raises(ValueError, match=r"X must be finite; got .* in row 0, column 0"):
        Stream([[value, 1]], [0])


@pytest.mark.parametrize(
    "detector", [ADWIN(), DDM(), EDDM(), PageHinkley(), RandomAlarms(0.1)], ids=repr
)
@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_detectors_refuse_infinities(detector, value):
    with pytest.raises(ValueError, match="value must be finite; got"):
        detector.update(value)
    with pytest.raises(ValueError, match=r"x must be finite; got .* at index 1"):
        detector.alarms([0.0, value])


@every_learner
def test_huge_numbers_leave_the_shares_finite(learner):
    """Their squares are above the largest number."""
    X = RNG.choice([-1, 1], (N, 2)) * RNG.random((N, 2)) * 1e150 * [1, 1e10]
    run = prequential(learner, Stream(X, LABELS))
    np.testing.assert_allclose(run.proba.sum(axis=1), 1)


@every_learner
@pytest.mark.parametrize("label", [2, -1, 7])
def test_a_label_beyond_the_classes_is_refused(learner, label):
    online, untouched = started(learner), started(learner)
    with pytest.raises(ValueError, match=r"y must be a (label 0..1|whole number >= 0); got"):
        online.learn_one([0.5, 1], label)
    np.testing.assert_array_equal(shares(online), shares(untouched))
    with pytest.raises(ValueError, match=r"y must hold integer labels 0..1 .*; got .* at index 1"):
        Stream([[0.5, 0], [0.5, 1]], [0, label], n_classes=2)


@every_learner
def test_a_class_not_seen_yet_is_not_predicted(learner):
    """Classes 2 and 3 of four never appear; without votes all four have equal shares."""
    noise = np.random.default_rng(7).normal(size=(N, 2))  # the same in any order of the tests
    run = prequential(learner, Stream(noise + LABELS[:, None], LABELS, n_classes=4))
    no_votes = np.ptp(run.proba, axis=1) == 0
    assert np.all(run.y_pred[no_votes] == 0)
    if isinstance(learner, TemporalCorrection):
        return  # see the next test
    if isinstance(learner, LinearSVM):
        return  # one machine per class: that of a class not seen may have the largest margin
    assert set(run.y_pred) <= {0, 1}
    if not _has_members(learner):  # some members may have votes and others not
        np.testing.assert_array_equal(run.proba[~no_votes, 2:], 0)


def test_temporal_correction_may_predict_a_class_not_seen_yet():
    """Where the learner inside has no votes: after ten labels 0, of three classes, by hand.

    Counts begin at 1, so P(i | 0) / P(i) is (10/12) / (11/13) for class 0 and (1/12) / (1/13) for
    the others, which never came.
    """
    shares = temporal_correction(np.full((11, 3), 1 / 3), [0] * 11, alpha=1.0)
    ratios = np.array([10 / 12 / (11 / 13), 13 / 12, 13 / 12])
    np.testing.assert_allclose(shares[10], ratios / ratios.sum())
    assert shares[10].argmax() == 1


def _has_members(learner):
    return hasattr(learner, "n_members")


@every_learner
def test_one_class(learner):
    stream = Stream(RNG.normal(size=(N, 2)), np.zeros(N, int), n_classes=1)
    run = prequential(learner, stream, every=N)
    assert set(run.y_pred) == {0}
    np.testing.assert_array_equal(run.proba, 1)
    members = run.growth.get("members", [1])[0]
    assert run.growth.get("nodes", [members])[0] == members  # trees are leaves


@every_learner
@pytest.mark.parametrize("constant", CONSTANTS)
def test_constant_attributes(learner, constant):
    """Another constant gives the same shares: only the labels can be learned."""
    runs = [
        prequential(learner, Stream(np.full((N, 2), value), LABELS), seed=1, every=N)
        for value in (constant, 1.0)
    ]
    for run in runs:
        np.testing.assert_allclose(run.proba.sum(axis=1), 1)
        members = run.growth.get("members", [1])[0]
        assert run.growth.get("nodes", [members])[0] == members
    if type(learner).__name__ != "LinearSVM":  # it does not scale, so the constant acts as a bias
        np.testing.assert_allclose(runs[0].proba, runs[1].proba)


@every_learner
def test_a_weight_of_zero_changes_nothing(learner):
    online, untouched = started(learner), started(learner)
    for _ in range(20):
        online.learn_one([0.5, 1], 1, weight=0.0)
    for weight in (-1.0, np.inf):
        with pytest.raises(ValueError, match="weight must be finite and >= 0"):
            online.learn_one([0.5, 1], 1, weight)
    np.testing.assert_array_equal(shares(online), shares(untouched))
    online.learn_one([0.5, 1], 0)
    untouched.learn_one([0.5, 1], 0)
    np.testing.assert_array_equal(shares(online), shares(untouched))


@every_learner
def test_before_any_example(learner):
    online = learner.online(Schema((0, 3), 5))
    assert online.predict_one([7.0, 2]) == 0
    np.testing.assert_allclose(online.predict_proba_one([7.0, 2]), 0.2)


NAIVE_BAYES_INSIDE = ("NaiveBayes", "nba")


@every_learner
def test_one_example(learner):
    """It has class 1 at (1, 2). Far from it naive Bayes has no votes: class 0, equal shares."""
    online = learner.online(MIXED, seed=1)
    online.learn_one([1.0, 2], 1)
    assert online.predict_one([1.0, 2]) == 1
    if not any(name in repr(learner) for name in NAIVE_BAYES_INSIDE):
        assert online.predict_one([5.0, 0]) == 1
    else:
        assert online.predict_one([5.0, 0]) == 0
    assert prequential(learner, Stream([[1.0, 2]], [1], [0, 3], n_classes=2)).y_pred.tolist() == [0]


def test_a_detector_inside_sees_every_error():
    """Also where there are no votes: class 0 is a prediction like any other."""
    learner = DriftRetraining(NaiveBayes(), DDM(warm_start=5))
    stream = Stream(np.arange(40.0)[:, None], [0] * 20 + [1] * 20)
    assert prequential(learner, stream).alarms.size > 0
