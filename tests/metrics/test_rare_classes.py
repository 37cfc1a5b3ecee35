"""Measures for rare classes against scikit-learn, river, enumeration and their online twins."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from river import metrics as river_metrics
from scipy import stats
from sklearn import metrics as sk

from repro import metrics

RNG = np.random.default_rng(20171101)
Y = (RNG.random(800) < 0.1).astype(int) + 2 * (RNG.random(800) < 0.05)
Y_PRED = np.where(RNG.random(800) < 0.6, Y, RNG.integers(0, 4, 800))
LABEL = (RNG.random(600) < 0.15).astype(int)
SCORE = np.round(LABEL + RNG.normal(size=600), 1)  # with ties
MEMORIES = [{"alpha": 1.0}, {"alpha": 0.95}]
MEMORIES += [{"window": window} for window in (1, 7, 40, 5000)]  # 7: many steps leave it
every_memory = pytest.mark.parametrize("memory", MEMORIES, ids=str)
RATES = [metrics.recalls, metrics.precisions, metrics.balanced_accuracy, metrics.g_mean]
every_rate = pytest.mark.parametrize("rate", RATES, ids=lambda f: f.__name__)

pairs = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.tuples(*[st.integers(0, k - 1)] * 2), min_size=1, max_size=40)
)
scored = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([-1.5, -0.0, 0.0, 0.25, 1e300])),
    min_size=1,
    max_size=30,
)


# --- recall and precision


@second_opinion("scikit-learn", "metrics.recalls metrics.precisions metrics.balanced_accuracy")
def test_recall_precision_and_balanced_accuracy_are_those_of_scikit_learn():
    options = {"average": None, "labels": range(4), "zero_division": np.nan}
    np.testing.assert_allclose(
        metrics.recalls(Y, Y_PRED, n_classes=4), sk.recall_score(Y, Y_PRED, **options)
    )
    np.testing.assert_allclose(
        metrics.precisions(Y, Y_PRED, n_classes=4), sk.precision_score(Y, Y_PRED, **options)
    )
    found = [c for c in range(4) if (c == Y).any()]
    each = sk.recall_score(Y, Y_PRED, average=None, labels=found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of a class that is never true
        expected = sk.balanced_accuracy_score(Y, Y_PRED)
    assert metrics.balanced_accuracy(Y, Y_PRED) == pytest.approx(expected)
    assert metrics.g_mean(Y, Y_PRED) == pytest.approx(np.prod(each) ** (1 / len(found)))


@second_opinion("river", "metrics.g_mean")
def test_the_geometric_mean_is_that_of_river():
    other, y_pred = river_metrics.GeometricMean(), np.minimum(Y_PRED, 2)
    for y, predicted in zip(Y.tolist(), y_pred.tolist(), strict=True):
        other.update(y, predicted)
    assert metrics.g_mean(Y, y_pred) == pytest.approx(other.get())


def test_the_geometric_mean_of_a_thousand_small_recalls_does_not_vanish():
    """One of 1000 examples of each of 200 classes is found; the product of recalls is 1e-600."""
    y = np.repeat(np.arange(200), 1000)
    y_pred = (y + 1) % 200
    y_pred[::1000] = y[::1000]
    assert metrics.g_mean(y, y_pred) == pytest.approx(0.001, rel=1e-9)


def test_a_class_that_nobody_has_is_unknown_and_does_not_count():
    assert np.isnan(metrics.recalls([0, 0], [0, 1])[1])
    assert np.isnan(metrics.precisions([0, 1], [0, 0])[1])
    assert metrics.balanced_accuracy([0, 0], [0, 1]) == 0.5
    assert np.isnan(metrics.ClassRates(3).g_mean)
    assert np.isnan(metrics.ClassRates(3).recalls).all()


def test_the_recall_of_a_class_that_is_long_gone_stays():
    y = np.r_[[1, 1], np.zeros(50_000, int)]
    recalls = metrics.recalls(y, np.r_[[1], np.zeros(50_001, int)], alpha=0.9)
    np.testing.assert_allclose(recalls[-1], [1, 0.9 / 1.9], rtol=1e-9)


@second_opinion(
    "brute force",
    "metrics.recalls metrics.precisions metrics.balanced_accuracy metrics.g_mean",
)
@every_rate
@every_memory
def test_a_curve_is_the_measure_of_weighted_steps(rate, memory):
    """By definition, from all steps so far, weighted by their age."""
    y, y_pred = Y[:120], Y_PRED[:120]
    curve = rate(y, y_pred, **memory)
    for i in (0, 1, 7, 41, 119):
        age = i - np.arange(i + 1.0)
        w = memory.get("alpha", 1.0) ** age * (age < memory.get("window", np.inf))
        a, b = (y_pred, y) if rate is metrics.precisions else (y, y_pred)
        a, b = a[: i + 1], b[: i + 1]
        hits, totals = ([(w * (a == c) * right).sum() for c in range(4)] for right in (a == b, 1))
        with np.errstate(invalid="ignore"):
            expected = np.array(hits) / np.array(totals)
        if rate is metrics.balanced_accuracy:
            expected = np.nanmean(expected)
        elif rate is metrics.g_mean:
            expected = np.prod(expected[~np.isnan(expected)]) ** (1 / np.sum(np.array(totals) > 0))
        np.testing.assert_allclose(curve[i], expected, rtol=1e-9, atol=1e-12)


@second_opinion("array form", "metrics.ClassRates")
@every_memory
@given(pairs)
def test_the_online_rates_are_the_curves(memory, steps):
    y, y_pred = np.array(steps).T
    online = metrics.ClassRates(4, **memory)
    each = [metrics.recalls, metrics.precisions]
    rows = [f(y, y_pred, **memory, n_classes=4) for f in each]
    means = [f(y, y_pred, **memory) for f in (metrics.balanced_accuracy, metrics.g_mean)]
    for i, step in enumerate(steps):
        assert online.update(*step) is None
        np.testing.assert_allclose([online.recalls, online.precisions], [r[i] for r in rows])
        np.testing.assert_allclose([online.balanced_accuracy, online.g_mean], [m[i] for m in means])


@given(pairs)
def test_the_end_of_a_curve_is_the_number_of_the_stream(steps):
    y, y_pred = np.array(steps).T
    for rate in RATES:
        np.testing.assert_allclose(rate(y, y_pred, alpha=1)[-1], rate(y, y_pred), rtol=1e-12)


# --- areas


@second_opinion("scikit-learn", "metrics.roc_auc metrics.pr_auc")
def test_areas_are_those_of_scikit_learn():
    assert metrics.roc_auc(LABEL, SCORE) == pytest.approx(sk.roc_auc_score(LABEL, SCORE))
    assert metrics.pr_auc(LABEL, SCORE) == pytest.approx(sk.average_precision_score(LABEL, SCORE))


@second_opinion("river", "metrics.roc_auc")
def test_the_windowed_area_is_that_of_river():
    """Of different scores: of pairs with equal ones river counts some as right, not half."""
    score = LABEL + RNG.normal(size=LABEL.size)
    other, curve = river_metrics.RollingROCAUC(window_size=50), metrics.roc_auc(LABEL, score, 50)
    for i, (y, s) in enumerate(zip(LABEL.tolist(), score.tolist(), strict=True)):
        other.update(y, s)
        if np.isfinite(curve[i]):
            assert curve[i] == pytest.approx(other.get())


@second_opinion("array form", "metrics.RankingAreas")
@given(scored, st.integers(1, 12))
def test_the_online_areas_are_the_curves_and_the_numbers_of_each_window(steps, window):
    y, score = (np.array(column) for column in zip(*steps, strict=True))
    online, whole = metrics.RankingAreas(window), metrics.RankingAreas()
    roc, pr = (f(y, score, window) for f in (metrics.roc_auc, metrics.pr_auc))
    for i, step in enumerate(steps):
        assert online.update(*step) is None
        whole.update(*step)
        part = slice(max(0, i + 1 - window), i + 1)
        for curve, f, name in ((roc, metrics.roc_auc, "roc_auc"), (pr, metrics.pr_auc, "pr_auc")):
            np.testing.assert_equal(curve[i], f(y[part], score[part]))
            np.testing.assert_equal(curve[i], getattr(online, name))
            np.testing.assert_equal(getattr(whole, name), f(y[: i + 1], score[: i + 1]))


@second_opinion("enumeration", "metrics.roc_auc")
@given(scored)
def test_the_area_counts_the_pairs_in_order(steps):
    y, score = (np.array(column) for column in zip(*steps, strict=True))
    ones, zeros = score[y == 1], score[y == 0]
    right = [(a > b) + (a == b) / 2 for a in ones for b in zeros]
    np.testing.assert_allclose(metrics.roc_auc(y, score), np.mean(right) if right else np.nan)
    if right:
        np.testing.assert_allclose(metrics.roc_auc(y, -score), 1 - np.mean(right), atol=1e-12)


# --- losses of probabilities


@second_opinion("scikit-learn", "metrics.brier_loss metrics.log_loss")
def test_losses_of_probabilities_are_those_of_scikit_learn():
    p = RNG.dirichlet([1, 1, 1], 300)
    y = RNG.integers(0, 3, 300)
    assert metrics.log_loss(y, p).mean() == pytest.approx(sk.log_loss(y, p, labels=[0, 1, 2]))
    binary, q = y % 2, p[:, 1]
    expected = sk.brier_score_loss(binary, q)
    assert metrics.brier_loss(binary, q).mean() == pytest.approx(expected)
    assert metrics.log_loss(binary, q).mean() == pytest.approx(sk.log_loss(binary, q))


@pytest.mark.parametrize("loss", [metrics.brier_loss, metrics.log_loss])
def test_the_form_for_two_classes_is_that_for_several(loss):
    y, p = RNG.integers(0, 2, 200), RNG.random(200)
    np.testing.assert_allclose(loss(y, p), loss(y, np.column_stack([1 - p, p])), atol=1e-12)


@pytest.mark.parametrize("loss", [metrics.brier_loss, metrics.log_loss])
@given(st.floats(0.01, 0.99), st.floats(0, 1))
def test_no_forecast_has_a_smaller_expected_loss_than_the_truth(loss, truth, forecast):
    at = {q: (1 - truth) * loss([0], [q])[0] + truth * loss([1], [q])[0] for q in (truth, forecast)}
    assert at[truth] <= at[forecast] + 1e-12


def test_an_impossible_label_costs_what_the_bound_says():
    assert metrics.log_loss([1], [0.0])[0] == pytest.approx(52 * np.log(2))
    assert metrics.log_loss([1], [0.0], smallest=0.01)[0] == pytest.approx(np.log(100))
    assert str(metrics.log_loss([1], [1.0])[0]) == "0.0"


# --- calibration


@second_opinion("scikit-learn", "metrics.calibration")
def test_bins_are_those_of_scikit_learn():
    from sklearn.calibration import calibration_curve

    p = RNG.random(2000)
    y = (RNG.random(2000) < p**2).astype(int)
    share, mean = calibration_curve(y, p, n_bins=10)
    frame = metrics.calibration(y, p).frame
    np.testing.assert_allclose(frame["share"], share)
    np.testing.assert_allclose(frame["probability"], mean)
    counts = frame["examples"].to_numpy()
    expected = np.sum(counts * np.abs(share - mean)) / counts.sum()
    assert metrics.calibration(y, p).expected_error == pytest.approx(expected)


@second_opinion("simulation", "metrics.calibration")
def test_right_probabilities_are_rejected_as_rarely_as_promised():
    """In 2000 streams with states that last 20 examples; the level is 5 %."""
    rejected = 0
    for _ in range(2000):
        p = np.repeat(RNG.beta(2, 3, 100), 20)
        rejected += metrics.calibration(RNG.random(2000) < p, p).p_value <= 0.05
    assert rejected / 2000 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.parametrize("kind", ["equal", "uniform", "skewed"])
@pytest.mark.parametrize("events", [0.2, 1, 5, 20])
def test_right_probabilities_of_rare_events_are_rejected_as_rarely(events, kind):
    """Where nothing occurs, or once, the spread of what occurs says little of its error."""
    rng, n, rejected = np.random.default_rng(5), 1000, 0
    for _ in range(200):
        shape = {"equal": np.ones(n), "uniform": rng.random(n), "skewed": rng.beta(0.3, 3, n)}
        p = shape[kind] / shape[kind].sum() * events
        rejected += metrics.calibration(rng.random(n) < p, p).p_value <= 0.05
    assert rejected <= 18  # of 200 at 5 %; more with a probability of .5 %


def test_probabilities_of_rare_events_that_are_ten_times_too_high_are_told():
    rng = np.random.default_rng(6)
    p = 0.02 * rng.random(5000)
    result = metrics.calibration(rng.random(5000) < p / 10, p)
    assert result.gap_p_value < 0.01
    assert result.gap > 0


@pytest.mark.parametrize(
    ("distort", "gap", "slope"),
    [
        (lambda p: np.clip(p + 0.1, 0, 1), 1, None),
        (lambda p: 0.5 + (p - 0.5) * 0.5, None, 1),
        (lambda p: np.clip(0.5 + (p - 0.5) * 1.6, 0, 1), None, -1),
    ],
    ids=["too high", "too timid", "too extreme"],
)
def test_wrong_probabilities_are_told_with_their_direction(distort, gap, slope):
    p = RNG.beta(3, 3, 5000)
    result = metrics.calibration(RNG.random(5000) < p, distort(p))
    assert result.p_value < 0.01
    assert result.p_value == min(result.gap_p_value, result.slope_p_value)
    assert gap is None or result.gap_p_value < 0.01
    assert slope is None or result.slope_p_value < 0.01
    assert gap is None or np.sign(result.gap) == gap
    assert slope is None or np.sign(result.slope - 1) == slope


def test_several_classes_are_calibrated_if_the_confidence_is():
    p = RNG.dirichlet([1, 1, 1], 5000)
    y = (p.cumsum(axis=1) < RNG.random(5000)[:, None]).sum(axis=1)
    assert metrics.calibration(y, p).p_value > 0.01
    sharper = p**2 / (p**2).sum(axis=1, keepdims=True)
    assert metrics.calibration(y, sharper).p_value < 0.01


def test_one_example_has_no_p_value():
    result = metrics.calibration([1], [0.2])
    assert np.isnan([result.p_value, result.gap_p_value, result.slope_p_value]).all()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.93])
@pytest.mark.parametrize("n", [7, 100, 879, 3000])
def test_certain_predictions_are_right_if_all_come_true_and_wrong_if_none_does(n, share):
    """Nothing is left to chance, so there is no spread but that of rounding."""
    y = np.arange(n) < max(1, int(share * n))
    for order in (y, np.random.default_rng(n).permutation(y)):
        right, wrong = (metrics.calibration(order, p) for p in (order * 1.0, 1.0 - order))
        assert (right.p_value, right.gap_p_value, right.slope_p_value) == (1, 1, 1)
        assert (wrong.p_value, round(wrong.slope, 9)) == (0, -1)
    assert metrics.calibration(np.ones(n, int), np.zeros(n)).p_value == 0
    assert metrics.calibration(np.ones(n, int), np.ones(n)).p_value == 1


def test_equal_probabilities_have_no_slope():
    result = metrics.calibration([0, 1] * 500, np.full(1000, 0.5))
    assert (result.gap, result.p_value) == (0.0, 1.0)
    assert np.isnan([result.slope, result.slope_standard_error]).all()
    assert metrics.calibration([0, 1] * 500, np.full(1000, 0.9)).p_value < 0.01


# --- standard errors along a stream


@second_opinion("simulation", "metrics.block_standard_error")
def test_blocks_see_the_dependence_of_the_steps():
    """An AR(1) series: its mean has the closed-form standard error (1 + rho) / (1 - rho)."""
    from scipy.signal import lfilter

    n, rho = 200_000, 0.9
    x = lfilter([1], [1, -rho], RNG.normal(size=n))
    expected = 1 / (1 - rho) / np.sqrt(n)
    assert metrics.block_standard_error(x - x.mean()) == pytest.approx(expected, rel=0.15)
    alone = metrics.block_standard_error(x - x.mean(), block=1)
    assert alone == pytest.approx(x.std() / np.sqrt(n))


@second_opinion("closed form", "metrics.ratio_influence")
def test_the_influence_of_a_ratio_is_its_derivative():
    a, b = RNG.random(50), RNG.random(50) + 0.5
    influence = metrics.ratio_influence(a, b)
    for t in (0, 13, 49):
        w = np.ones(50)
        w[t] += 1e-6
        change = (w @ a / (w @ b) - a.sum() / b.sum()) / 1e-6
        assert 50 * change == pytest.approx(influence[t], abs=1e-4)
    assert influence.sum() == pytest.approx(0, abs=1e-9)


# --- what is refused


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.recalls([0, 1], [0]), "y_pred must be as long as y, 2; got 1"),
        (lambda: metrics.recalls([0, 3], [0, 0], n_classes=3), r"labels 0\.\.2.*got 3"),
        (lambda: metrics.recalls([10**7], [0]), "labels below 1000000"),
        (lambda: metrics.g_mean([0], [0], alpha=2), r"alpha must lie in \(0, 1\]; got 2"),
        (lambda: metrics.ClassRates(2).update(2, 0), r"y must lie in 0\.\.1; got 2"),
        (lambda: metrics.roc_auc([0, 2], [0.0, 1.0]), r"labels 0\.\.1.*got 2"),
        (lambda: metrics.roc_auc([0, 1], [0.0]), "score must be as long as y, 2; got 1"),
        (lambda: metrics.roc_auc([0, 1], [0.0, np.inf]), "score must be finite"),
        (lambda: metrics.pr_auc([0, 1], [0.0, 1.0], window=0), "window must be"),
        (lambda: metrics.brier_loss([0], [1.5]), r"proba must lie in \[0, 1\]; got 1.5"),
        (lambda: metrics.log_loss([0], [[0.5, 0.4]]), "proba must sum to 1 in each row; got 0.9"),
        (lambda: metrics.log_loss([0, 1], [0.5]), "proba must be as long as y, 2; got 1"),
        (lambda: metrics.log_loss([2], [[0.5, 0.5]]), r"labels 0\.\.1.*got 2"),
        (lambda: metrics.log_loss([0], [0.5], smallest=0), "smallest must lie"),
        (lambda: metrics.calibration([0], [0.5], bins=0), "bins must be"),
        (lambda: metrics.block_standard_error([np.nan]), "influence must be finite"),
        (lambda: metrics.ratio_influence([1.0], [0.0]), "denominator must have a sum"),
        (lambda: metrics.ratio_influence([1.0], [1.0, 2.0]), "denominator must be as long"),
    ],
)
def test_what_is_no_stream_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_p_value_of_a_gap_is_students_with_the_blocks_less_one():
    """The probabilities are all equal: then the gap alone is tested."""
    y = np.random.default_rng(0).random(300) < 0.6
    result = metrics.calibration(y, np.full(300, 0.5))
    block = metrics.default_block(0.5 - y - (0.5 - y.mean()), 300)
    expected = 2 * stats.t.sf(abs(result.gap) / result.gap_standard_error, -(-300 // block) - 1)
    assert result.p_value == result.gap_p_value == pytest.approx(expected)
