"""Holdout runs: equal to a loop with the online twin; which test sets are refused."""

from __future__ import annotations

import numpy as np
import pytest
from river import naive_bayes
from sklearn.linear_model import SGDClassifier

from repro import detectors, holdout, prequential
from repro.interop.adapting import adapt
from repro.learners import (
    BayesOptimal,
    DriftRetraining,
    HoeffdingTree,
    Learner,
    LeveragingBag,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
    TemporallyAugmented,
)
from repro.streams import SEA, Stream

STREAM, TEST = SEA(threshold=8).sample(seed=1, n=630), SEA(threshold=8).sample(seed=2, n=200)
MODELS = [
    Majority(),
    NaiveBayes(),
    NearestNeighbors(k=3, window=50),
    HoeffdingTree(grace_period=20),
    LeveragingBag(NearestNeighbors(window=30), n_members=3, rate=1.0),
    DriftRetraining(NaiveBayes(), detectors.DDM()),
    naive_bayes.GaussianNB(),
    SGDClassifier(random_state=1),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)


@every_model
def test_holdout_equals_a_loop_by_hand(model):
    """Learn 100, test, and so on; the last 30 examples come after the last test."""
    ours = isinstance(model, Learner)
    online = model.online(STREAM.schema, 5) if ours else adapt(model, STREAM.schema, 5)
    expected = []
    for i, (x, y) in enumerate(zip(STREAM.X, STREAM.y, strict=True), start=1):
        online.learn_one(x, int(y))
        if i % 100 == 0:
            wrong = [online.predict_one(x) != y for x, y in zip(TEST.X, TEST.y, strict=True)]
            expected.append(np.mean(wrong))
    result = holdout(model, STREAM, TEST, every=100, seed=5)
    assert result.positions.tolist() == [100, 200, 300, 400, 500, 600]
    np.testing.assert_allclose(result.error, expected, rtol=1e-12)
    expected_se = np.sqrt(result.error * (1 - result.error) / 200)
    np.testing.assert_allclose(result.standard_error, expected_se)


@every_model
def test_tests_leave_no_trace(model):
    """The learner at example 600 does not depend on the tests before."""
    often = holdout(model, STREAM, TEST, every=60)
    seldom = holdout(model, STREAM, TEST, every=300)
    np.testing.assert_array_equal(often.error[[4, 9]], seldom.error)
    first, second = (holdout(model, STREAM, TEST.take(part), every=600) for part in halves())
    both = (first.error + second.error) / 2
    np.testing.assert_allclose(both, seldom.error[-1:], rtol=1e-12)


def halves():
    return np.arange(100), np.arange(100, 200)


def test_tests_on_the_next_example_give_the_prequential_losses():
    """A test set that holds only the next example is interleaved test-then-train."""
    loss = prequential(NoChange(), STREAM).loss
    for i in (1, 2, 50, 51, 52):
        result = holdout(NoChange(), STREAM.take(np.arange(i)), STREAM.take([i]), every=i)
        assert result.error.tolist() == [loss[i]]


def test_of_equal_votes_the_lowest_class_is_predicted():
    """As in a prequential run: after two labels of each class the majority is 0."""
    stream = Stream(np.zeros((4, 1)), [1, 1, 0, 0])
    assert holdout(Majority(), stream, stream.take([0, 2, 3]), every=4).error.tolist() == [1 / 3]


def test_the_optimal_classifier_has_its_error_from_the_start():
    expected = np.mean(TEST.optimal != TEST.y)
    assert holdout(BayesOptimal(), STREAM, TEST, every=200).error.tolist() == [expected] * 3


def test_the_optimal_classifier_needs_the_optimal_labels_of_the_test_set():
    bare = Stream(TEST.X, TEST.y)
    with pytest.raises(ValueError, match=r"^test of holdout, or .* must know its optimal"):
        holdout(BayesOptimal(), STREAM, bare, every=200)


@pytest.mark.parametrize("every", [0, -3, 1.5, None, True])
def test_an_invalid_interval_is_refused(every):
    with pytest.raises(ValueError, match="every must be a whole number >= 1; got"):
        holdout(NoChange(), STREAM, TEST, every=every)


def test_an_interval_longer_than_the_stream_is_refused():
    with pytest.raises(
        ValueError, match="every must be at most the length of stream, 630; got 631"
    ):
        holdout(NoChange(), STREAM, TEST, every=631)


def test_a_test_set_with_another_schema_is_refused():
    other = Stream(TEST.X[:, :2], TEST.y)
    with pytest.raises(ValueError, match=r"test must have the schema of stream, .*; got Schema"):
        holdout(NoChange(), STREAM, other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((NoChange(), (STREAM.X, STREAM.y), TEST), "stream must be a Stream"),
        ((NoChange(), STREAM, SEA()), "test must be a Stream"),
        ((NaiveBayes, STREAM, TEST), "learner must be an instance, not the class; got Naive"),
        (
            (TemporallyAugmented(NaiveBayes()), STREAM, TEST),
            "learner must not need previous labels",
        ),
        (("NB", STREAM, TEST), "learner must be one of repro.learners, have predict_one"),
    ],
)
def test_arguments_that_cannot_be_tested_are_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        holdout(*arguments, every=100)
