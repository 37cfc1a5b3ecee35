"""Blocks of examples: delays for our learners, one call per block for scikit-learn's models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import naive_bayes
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

from repro import detectors, holdout, prequential
from repro.evaluation._runner import delay_to_block_end
from repro.interop import to_river
from repro.learners import (
    BayesOptimal,
    DriftRetraining,
    Majority,
    NaiveBayes,
    NoChange,
    TemporalCorrection,
    TemporallyAugmented,
)
from repro.streams import SEA, Stream, label_delay

RNG = np.random.default_rng(1)
LABELS = RNG.integers(0, 3, 100)
THREE = Stream(RNG.normal(size=(100, 2)) + LABELS[:, None], LABELS)
blocks = st.integers(1, 12) | st.sampled_from([99, 100, 101, 10**30])


def assert_same(a, b):
    np.testing.assert_array_equal(a.y_pred, b.y_pred)
    np.testing.assert_allclose(a.proba, b.proba, rtol=1e-14)  # divided by their sum twice
    np.testing.assert_array_equal(a.alarms, b.alarms)


@settings(max_examples=30)
@given(blocks, st.integers(1, 100))
@pytest.mark.parametrize(
    "learner",
    [
        NaiveBayes(),
        DriftRetraining(NaiveBayes(), detectors.DDM(warm_start=3)),
        TemporallyAugmented(NaiveBayes(), lags=2),
        TemporalCorrection(NaiveBayes()),
        BayesOptimal(),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_a_block_equals_a_delay_to_its_end(learner, batch, n):
    stream = THREE.take(range(n))
    stream = Stream(stream.X, stream.y, None, 3, optimal=stream.y)
    least = min(batch, 10**6)
    delay = least - 1 - np.arange(n) % least
    runs = prequential(learner, stream, batch=batch), prequential(learner, stream, delay=delay)
    if isinstance(learner, BayesOptimal):
        return
    assert_same(*runs)


@pytest.mark.parametrize("never", [10**30, 2**63, 1e300, np.inf, [1e300] * 6])
def test_an_infinite_delay_stays_infinite_in_a_block(never):
    assert (np.arange(6) + delay_to_block_end(6, never, 4) >= 6).all()


def by_hand(stream, batch, wait):
    """The majority of the known labels, block by block; it does not depend on their order."""
    n = len(stream)
    arrival = np.arange(n) + wait
    expected = []
    for start in range(0, n, batch):
        seen = stream.y[arrival < start]
        label = np.bincount(seen, minlength=3).argmax() if seen.size else 0
        expected += [label] * min(batch, n - start)
    return expected


@settings(max_examples=60)
@given(
    st.integers(1, 30),
    st.integers(0, 40) | st.lists(st.integers(0, 120), min_size=100, max_size=100),
)
def test_with_a_delay_each_label_waits_for_the_end_of_its_block(batch, wait):
    assert prequential(Majority(), THREE, batch=batch, delay=wait).y_pred.tolist() == by_hand(
        THREE, batch, wait
    )


@pytest.mark.parametrize("batch", [1, 3, 10, 64, 100, 1000])
@pytest.mark.parametrize("wait", [0, 4, label_delay.random_delay(100, 5, seed=1)], ids=str)
def test_foreign_models_see_the_same_blocks(batch, wait):
    """Our learners in river's protocol, one by one; and the majority as a scikit-learn model."""
    for learner in (NaiveBayes(), Majority()):
        ours = prequential(learner, THREE, batch=batch, delay=wait)
        theirs = prequential(to_river(learner, THREE.schema), THREE, batch=batch, delay=wait)
        assert_same(ours, theirs)
    counting = prequential(Counting(), THREE, batch=batch, delay=wait).y_pred
    assert counting.tolist() == by_hand(THREE, batch, wait)


class Counting:
    """The majority classifier with scikit-learn's protocol."""

    def predict(self, X):
        return np.full(len(X), self.counts_.argmax())

    def partial_fit(self, X, y, classes=None):
        if classes is not None:
            self.counts_ = np.zeros(len(classes))
        self.counts_ += np.bincount(y, minlength=self.counts_.size)


@pytest.mark.parametrize(
    "model", [GaussianNB(), SGDClassifier("log_loss", random_state=1)], ids=str
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")  # scikit-learn's own
@pytest.mark.parametrize("batch", [1, 10, 33])
def test_sklearn_predicts_and_learns_each_block_in_one_call(model, batch):
    """Equal to a loop; the last block is incomplete and never learned."""
    run, theirs = prequential(model, THREE, batch=batch), type(model)(**model.get_params())
    labels, shares = [], []
    for start in range(0, 100, batch):
        X, y = THREE.X[start : start + batch], THREE.y[start : start + batch]
        labels += theirs.predict(X).tolist() if start else [0] * len(X)
        shares += theirs.predict_proba(X).tolist() if start else [[1 / 3] * 3] * len(X)
        theirs.partial_fit(X, y, classes=[0, 1, 2])
    shares = np.array(shares)
    shares[np.isnan(shares).any(axis=1)] = 1 / 3
    assert run.y_pred.tolist() == labels
    np.testing.assert_allclose(run.proba, shares)
    bare = prequential(model, THREE, batch=batch, proba=False)
    np.testing.assert_array_equal(bare.y_pred, run.y_pred)


def test_each_block_is_one_call():
    calls = []

    class Calls(Counting):
        def predict(self, X):
            calls.append(("predict", len(X)))
            return super().predict(X)

        def partial_fit(self, X, y, classes=None):
            calls.append(("learn", len(X)))
            super().partial_fit(X, y, classes)

    prequential(Calls(), THREE, batch=40, proba=False)
    assert calls == [("learn", 40), ("predict", 40), ("learn", 40), ("predict", 20)]
    calls.clear()
    holdout(Calls(), THREE, THREE.take(range(7)), every=50, batch=40)
    learning = [("learn", 40), ("learn", 10), ("predict", 7)]
    assert calls == learning * 2


def test_a_block_longer_than_the_blocks_of_the_progress_bar():
    n = 25_000
    stream = Stream(np.zeros((n, 1)), np.arange(n) % 3)
    for batch in (7, 9_999, 10_001, 12_000, n):
        ours = prequential(Majority(), stream, batch=batch)
        theirs = prequential(Counting(), stream, batch=batch)
        np.testing.assert_array_equal(ours.y_pred, theirs.y_pred)


def test_a_holdout_in_blocks():
    """Counts do not depend on where blocks end; GaussianNB equals one call per block by hand."""
    stream, test = SEA(threshold=8).sample(seed=1, n=600), SEA(threshold=8).sample(seed=2, n=100)
    for model in (NoChange(), naive_bayes.GaussianNB(), Counting()):
        whole, blocked = (
            holdout(model, stream, test, every=250, batch=batch).error for batch in (1, 64)
        )
        np.testing.assert_array_equal(whole, blocked)
    model = GaussianNB()
    expected = []
    theirs = GaussianNB()
    for start, stop in [(0, 250), (250, 500)]:
        for first in range(start, stop, 64):
            some = slice(first, min(first + 64, stop))
            theirs.partial_fit(stream.X[some], stream.y[some], classes=[0, 1])
        expected.append(np.mean(theirs.predict(test.X) != test.y))
    assert holdout(model, stream, test, every=250, batch=64).error.tolist() == expected
