"""Shuffled streams, stand-ins, persistence of labels, and means over batches."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import Stream, data_sets, metrics, streams, sweep
from repro.learners import NoChange
from repro.streams import LabelChain, Shuffled, stand_in, stand_ins

STREAM = streams.electricity_like(seed=3).take(np.arange(2000))


def rows(stream):
    return sorted(map(tuple, np.column_stack([stream.X, stream.y]).tolist()))


@pytest.mark.parametrize("keep_labels", [False, True])
def test_shuffling_keeps_every_example_and_moves_most(keep_labels):
    shuffled = Shuffled(STREAM, keep_labels=keep_labels).sample(seed=1)
    assert rows(shuffled) == rows(STREAM)
    assert (shuffled.X != STREAM.X).any(axis=1).mean() > 0.9
    assert shuffled.schema == STREAM.schema


def test_shuffling_keeps_or_removes_the_dependence_of_labels():
    kept = Shuffled(STREAM, keep_labels=True).sample(seed=1)
    np.testing.assert_array_equal(kept.y, STREAM.y)
    free = Shuffled(STREAM).sample(seed=1)
    assert abs(metrics.label_dependence(free.y).z) < 4 < metrics.label_dependence(STREAM.y).z


@second_opinion("enumeration", "streams.Shuffled")
def test_within_a_class_all_orders_are_equally_likely():
    small = Stream(np.arange(5.0)[:, None], [0, 1, 0, 1, 0])
    draws = [tuple(Shuffled(small, keep_labels=True).sample(seed=s).X[:, 0]) for s in range(1200)]
    counts = np.array([draws.count(d) for d in set(draws)])
    assert len(counts) == 12  # 3! orders of one class, 2! of the other
    assert ((counts - 100) ** 2 / 100).sum() < 31.3  # chi-squared, 11 degrees of freedom, 0.1 %


def test_shuffles_of_different_streams_have_different_keys(tmp_path):
    for stream in (STREAM, STREAM.take(np.arange(1000))):
        table = sweep({"N": NoChange()}, {"S": Shuffled(stream)}, [0], cache=tmp_path)
        assert table["n"].tolist() == [len(stream)]


def test_only_streams_are_shuffled():
    with pytest.raises(TypeError, match=r"stream must be a Stream .*; got"):
        Shuffled(np.zeros((3, 1)))


@second_opinion("published numbers", "streams.stand_in")
@pytest.mark.parametrize(("name", "rate"), [("kdd99", 0.9989), ("covtype", 0.9506)])
def test_a_stand_in_has_the_persistence_of_its_data_set(name, rate):
    rates = [metrics.baselines(stand_in(name, seed).y).p_per for seed in range(5)]
    assert np.mean(rates) == pytest.approx(rate, abs=0.001)


def test_the_stand_in_of_ozone_has_independent_labels():
    z = [metrics.label_dependence(stand_in("ozone", seed).y).z for seed in range(40)]
    assert abs(np.mean(z)) < 0.6


@pytest.mark.parametrize(("name", "d"), [("chess", 8), ("luxembourg", 31)])
def test_the_stand_ins_of_paper_4_are_like_the_data_and_drift_in_the_middle(name, d):
    """Shares and persistence within 4 standard errors of the constants taken from the data."""
    n, shares, persistence, _, _ = stand_ins.DRIFTING[name]
    draws = [stand_in(name, seed) for seed in range(40)]
    assert {s.X.shape for s in draws} == {(n, d)}
    assert {s.drifts for s in draws} == {(n // 2,)}
    assert {s.name for s in draws} == {f"{name} (stand-in)"}
    for found, expected in (
        ([np.mean(s.y == 0) for s in draws], shares[0]),
        ([metrics.baselines(s.y).p_per for s in draws], persistence),
    ):
        assert abs(np.mean(found) - expected) < 4 * np.std(found, ddof=1) / np.sqrt(40)
    before, after = np.arange(n) < n // 2, np.arange(n) >= n // 2
    moves = [
        np.mean([s.X[part & (s.y == 1)].mean(axis=0) for s in draws], axis=0)
        for part in (before, after)
    ]
    assert np.linalg.norm(moves[0] - moves[1]) > 1


@pytest.mark.parametrize("name", ["chess", "luxembourg"])
def test_the_constants_of_a_stand_in_are_those_of_the_data(name):
    if not data_sets.available(name):
        pytest.skip(f"{name} is not available")
    data = streams.load(name)
    n, shares, persistence, d, _ = stand_ins.DRIFTING[name]
    assert data.X.shape == (n, d)
    assert np.mean(data.y == 0) == pytest.approx(shares[0], abs=5e-5)
    assert metrics.baselines(data.y).p_per == pytest.approx(persistence, abs=5e-5)


def test_a_set_without_a_stand_in_is_refused():
    with pytest.raises(ValueError, match=r"name must be one of elec2, kdd99, .* got 'mnist'"):
        stand_in("mnist")


@second_opinion("brute force", "metrics.label_persistence")
@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.integers(0, 6), st.integers(1, 4))
def test_persistence_equals_a_count_by_hand(y, order, least):
    found = metrics.label_persistence(y, order, min_count=least)
    for lag in range(1, order + 1):
        for k in range(max(y) + 1):
            after = [y[t] for t in range(lag, len(y)) if set(y[t - lag : t]) == {k}]
            expected = np.mean(np.array(after) == k) if len(after) >= least else np.nan
            np.testing.assert_equal(found[lag, k], expected)


@pytest.mark.parametrize("window", [1, 2, 5])
def test_the_accuracy_of_a_majority_equals_that_on_a_long_stream(window):
    chain = LabelChain([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]], [0.0, 1.0, 2.0])
    y = chain.sample(seed=5, n=200_000).y
    past = np.lib.stride_tricks.sliding_window_view(y, window)[:-1]
    majority = (past[..., None] == np.arange(3)).sum(axis=1).argmax(axis=1)
    simulated = float(np.mean(majority == y[window:]))
    assert chain.majority_accuracy(window) == pytest.approx(simulated, abs=0.005)


def test_the_majority_of_one_label_is_no_change_and_of_many_the_majority():
    chain = LabelChain.two_classes(majority=0.8, no_change=0.7)
    assert chain.majority_accuracy(1) == pytest.approx(chain.no_change_accuracy())
    assert chain.majority_accuracy(17) == pytest.approx(0.8, abs=0.01)
    with pytest.raises(ValueError, match="window must leave a million sequences or fewer; got 20"):
        chain.majority_accuracy(20)


@given(st.lists(st.floats(-10, 10), min_size=4, max_size=40), st.integers(1, 4))
def test_batch_means_keep_the_sum(x, batches):
    means = metrics.batch_means(x, batches)
    sizes = [len(part) for part in np.array_split(x, batches)]
    assert max(sizes) - min(sizes) <= 1
    np.testing.assert_allclose(means @ sizes, np.sum(x), atol=1e-9)
    both = metrics.batch_means(np.column_stack([x, x]), batches)
    np.testing.assert_allclose(both, np.column_stack([means, means]), atol=1e-12)


def test_too_few_numbers_are_refused():
    with pytest.raises(ValueError, match="x must have at least 20 rows, one per batch; got 3"):
        metrics.batch_means([1, 2, 3])
    with pytest.raises(ValueError, match="x must be finite; got nan at index 0"):
        metrics.batch_means([np.nan] * 30)


def test_attributes_are_selected_by_name():
    part = STREAM.select(["period", "day"])
    np.testing.assert_array_equal(part.X, STREAM.X[:, [2, 1]])
    assert part.schema.nominal == (0, 7)
    assert part.provenance.attributes == ("period", "day")
    assert part.select(["day"]).X[:, 0].tolist() == STREAM.X[:, 1].tolist()
    with pytest.raises(ValueError, match=r"features must be names .*date, day.* got 'weekday'"):
        STREAM.select(["weekday"])
    with pytest.raises(ValueError, match=r"\(none are known\); got 'x0'"):
        Stream([[0.0], [1.0]], [0, 1]).select(["x0"])


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([0, 10**9], {"lag": 1}, "y must hold labels below 1000000 .*; got 1000000000"),
        ([0, 1], {"lag": 10**9}, "lag must be at most 4999999; got 1000000000"),
        ([0, 1], {"lag": 1, "min_count": 0}, "min_count must be a whole number >= 1; got 0"),
    ],
)
def test_a_persistence_that_would_not_fit_into_memory_is_refused(y, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.label_persistence(y, **options)


def test_a_huge_least_leaves_no_position():
    assert np.isnan(metrics.label_persistence([0, 0, 1], 2, min_count=10**400)[1:]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 5), "stream must have labels in `y`; got 5"),
        ((SimpleNamespace(y=[0, 1]), None), "run must have labels in `y_pred`; got None"),
        (
            (SimpleNamespace(y=[0, 1]), SimpleNamespace(y_pred=[0])),
            "run must have one prediction per example",
        ),
        ((SimpleNamespace(y="ab"), SimpleNamespace(y_pred=[0])), "y must be a non-empty 1-d"),
    ],
)
def test_kappa_advice_without_labels_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        metrics.kappa_advice(*arguments)


@pytest.mark.parametrize(
    ("x", "batches", "message"),
    [
        ("abc", 1, "x must hold numbers; got"),
        (None, 1, "x must be a non-empty 1-d array; got shape"),
        ([[1, 2], [3]], 1, "x must hold numbers; got"),
        (np.zeros((2, 2, 2)), 1, "x must be a non-empty 1-d array; got shape"),
        ([1, np.inf], 1, "x must be finite; got inf at index 1"),
        ([[1, np.nan]], 1, "x must be finite; got nan in row 0, column 1"),
        ([1, 2], 2**70, "x must have at least 1180591620717411303424 rows, .*; got 2"),
    ],
)
def test_batch_means_of_invalid_input_are_refused(x, batches, message):
    with pytest.raises(ValueError, match=message):
        metrics.batch_means(x, batches)
