"""Learners that use previous labels, and late labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from river import naive_bayes
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

from repro import prequential
from repro.interop import to_river
from repro.learners import (
    HoeffdingTree,
    Majority,
    NaiveBayes,
    NoChange,
    TemporalCorrection,
    TemporallyAugmented,
    previous_labels,
    temporal_correction,
)
from repro.streams import Stream, label_delay

labels = st.lists(st.integers(0, 2), min_size=1, max_size=40)
waits = st.integers(0, 5) | st.lists(st.integers(0, 6), min_size=40, max_size=40)


def chain(n: int = 3000, stay: float = 0.9, seed: int = 0) -> Stream:
    """Labels that rarely change, and one weak attribute."""
    rng = np.random.default_rng(seed)
    changes = rng.random(n) > stay
    y = np.cumsum(changes) % 2
    return Stream((y + rng.normal(scale=2, size=n))[:, None], y)


def arrivals(n, delay):
    """known[t]: the examples whose labels have arrived when t is predicted, checked one by one."""
    wait = np.broadcast_to(delay, n)
    return [[i for i in range(n) if i + wait[i] < t] for t in range(n)]


def cut(delay, n):
    return delay if isinstance(delay, int) else delay[:n]


# --- when labels arrive


@given(st.integers(1, 40), waits)
def test_a_schedule_lists_each_label_once_and_in_time(n, delay):
    delay = cut(delay, n)
    order, after = label_delay.schedule(n, delay)
    assert sorted(order) == list(range(n))
    known = arrivals(n, delay)
    for t in range(n - 1):
        assert sorted(order[: after[t]]) == known[t + 1]
    times = np.broadcast_to(delay, n)[order] + order
    assert (np.diff(times) >= 0).all()


@second_opinion("brute force", "learners.previous_labels")
@given(labels, st.integers(1, 4), waits)
def test_previous_labels_are_the_newest_known_labels(y, order, delay):
    delay = cut(delay, len(y))
    known = arrivals(len(y), delay)
    expected = [([y[i] for i in sorted(k, reverse=True)] + [0] * order)[:order] for k in known]
    np.testing.assert_array_equal(previous_labels(y, order, delay), expected)


@second_opinion("brute force", "streams.delay_by_time")
def test_delays_by_time_are_counted_in_examples():
    times = np.array([0.0, 0.0, 1.0, 5.0, 5.5, 9.0])
    for wait in (0.0, 1.0, 4.4, 100.0):
        delay = label_delay.delay_by_time(times, wait)
        known = arrivals(6, delay)
        for t in range(6):
            assert known[t] == [i for i in range(t) if times[i] + wait <= times[t]]


@second_opinion("simulation", "streams.random_delay")
def test_random_delays_have_their_mean_and_zero_means_none():
    drawn = label_delay.random_delay(50_000, 20, seed=1)
    assert drawn.mean() == pytest.approx(20, abs=5 * np.sqrt(20 * 21 / 50_000))
    assert not label_delay.random_delay(10, 0).any()


@pytest.mark.parametrize(
    ("delay", "message"),
    [
        (-1, "delay must be a whole number >= 0; got -1"),
        (1.5, "delay must be a whole number >= 0; got 1.5"),
        ([1, 2], "delay must be a whole number >= 0, or 3 of them; got"),
        ([0, -1, 0], "delay must be a whole number >= 0, or 3 of them; got"),
        ([0, np.nan, 0], "delay must be a whole number >= 0, or 3 of them; got"),
    ],
)
def test_an_invalid_delay_is_refused(delay, message):
    with pytest.raises(ValueError, match=message):
        prequential(Majority(), Stream(np.zeros((3, 1)), [0, 1, 0]), delay=delay)


@pytest.mark.parametrize(
    "wait", [0, 3, label_delay.random_delay(200, 4, seed=2)], ids=["0", "3", "random"]
)
def test_a_run_with_late_labels_learns_each_when_it_arrives(wait):
    """Equal to online learners, ours and river's, that learn each label when it arrives."""
    stream = chain(200)
    for learner in (NaiveBayes(), HoeffdingTree(grace_period=10, delta=0.05, tau=0.3)):
        run, online = prequential(learner, stream, delay=wait), learner.online(stream.schema)
        river = prequential(to_river(learner, stream.schema), stream, delay=wait)
        order, after = label_delay.schedule(200, wait)
        learned = 0
        for t in range(200):
            assert online.predict_one(stream.X[t]) == run.y_pred[t]
            for i in order[learned : after[t]]:
                online.learn_one(stream.X[i], stream.y[i])
            learned = after[t]
        np.testing.assert_array_equal(river.y_pred, run.y_pred)


def test_no_change_with_a_delay_repeats_the_label_that_arrived_last():
    stream = chain(500)
    for wait in (0, 1, 10):
        run = prequential(NoChange(), stream, delay=wait)
        np.testing.assert_array_equal(run.y_pred[1 + wait :], stream.y[: -1 - wait])


# --- temporally augmented


