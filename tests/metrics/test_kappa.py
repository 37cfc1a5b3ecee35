"""Kappa measures against scikit-learn, river, slow definitions and their own baselines."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from river.metrics import CohenKappa
from scipy.stats import norm
from sklearn.metrics import cohen_kappa_score

from repro import learners, metrics, prequential
from repro.streams import Stream

RNG = np.random.default_rng(19600420)
MEASURES = [
    metrics.kappa,
    metrics.kappa_majority,
    metrics.kappa_temporal,
    metrics.kappa_combined,
]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda f: f.__name__)
MEMORIES = [{"alpha": 1.0}, {"alpha": 0.9}, {"alpha": 0.999}, {"window": 1}, {"window": 40}]
every_memory = pytest.mark.parametrize("memory", [*MEMORIES, {"window": 10_000}], ids=str)


def chain(n, stay, k=3, rng=RNG):
    """Return labels that repeat with probability `stay`, and else change to another class."""
    moves = rng.integers(1, k, n) * (rng.random(n) >= stay)
    return np.cumsum(moves) % k


Y = chain(600, 0.7)
Y_PRED = np.where(RNG.random(600) < 0.75, Y, RNG.integers(0, 4, 600))  # one class is never true

pairs = st.integers(1, 4).flatmap(
    lambda k: st.lists(
        st.tuples(st.integers(0, k - 1), st.integers(0, k - 1)), min_size=1, max_size=80
    )
)


def weights_at(i, alpha=None, window=None):
    """Return the weights of the steps 0..i in the estimates at step i."""
    age = i - np.arange(i + 1.0)
    return (age < window).astype(float) if window else (alpha or 1.0) ** age


def slow(y, y_pred, i, **memory):
    """Return the measures at step i by definition, from weighted means over all steps."""
    w, t = weights_at(i, **memory), np.arange(i + 1)
    y, y_pred = np.asarray(y)[: i + 1], np.asarray(y_pred)[: i + 1]
    classes = range(max(y.max(), y_pred.max()) + 1)
    majority = np.zeros(i + 1, int)
    for s in range(1, i + 1):
        before = weights_at(s - 1, **memory)
        majority[s] = np.argmax([before @ (y[:s] == c) for c in classes])
    p_ran = sum((w @ (y == c)) * (w @ (y_pred == c)) for c in classes) / w.sum() ** 2
    v = w * (t > 0)

    def against(p, p_b):
        return (p - p_b) / (1 - p_b) if p_b < 1 - 1e-13 else np.nan

    by_chance = against(w @ (y == y_pred) / w.sum(), p_ran)
    if not v.any():
        return by_chance, np.nan, np.nan, np.nan
    right, no_change = (v @ hit / v.sum() for hit in (y == y_pred, y == np.r_[-1, y[:-1]]))
    temporal = against(right, no_change)
    combined = np.sqrt(np.maximum(0, by_chance) * np.maximum(0, temporal))
    return by_chance, against(right, v @ (y == majority) / v.sum()), temporal, combined


# --- definitions


@second_opinion(
    "brute force",
    "metrics.kappa metrics.kappa_combined metrics.kappa_majority metrics.kappa_temporal",
)
@every_memory
def test_every_curve_equals_its_slow_definition(memory):
    curves = [measure(Y, Y_PRED, **memory) for measure in MEASURES]
    for i in [*range(5), 50, 399, 599]:
        expected = slow(Y, Y_PRED, i, **memory)
        np.testing.assert_allclose([c[i] for c in curves], expected, rtol=1e-9, atol=1e-12)


@every_measure
def test_the_curve_without_forgetting_ends_at_the_number(measure):
    number = measure(Y, Y_PRED)
    assert isinstance(number, float)
    for memory in ({"alpha": 1}, {"window": Y.size}, {"window": 10**9}):
        assert measure(Y, Y_PRED, **memory)[-1] == pytest.approx(number, rel=1e-12)


@second_opinion("scikit-learn", "metrics.kappa")
def test_kappa_agrees_with_scikit_learn_also_over_each_window():
    curve = metrics.kappa(Y, Y_PRED, window=40)
    for i in range(40, 600, 7):
        part = slice(i - 39, i + 1)
        expected = cohen_kappa_score(Y[part], Y_PRED[part])
        assert curve[i] == pytest.approx(expected, abs=1e-12)
    assert metrics.kappa(Y, Y_PRED) == pytest.approx(cohen_kappa_score(Y, Y_PRED), rel=1e-12)


@second_opinion("river", "metrics.kappa")
def test_kappa_agrees_with_river_step_by_step():
    river, values = CohenKappa(), []
    for true, predicted in zip(Y, Y_PRED, strict=True):
        river.update(true, predicted)
        values.append(river.get())
    curve = metrics.kappa(Y, Y_PRED, alpha=1)
    known = ~np.isnan(curve)
    assert known.sum() > 590
    np.testing.assert_allclose(curve[known], np.array(values)[known], atol=1e-12)
    assert set(np.array(values)[~known]) <= {0.0}


@pytest.mark.parametrize("decay", [0.01, 0.3])
def test_the_papers_decay_is_one_minus_alpha(decay):
    """Its estimates P <- (1 - a) P + a x begin at 0: ours after division by 1 - (1 - a)^t."""
    y, y_pred = Y[:200], Y_PRED[:200]
    joint, P, P_h, estimates = 0.0, np.zeros(4), np.zeros(4), []
    for true, predicted in zip(y, y_pred, strict=True):
        P, P_h = (1 - decay) * P, (1 - decay) * P_h
        P[true] += decay
        P_h[predicted] += decay
        joint = (1 - decay) * joint + decay * (true == predicted)
        estimates.append((joint, P @ P_h))
    grown = 1 - (1 - decay) ** np.arange(1, 201)
    p, p_ran = np.array(estimates).T / [grown, grown**2]
    known = p_ran < 1 - 1e-12
    curve = metrics.kappa(y, y_pred, alpha=1 - decay)
    np.testing.assert_allclose(curve[known], ((p - p_ran) / (1 - p_ran))[known], atol=1e-12)


@second_opinion("array form", "metrics.Kappa")
@given(pairs, st.floats(0.05, 1.0), st.integers(1, 90))
def test_online_and_array_forms_agree(steps, alpha, window):
    y, y_pred = np.array(steps).T
    for memory in ({}, {"alpha": alpha}, {"window": window}):
        online = metrics.Kappa(4, **memory)
        curves = [measure(y, y_pred, **memory or {"alpha": 1}) for measure in MEASURES]
        curves += metrics.baselines(y, y_pred, **memory or {"alpha": 1}, n_classes=4)
        for i, step in enumerate(steps):
            assert online.update(*step) is None
            values = [getattr(online, measure.__name__) for measure in MEASURES]
            expected = [curve[i] for curve in curves]
            # A root would turn a rounding of 1e-16 into one of 1e-8: its square is compared.
            root = [measure.__name__ for measure in MEASURES].index("kappa_combined")
            values[root], expected[root] = values[root] ** 2, expected[root] ** 2
            np.testing.assert_allclose([*values, *online.baselines], expected, rtol=1e-8, atol=1e-9)
    assert online.p == pytest.approx(np.mean((y == y_pred)[-window:]))


# --- hand-computed and decided cases


@second_opinion(
    "by hand",
    "metrics.baselines metrics.kappa metrics.kappa_combined metrics.kappa_majority "
    "metrics.kappa_temporal",
)
def test_by_hand():
    """p = 3/4, p_ran = (2*3 + 2*1)/16; over steps 1..3 p = 2/3, p_per = 2/3, p_m = 1/3."""
    y, y_pred = [0, 0, 1, 1], [0, 0, 1, 0]
    assert metrics.kappa(y, y_pred) == 0.5
    assert metrics.kappa_temporal(y, y_pred) == 0.0
    assert metrics.kappa_majority(y, y_pred) == 0.5
    assert metrics.kappa_combined(y, y_pred) == 0.0
    assert metrics.baselines(y, y_pred) == pytest.approx((1 / 2, 1 / 2, 1 / 3, 2 / 3, 1 / 2))


def test_constant_labels_have_no_baseline_to_beat():
    for y_pred in ([2, 2, 2, 2], [2, 2, 2, 1]):
        assert np.isnan(metrics.kappa_temporal([2] * 4, y_pred))
        assert np.isnan(metrics.kappa_majority([2] * 4, y_pred))
        assert np.isnan(metrics.kappa_combined([2] * 4, y_pred))
    assert np.isnan(metrics.kappa([2] * 4, [2] * 4))
    assert metrics.kappa([2] * 4, [1] * 4) == 0.0
    assert metrics.kappa([2] * 4, [2, 2, 2, 1]) == 0.0


def test_one_class_predicted_is_chance():
    assert metrics.kappa(Y, np.ones_like(Y)) == 0.0
    np.testing.assert_allclose(metrics.kappa(Y, np.ones_like(Y), alpha=0.9)[20:], 0, atol=1e-12)


@every_measure
def test_the_first_example_alone_has_no_kappa(measure):
    assert np.isnan(measure([1], [1]))
    assert np.isnan(measure([0, 1, 1], [0, 0, 1], alpha=0.5)[0])
    assert np.isnan(metrics.Kappa(2).kappa)
    assert np.isnan(metrics.Kappa(2).p)


@pytest.mark.parametrize("memory", [{}, {"alpha": 0.9}, {"window": 5}], ids=str)
def test_before_the_first_step_only_guessing_has_an_accuracy(memory):
    """And the second step is the first that has a predecessor."""
    online = metrics.Kappa(4, **memory)
    assert online.baselines.p_0 == 1 / 4
    assert np.isnan(online.baselines[1:]).all()
    for measure in MEASURES:
        assert np.isnan(getattr(online, measure.__name__))
    online.update(3, 1)
    np.testing.assert_array_equal(online.baselines, [1 / 4, 1, np.nan, np.nan, 0])
    assert (online.kappa, online.p) == (0.0, 0.0)


def test_labels_are_read_online_as_in_arrays():
    online, expected = metrics.Kappa(3), metrics.kappa([0, 1, 1, 2], [0, 1, 2, 2])
    for y, y_pred in [(0.0, False), (True, np.float32(1)), (np.bool_(1), np.int8(2)), (2, 2.0)]:
        online.update(y, y_pred)
    assert online.kappa == pytest.approx(expected)
    for wrong in (1.5, np.nan, np.inf, "1", None, [1]):
        with pytest.raises(ValueError, match="y must be a whole number >= 0; got"):
            online.update(wrong, 1)
    assert online.kappa == pytest.approx(expected)


def test_many_classes_online_take_memory_and_time_in_proportion():
    online = metrics.Kappa(10**6)
    for y, y_pred in [(0, 0), (999_999, 0), (5, 5)]:
        online.update(y, y_pred)
    assert online.kappa == pytest.approx(metrics.kappa([0, 2, 1], [0, 0, 1]))
    with pytest.raises(ValueError, match="n_classes must be at most 1000000; got 9223372036854775"):
        metrics.Kappa(2**63)


def test_the_first_example_counts_for_kappa_only():
    """No change and the majority have no prediction for it."""
    later = [1, 0, 1, 1, 0], [1, 1, 1, 1, 0]
    right, wrong = ([0, *labels] for labels in later), ([0, *later[0]], [1, *later[1]])
    right = tuple(right)
    for measure in (metrics.kappa_majority, metrics.kappa_temporal):
        assert measure(*right) == measure(*wrong)
    assert metrics.kappa(*right) > metrics.kappa(*wrong)


@every_measure
def test_perfect_predictions_are_1_whatever_the_labels(measure):
    assert measure(Y, Y) == 1.0
    name = np.array([40_000, 7, 10**12, 0])
    assert measure(name[Y], name[Y]) == 1.0
    if measure is not metrics.kappa_majority:  # ties go to the lowest
        assert measure(name[Y], name[Y_PRED]) == measure(Y, Y_PRED)


def test_an_unseen_class_changes_nothing():
    y, y_pred = np.r_[Y, 9], np.r_[Y_PRED, 8]
    for measure in MEASURES:
        for memory in MEMORIES:
            now, before = measure(y, y_pred, **memory), measure(Y, Y_PRED, **memory)
            np.testing.assert_array_equal(now[:-1], before)


def test_a_baseline_that_is_right_to_rounding_has_a_kappa_of_nan():
    """An old change has the weight 0.5^k: the error of the baselines falls below 2^-53."""
    y = np.r_[0, np.ones(2000, int)]
    for measure in MEASURES:
        curve = measure(y, y, alpha=0.5)
        last = np.flatnonzero(~np.isnan(curve))[-1]
        assert last in (52, 53)
        assert np.all(curve[3 : last + 1] == 1)


def test_the_combined_measure_is_0_where_one_is_negative_and_their_geometric_mean_elsewhere():
    found = set()
    for y_pred in (Y_PRED, np.r_[0, Y[:-1]], RNG.integers(0, 3, 600), (Y + 1) % 3):
        chance, temporal = metrics.kappa(Y, y_pred), metrics.kappa_temporal(Y, y_pred)
        both = metrics.kappa_combined(Y, y_pred)
        found.add((chance > 0, temporal > 0))
        if chance > 0 and temporal > 0:
            assert both**2 == pytest.approx(chance * temporal)
        else:
            assert both == 0.0
    assert len(found) == 3


# --- each baseline is at 0 of its own measure


def stream(y):
    return Stream(np.zeros((y.size, 1)), y)


@pytest.mark.parametrize("delay", [0, 1, 7])
def test_no_change_has_a_temporal_kappa_of_0_at_every_delay(delay):
    y_pred = prequential(learners.NoChange(), stream(Y), delay=delay).y_pred
    assert metrics.kappa_temporal(Y, y_pred, delay=delay) == 0.0
    curve = metrics.kappa_temporal(Y, y_pred, window=60, delay=delay)
    assert np.isnan(curve[: delay + 1]).all()
    assert set(curve[delay + 60 :]) == {0.0}
    if delay:
        assert metrics.kappa_temporal(Y, y_pred) < 0


def test_the_majority_learner_has_a_majority_kappa_of_0():
    """The label of a step is counted after its prediction."""
    y_pred = prequential(learners.Majority(), stream(Y)).y_pred
    assert metrics.kappa_majority(Y, y_pred) == 0.0
    curve = metrics.kappa_majority(Y, y_pred, alpha=1)
    assert set(curve[~np.isnan(curve)]) == {0.0}


def test_counting_the_label_first_gives_another_measure():
    """On 1 0 1 0 ... no label is predicted, but all are if each is counted first."""
    y = (np.arange(20) + 1) % 2
    assert metrics.baselines(y).p_m == 0.0
    assert metrics.kappa_majority(y, y * 0) == pytest.approx(10 / 19)
    counted = np.cumsum(np.eye(2)[y], axis=0)
    assert np.mean(counted.argmax(axis=1)[1:] == y[1:]) == 1.0


@second_opinion("simulation", "metrics.baselines")
def test_predictions_in_random_order_have_the_accuracy_p_ran_and_a_kappa_of_0():
    """Exactly, over all 720 orders of six predictions."""
    y, y_pred = np.array([0, 0, 1, 2, 1, 0]), np.array([0, 1, 1, 2, 0, 0])
    orders = np.array(list(itertools.permutations(y_pred)))
    p_ran = metrics.baselines(y, y_pred).p_ran
    assert np.mean(orders == y) == pytest.approx(p_ran)
    assert np.mean([metrics.kappa(y, order) for order in orders]) == pytest.approx(0, abs=1e-12)


def test_propositions_5_to_7_on_random_labels_and_predictions():
    """p_maj >= p_ran and p_0 always; p_maj >= p_per without, p_per > p_maj with dependence."""
    for stay in (None, 0.9):
        for k in (2, 5):
            y = RNG.integers(0, k, 20_000) if stay is None else chain(20_000, stay, k)
            b = metrics.baselines(y, np.where(RNG.random(y.size) < 0.6, y, 0))
            assert b.p_maj >= max(b.p_ran, b.p_0)
            if stay is None:
                assert abs(b.p_per - np.sum((np.bincount(y) / y.size) ** 2)) < 0.02
            else:
                assert b.p_per > b.p_maj
                assert abs(b.p_per - stay) < 4 * np.sqrt(stay * (1 - stay) / y.size)


# --- standard error and test


@second_opinion("closed form", "metrics.kappa_test")
def test_the_standard_error_and_z_are_the_papers_formulas():
    got = metrics.kappa_test(Y, Y_PRED)
    n, p, p_ran = Y.size, np.mean(Y == Y_PRED), metrics.baselines(Y, Y_PRED).p_ran
    assert got.kappa == metrics.kappa(Y, Y_PRED)
    assert got.standard_error == pytest.approx(np.sqrt(p * (1 - p) / (n * (1 - p_ran) ** 2)))
    assert got.z == pytest.approx(got.kappa / np.sqrt(p_ran / (n * (1 - p_ran))))
    assert got.p_value == pytest.approx(1 - norm.cdf(got.z))


@second_opinion("simulation", "metrics.kappa_test")
def test_the_test_rejects_at_its_level_when_predictions_are_chance():
    y, y_pred = RNG.random((2, 4000, 300)) < 0.5
    values = [metrics.kappa_test(*pair).p_value < 0.05 for pair in zip(y, y_pred, strict=True)]
    assert abs(np.mean(values) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)


def test_the_test_is_nan_where_kappa_is_undefined():
    assert np.isnan(metrics.kappa_test([1, 1], [1, 1])).all()
    assert np.isnan(metrics.kappa_test([0, 0], [1, 1]).z)
    assert metrics.kappa_test([0, 0], [1, 1])[:2] == (0.0, 0.0)


# --- arguments


@every_measure
@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1], [0]), {}, "y_pred must be as long as y, 2; got 1"),
        (([], []), {}, r"y must be a non-empty 1-d array; got shape \(0,\)"),
        (([0, 1], [[0, 1]]), {}, r"y_pred must be a non-empty 1-d array; got shape \(1, 2\)"),
        (([0, -1], [0, 1]), {}, "y must hold integer labels 0..K-1 .*; got -1 at index 1"),
        (np.array([[0, 1], [0, -7]]), {}, "y_pred must hold integer .*; got -7 at index 1"),
        (([0, 1], [0, 0.5]), {}, "y_pred must hold integer labels 0..K-1 .*; got 0.5 at index 1"),
        (([0, 1], [0, np.nan]), {}, "y_pred must hold integer labels 0..K-1 .*; got nan"),
        (([0, 1], [0, 1]), {"alpha": 0}, r"alpha must lie in \(0, 1\]; got 0"),
        (([0, 1], [0, 1]), {"alpha": 1.5}, r"alpha must lie in \(0, 1\]; got 1.5"),
        (([0, 1], [0, 1]), {"window": 0}, "window must be a whole number >= 1; got 0"),
        (([0, 1], [0, 1]), {"window": 2.5}, "window must be a whole number >= 1; got 2.5"),
        (
            ([0, 1], [0, 1]),
            {"alpha": 0.9, "window": 5},
            "only one of alpha and window must be given; got 0.9, 5",
        ),
    ],
)
def test_bad_arguments_are_refused(measure, arguments, options, message):
    with pytest.raises(ValueError, match=message):
        measure(*arguments, **options)


def test_other_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="delay must be a whole number >= 0; got -1"):
        metrics.kappa_temporal([0, 1], [0, 1], delay=-1)
    with pytest.raises(ValueError, match="n_classes must be at least 3, the labels seen; got 2"):
        metrics.baselines([0, 5, 2], n_classes=2)
    with pytest.raises(ValueError, match=r"y_pred must lie in 0..1; got 2"):
        metrics.Kappa(2).update(0, 2)
    with pytest.raises(ValueError, match="y must be a whole number >= 0; got -1"):
        metrics.Kappa(2).update(-1, 0)
    with pytest.raises(ValueError, match="only one of alpha and window"):
        metrics.Kappa(2, 0.9, 5)


def test_a_delay_beyond_the_stream_leaves_nothing_to_compare():
    assert np.isnan(metrics.kappa_temporal([0, 1], [0, 1], delay=5))
    assert np.isnan(metrics.kappa_temporal([0, 1], [0, 1], delay=1, alpha=0.9)).all()


def test_labels_of_any_number_type_are_read_alike_and_left_alone():
    expected = metrics.kappa(Y, Y_PRED, alpha=0.9)
    kept = Y.copy()
    for kind in (np.int8, np.int32, np.float64, np.uint64):
        np.testing.assert_array_equal(metrics.kappa(Y.astype(kind), Y_PRED, alpha=0.9), expected)
    doubled = np.repeat(Y, 2)[::2]
    np.testing.assert_array_equal(metrics.kappa(doubled, Y_PRED, alpha=0.9), expected)
    np.testing.assert_array_equal(Y, kept)


def test_undefined_values_come_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for measure in MEASURES:
            measure([0, 0], [0, 0])
            measure([0, 0], [0, 0], alpha=0.5)
