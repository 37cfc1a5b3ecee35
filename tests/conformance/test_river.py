"""Our learners predict the same labels as river's, or differ in known ways.

tests/detectors/test_detectors.py compares the detectors. River's models run through `prequential`,
like those of any user. River has no dynamic weighted majority, option tree or temporal learners.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from opinions import second_opinion
from oracle import stream_of
from river import dummy, ensemble, linear_model, naive_bayes, neighbors, optim, tree
from river_version import since_25

from repro import prequential
from repro.learners import (
    HoeffdingTree,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
)
from repro.streams import Stream

NUMERIC = ("NSGT", "NSCX", "NSGT-5D", "SEA")


def labels(learner, stream: Stream) -> np.ndarray:
    return prequential(learner, stream, proba=False).y_pred


def first(name: str, n: int) -> Stream:
    return stream_of(name).take(range(n))


@second_opinion("river", "learners.NoChange")
@pytest.mark.parametrize("name", ["NSGT", "LED", "Mixed"])
def test_no_change_is_rivers(name):
    stream = first(name, 3000)
    theirs = labels(dummy.NoChangeClassifier(), stream)
    np.testing.assert_array_equal(labels(NoChange(), stream), theirs)


@second_opinion("river", "learners.Majority")
@pytest.mark.parametrize("name", ["NSGT", "LED", "Mixed"])
def test_majority_is_rivers_prior_but_for_ties(name):
    """Among equally frequent classes, ours predicts the lowest, river's the one seen first."""
    stream = first(name, 3000)
    ours, theirs = labels(Majority(), stream), labels(dummy.PriorClassifier(), stream)
    counts = np.cumsum(np.eye(stream.n_classes)[stream.y], axis=0)[:-1]
    tied = np.r_[True, (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1]
    np.testing.assert_array_equal(ours[~tied], theirs[~tied])
    assert set(np.flatnonzero(ours != theirs)) <= set(np.flatnonzero(tied))


@second_opinion("river", "learners.NaiveBayes")
# The most examples, of 2000, on which the two variances give different predictions.
@pytest.mark.parametrize(("name", "most"), [("NSGT", 2), ("NSCX", 5), ("SEA", 5), ("Waveform", 10)])
def test_gaussian_naive_bayes_is_rivers_up_to_the_divisor_of_the_variance(name, most):
    stream = first(name, 2000)
    theirs = labels(naive_bayes.GaussianNB(), stream)
    assert np.sum(labels(NaiveBayes(exact=True), stream) != theirs) <= most


@since_25
def test_rivers_gaussian_naive_bayes_uses_the_population_variance():
    """Its divisor is n; ours is n - 1. River also adds 1e-9 to every density."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=12), rng.integers(0, 2, 12)
    ours = NaiveBayes().online(Stream(x[:, None], y).schema)
    theirs = naive_bayes.GaussianNB()
    for value, label in zip(x, y, strict=True):
        ours.learn_one([value], int(label))
        theirs.learn_one({0: float(value)}, int(label))

    def share(ddof):
        joint = []
        for k in (0, 1):
            seen = x[y == k]
            mean, variance = seen.mean(), seen.var(ddof=ddof)
            density = math.exp(-((0.3 - mean) ** 2) / (2 * variance)) / math.sqrt(variance)
            joint.append(seen.size * density)
        return joint[0] / sum(joint)

    np.testing.assert_allclose(theirs.predict_proba_one({0: 0.3})[0], share(0), rtol=1e-8)
    np.testing.assert_allclose(ours.predict_proba_one([0.3])[0], share(1), rtol=1e-12)


def test_on_binary_attributes_naive_bayes_is_rivers_bernoulli():
    """Both use (c + 1) / (n + 2); our default, like MOA, counts only values seen in a class."""
    stream = first("LED", 1500)
    theirs = labels(naive_bayes.BernoulliNB(), stream)
    np.testing.assert_array_equal(labels(NaiveBayes(exact=True), stream), theirs)
    assert np.any(labels(NaiveBayes(), stream) != theirs)


@second_opinion("river", "learners.NearestNeighbors")
@pytest.mark.parametrize("name", ["NSGT", "Waveform"])
@pytest.mark.parametrize(("k", "window"), [(1, 100), (5, 300)])
def test_unscaled_neighbours_are_rivers(name, k, window):
    """River does not scale. Among equal distances (none here) it takes k, ours takes all."""
    stream = first(name, 1500)
    engine = neighbors.LazySearch(window_size=window)
    theirs = labels(neighbors.KNNClassifier(k, engine=engine, weighted=False), stream)
    ours = labels(NearestNeighbors(k=k, window=window, scale=False), stream)
    np.testing.assert_array_equal(ours, theirs)


def _rivers_machine(l2):
    return linear_model.LogisticRegression(optim.SGD(0.01), optim.losses.Hinge(), l2=l2)


@second_opinion("river", "learners.LinearSVM")
@pytest.mark.parametrize("name", NUMERIC)
def test_a_linear_machine_that_does_not_shrink_is_rivers(name):
    """With `l2`, river shrinks by the constant factor 1 - ηλ; ours, like MOA's, by 1 - ηλ / t."""
    stream = first(name, 5000)
    theirs = labels(_rivers_machine(0), stream)
    np.testing.assert_array_equal(labels(LinearSVM(l2=0), stream), theirs)
    shrinking = labels(_rivers_machine(1e-4), stream)
    assert 0.95 < np.mean(labels(LinearSVM(l2=1e-4), stream) == shrinking) < 1


@pytest.mark.parametrize("name", NUMERIC)
def test_trees_with_majority_leaves_are_about_as_accurate_as_rivers(name):
    """Bound, grace period and candidates are equal; ties and ranges differ, so splits do too."""
    stream = stream_of(name)
    theirs = labels(tree.HoeffdingTreeClassifier(leaf_prediction="mc"), stream)
    ours = labels(HoeffdingTree("mc"), stream)
    assert np.mean(ours == theirs) > 0.95
    assert abs(np.mean(ours == stream.y) - np.mean(theirs == stream.y)) < 0.015


def test_both_trees_make_their_first_split_at_the_same_example():
    """Both try to split after every 200 examples."""
    for name in NUMERIC:
        stream = stream_of(name)
        rivers = tree.HoeffdingTreeClassifier(leaf_prediction="mc")
        ours = HoeffdingTree("mc").online(stream.schema)
        seen = 0
        for x, y in zip(stream.X, stream.y, strict=True):
            seen += 1
            ours.learn_one(x, int(y))
            rivers.learn_one(dict(enumerate(x)), int(y))
            if ours.counts["nodes"] > 1 or rivers.n_branches:
                break
        assert seen % 200 == 0
        assert ours.counts["nodes"] > 1
        assert rivers.n_branches


class _Member:
    """Predicts 1, the right label, until `right` is set to False."""

    right = True

    def learn_one(self, x, y):
        pass

    def predict_one(self, x):
        return 1 if self.right else 0

    def clone(self):
        return _Member()


@pytest.mark.parametrize(
    ("kind", "replaces_the_worse"),
    [(ensemble.ADWINBaggingClassifier, False), (ensemble.LeveragingBaggingClassifier, True)],
)
def test_rivers_adwin_bagging_does_not_replace_a_member_that_turns_bad(kind, replaces_the_worse):
    """It monitors correct predictions; river's leveraging bagging and ours monitor errors."""
    bag = kind(_Member(), n_models=2, seed=0)
    turning = bag.models[0]
    for i in range(2000):
        turning.right = i < 1000
        bag.learn_one({0: 0.0}, 1)
    assert (turning not in bag.models) == replaces_the_worse