@second_opinion("another definition", "learners.TemporallyAugmented")
def test_augmented_equals_the_learner_on_more_attributes():
    stream = chain()
    more = Stream(np.c_[stream.X, previous_labels(stream.y, 3)], stream.y, [0, 2, 2, 2])
    run = prequential(TemporallyAugmented(HoeffdingTree(), lags=3), stream)
    np.testing.assert_array_equal(run.proba, prequential(HoeffdingTree(), more).proba)
    assert run.error < prequential(HoeffdingTree(), stream).error - 0.05


def test_any_model_can_be_the_base():
    stream = chain(600)
    for model in (naive_bayes.GaussianNB(), SGDClassifier(loss="log_loss", random_state=0)):
        for wrapper in (TemporallyAugmented(model), TemporalCorrection(model)):
            assert prequential(wrapper, stream).error < 0.35
    with pytest.raises(TypeError, match=r"base must be one of .*learners to run online"):
        TemporallyAugmented(SGDClassifier()).online(stream.schema)
    with pytest.raises(TypeError, match=r"base must be a learner, of ours"):
        TemporalCorrection("NB")
    with pytest.raises(ValueError, match="lags must be a whole number >= 1; got 0"):
        TemporallyAugmented(NaiveBayes(), lags=0)


# --- temporal correction


def corrected_by_hand(proba, y, alpha, delay):
    """Both probabilities from the list of all known pairs, each with its age."""
    n, K = proba.shape
    order, after = label_delay.schedule(n, delay)
    known = arrivals(n, delay)
    previous = [y[max(k)] if k else None for k in known]
    result = np.array(proba)
    for t in range(n):
        seen = order[: after[t - 1]] if t else order[:0]
        ages = alpha ** np.arange(len(seen))[::-1]
        start = alpha ** len(seen)
        if previous[t] is None:
            continue
        counts, pairs = np.full(K, start), np.full(K, start)
        for i, weight in zip(seen, ages, strict=True):
            counts[y[i]] += weight
            pairs[y[i]] += weight * (previous[i] == previous[t])
        shares = result[t] * (pairs / pairs.sum()) / (counts / counts.sum())
        result[t] = shares / shares.sum()
    return result


@second_opinion("brute force", "learners.temporal_correction learners.TemporalCorrection")
@given(labels, st.floats(0.5, 1.0), waits, st.integers(0, 10))
def test_temporal_correction_equals_its_formula(y, alpha, delay, seed):
    delay, y = cut(delay, len(y)), np.array(y)
    proba = np.random.default_rng(seed).dirichlet(np.ones(3), len(y))
    expected = corrected_by_hand(proba, y, alpha, delay)
    np.testing.assert_allclose(temporal_correction(proba, y, alpha, delay), expected, rtol=1e-9)


def test_equal_posteriors_are_corrected_to_the_likeliest_successor():
    """With transition probabilities 0.9 and 0.1 that is the previous label."""
    stream = chain(5000)
    run = prequential(TemporalCorrection(Majority(), alpha=1.0), stream)
    np.testing.assert_array_equal(run.y_pred[200:], prequential(NoChange(), stream).y_pred[200:])


def test_posteriors_of_independent_labels_are_not_changed():
    rng = np.random.default_rng(3)
    y, proba = rng.integers(0, 2, 20_000), np.tile([0.3, 0.7], (20_000, 1))
    corrected = temporal_correction(proba, y, alpha=1.0)
    np.testing.assert_allclose(corrected[-1], [0.3, 0.7], atol=0.02)


def test_faded_counts_leave_finite_shares():
    y = np.r_[np.zeros(5000, int), 1, 1]
    corrected = temporal_correction(np.full((5002, 2), 0.5), y, alpha=0.5)
    assert np.isfinite(corrected).all()
    np.testing.assert_allclose(corrected.sum(axis=1), 1)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="proba must have one row per label, 2; got shape"):
        temporal_correction(np.ones((3, 2)), [0, 1])
    with pytest.raises(ValueError, match=r"y must hold integer labels 0..1 .* got 2 at index 1"):
        temporal_correction(np.ones((2, 2)), [0, 2])
    with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\]; got 0"):
        TemporalCorrection(NaiveBayes(), alpha=0)


@pytest.mark.parametrize(
    "learner",
    [
        TemporallyAugmented(TemporalCorrection(NaiveBayes(), alpha=0.9), lags=2),
        TemporalCorrection(TemporallyAugmented(NaiveBayes(), lags=2), alpha=0.9),
    ],
    ids=["augmented outside", "correction outside"],
)
def test_nested_wrappers_run_online_and_in_rivers_protocol(learner):
    stream = chain(400)
    run, online = prequential(learner, stream), learner.online(stream.schema)
    for i, (x, y) in enumerate(zip(stream.X, stream.y, strict=True)):
        np.testing.assert_array_equal(online.predict_proba_one(x), run.proba[i])
        online.learn_one(x, y)
    assert run.state_bytes == online.state_bytes
    river = prequential(to_river(learner, stream.schema), stream)
    np.testing.assert_array_equal(river.y_pred, run.y_pred)


# --- over models of other libraries


def classes_that_come_late(n: int = 240) -> Stream:
    """Three classes; the third appears only in the second half."""
    rng = np.random.default_rng(2)
    y = np.cumsum(rng.random(n) > 0.8) % 2
    y[n // 2 :] = np.cumsum(rng.random(n - n // 2) > 0.8) % 3
    return Stream(rng.normal(size=(n, 2)) + y[:, None], y)


def slow_posteriors(model, stream, batch, wait):
    """Shares of a scikit-learn model, block by block; equal shares for rows with nan."""
    n, K = len(stream), stream.n_classes
    model, told, shares = type(model)(**model.get_params()), False, []
    arrival, learned = np.arange(n) + wait, set()
    for start in range(0, n, batch):
        for i in range(start, min(start + batch, n)):
            row = model.predict_proba(stream.X[i : i + 1])[0] if told else np.full(K, np.nan)
            shares.append(row / row.sum() if np.isfinite(row).all() else np.full(K, 1 / K))
        due = [i for i in range(n) if arrival[i] < start + batch and i not in learned]
        due.sort(key=lambda i: (arrival[i] // batch, i))
        for first in range(0, len(due), batch):
            some = due[first : first + batch]
            model.partial_fit(stream.X[some], stream.y[some], classes=range(K))
            told = True
        learned |= set(due)
    return np.array(shares)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")  # scikit-learn's own
@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("wait", [0, 3])
def test_the_correction_over_a_model_that_has_not_seen_all_classes(batch, wait):
    """GaussianNB then gives nan: equal shares are corrected, and class 0 does not stick."""
    stream = classes_that_come_late()
    index = np.arange(len(stream))
    delay = wait if batch == 1 else (index + wait) // batch * batch + batch - 1 - index
    shares = slow_posteriors(GaussianNB(), stream, batch, wait)
    expected = corrected_by_hand(shares, stream.y, 0.9, delay)
    run = prequential(TemporalCorrection(GaussianNB(), 0.9), stream, batch=batch, delay=wait)
    np.testing.assert_allclose(run.proba, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(run.y_pred, expected.argmax(axis=1))
    assert set(run.y_pred) == {0, 1, 2}
    bare = prequential(GaussianNB(), stream, batch=batch, delay=wait)
    np.testing.assert_allclose(bare.proba, shares)
    assert np.isfinite(bare.proba).all()


def test_augmented_foreign_models_see_the_labels_known_at_the_end_of_a_block():
    stream = chain(60)
    for batch in (1, 8):
        delay = batch - 1 - np.arange(60) % batch
        more = Stream(np.c_[stream.X, previous_labels(stream.y, 2, delay)], stream.y, [0, 2, 2])
        run = prequential(
            TemporallyAugmented(SGDClassifier(random_state=0), 2), stream, batch=batch
        )
        expected = prequential(SGDClassifier(random_state=0), more, batch=batch)
        np.testing.assert_array_equal(run.y_pred, expected.y_pred)
        np.testing.assert_array_equal(run.proba, expected.proba)


def test_a_label_that_was_last_followed_by_another_long_ago():
    """alpha ** 1073 is the smallest number above 0, and its inverse is infinite."""
    for length in (1060, 1070, 1073, 1080):
        y = np.r_[0, 1, np.zeros(length, int), 1, 0, 1]
        corrected = temporal_correction(np.full((y.size, 2), 0.5), y, alpha=0.5)
        assert np.isfinite(corrected).all()
        np.testing.assert_allclose(corrected.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.5, np.nan]], [0]), "proba must be finite; got nan in row 0, column 1"),
        (([[0.5, -0.5]], [0]), "proba must be >= 0; got -0.5 in row 0, column 1"),
        (([[0, 1.0], [1.1, -0.1]], [0] * 2), "proba must be >= 0; got -0.1 in row 1, column 1"),
        (([["a", "b"]], [0]), "proba must hold numbers"),
        (([0.5], [0]), r"proba must have shape \(n, d\)"),
    ],
)
def test_invalid_posteriors_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        temporal_correction(*arguments)


def test_an_order_beyond_memory_is_refused():
    for make in (
        lambda order: TemporallyAugmented(NaiveBayes(), order),
        lambda order: previous_labels([0, 1], order),
    ):
        with pytest.raises(ValueError, match="lags must be at most 10000; got"):
            make(10**12)


def test_rows_that_do_not_sum_to_one_are_divided_by_their_sum():
    """Also where the sum overflows; a row of zeros becomes equal shares."""
    y = [0, 1, 1]
    proba = np.array([[1.0, 3.0], [0.4, 0.6], [0.0, 0.0]])
    shares = np.array([[0.25, 0.75], [0.4, 0.6], [0.5, 0.5]])
    huge = proba * [[5e307], [1.0], [1.0]]
    expected = temporal_correction(shares, y)
    np.testing.assert_allclose(temporal_correction(proba, y), expected, rtol=1e-12)
    np.testing.assert_allclose(temporal_correction(huge, y), expected, rtol=1e-12)
    np.testing.assert_allclose(expected.sum(axis=1), 1, rtol=1e-12)
