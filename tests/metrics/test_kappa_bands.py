"""Bands, standard errors and advice for kappas: enumeration, simulation and known formulas."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from opinions import second_opinion
from scipy.signal import lfilter

from repro import learners, metrics, prequential, seeds
from repro.metrics.advice import _chance_error
from repro.metrics.label_dependence import _skewness
from repro.streams import Stream

NAMES = ["kappa", "kappa_majority", "kappa_temporal", "kappa_combined"]
every_name = pytest.mark.parametrize("name", NAMES)


def chain(n, stay, k, rng):
    """Return labels that repeat with probability `stay`, and else change to another class."""
    moves = rng.integers(1, k, n) * (rng.random(n) >= stay)
    return (rng.integers(k) + np.cumsum(moves)) % k


def independent(n, rng):
    y = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    return y, np.where(rng.random(n) < 0.6, y, rng.integers(0, 3, n))


def dependent(n, rng, stay=0.9, accuracy=0.93):
    """Return a chain of two classes, with errors in stretches of about forty steps."""
    y = chain(n, stay, 2, rng)
    bad = chain(n, 0.975, 2, rng)
    return y, np.where(rng.random(n) < (1 - accuracy) * 2 * bad, 1 - y, y)


# --- standard error


def fleiss(y, y_pred):
    """The large-sample standard error of Fleiss, Cohen and Everitt (1969)."""
    p = np.zeros((3, 3))
    np.add.at(p, (y, y_pred), 1 / y.size)
    a, b = p.sum(axis=1), p.sum(axis=0)
    p_e, kappa = a @ b, (np.trace(p) - a @ b) / (1 - a @ b)
    on = sum(p[i, i] * (1 - (a[i] + b[i]) * (1 - kappa)) ** 2 for i in range(3))
    pairs = itertools.permutations(range(3), 2)
    off = (1 - kappa) ** 2 * sum(p[i, j] * (b[i] + a[j]) ** 2 for i, j in pairs)
    rest = (kappa - p_e * (1 - kappa)) ** 2
    return np.sqrt((on + off - rest) / y.size) / (1 - p_e)


@second_opinion("closed form", "metrics.kappa_standard_error")
def test_with_blocks_of_one_step_the_standard_error_is_that_of_fleiss():
    y, y_pred = independent(700, seeds.generator(1))
    expected = fleiss(y, y_pred)
    got = metrics.kappa_standard_error(y, y_pred, "kappa", block=1)
    assert got == pytest.approx(expected, rel=1e-10)


@second_opinion("simulation", "metrics.kappa_standard_error")
@every_name
def test_the_standard_error_is_the_deviation_over_many_streams(name):
    """The standard error for independent steps differs, since these steps are dependent."""
    values, errors, naive = [], [], []
    for rng in seeds.spawn(3, 300):
        y, y_pred = dependent(4000, rng)
        values.append(getattr(metrics, name)(y, y_pred))
        errors.append(metrics.kappa_standard_error(y, y_pred, name))
        naive.append(metrics.kappa_standard_error(y, y_pred, name, block=1))
    deviation = np.std(values)
    assert np.mean(errors) == pytest.approx(deviation, rel=0.2)
    assert np.mean(naive) < 0.65 * deviation


@second_opinion("another definition", "metrics.kappa_band")
@every_name
@pytest.mark.parametrize("block", [1, 13])
def test_the_band_has_the_standard_error_of_the_formula(name, block):
    y, y_pred = dependent(5000, seeds.generator(2))
    row = metrics.kappa_band(
        y, y_pred, name, seeds.generator(3), block=block, n_resamples=2000
    ).iloc[0]
    expected = metrics.kappa_standard_error(y, y_pred, name, block=block)
    assert row["standard_error"] == pytest.approx(expected, rel=0.1)
    assert row["value"] == getattr(metrics, name)(y, y_pred)
    half = (row["high"] - row["low"]) / 2
    assert half == pytest.approx(1.96 * expected, rel=0.12)


# --- bands


@every_name
@pytest.mark.parametrize("memory", [{"alpha": 1.0}, {"alpha": 0.99}, {"window": 200}], ids=str)
def test_the_middle_of_a_band_is_the_curve_and_the_same_seed_gives_the_same_band(name, memory):
    y, y_pred = dependent(1500, seeds.generator(4))
    arguments = y, y_pred, name
    band, again = (
        metrics.kappa_band(*arguments, seeds.generator(5), **memory, n_resamples=50, points=70)
        for _ in range(2)
    )
    assert band.equals(again)
    assert len(band) == 70
    assert (band.index[0], band.index[-1]) == (0, 1499)
    curve = getattr(metrics, name)(y, y_pred, **memory)
    np.testing.assert_allclose(band["value"], curve[band.index], rtol=1e-9, atol=1e-12)
    known = band.dropna()
    assert len(known) > 60
    assert (known["low"] <= known["high"]).all()


@second_opinion("simulation", "metrics.kappa_band")
@pytest.mark.parametrize("memory", [{}, {"window": 1500}, {"alpha": 0.999}], ids=str)
def test_bands_cover_the_true_value_about_as_often_as_they_say(memory):
    """The chain changes in a tenth of the steps and 7 in 100 are missed: the truth is 0.3."""
    covered = []
    for rng in seeds.spawn(6, 150):
        y, y_pred = dependent(4000, rng)
        row = metrics.kappa_band(
            y,
            y_pred,
            "kappa_temporal",
            rng,
            **memory,
            n_resamples=100,
            points=1 if not memory else 2,
        ).iloc[-1]
        covered.append(row["low"] <= 0.3 <= row["high"])
    assert 0.82 < np.mean(covered) < 0.99


def test_the_band_is_nan_where_the_measure_is_nan():
    band = metrics.kappa_band([1] * 30, [1] * 30, "kappa", seeds.generator(1), alpha=0.9)
    assert band.isna().all(axis=None)
    assert len(band) == 30
    assert np.isnan(metrics.kappa_standard_error([1] * 30, [1] * 30, "kappa_combined"))
    assert np.isnan(metrics.kappa_standard_error([1], [1], "kappa_temporal"))


def test_the_standard_error_is_0_where_the_combined_measure_is_cut_off():
    y = np.arange(60) // 10 % 2
    assert metrics.kappa_standard_error(y, 1 - y, "kappa_combined") == 0.0


# --- length of blocks


@second_opinion("closed form", "metrics.block_length")
@pytest.mark.parametrize("rho", [0.3, 0.6, 0.9])
def test_block_length_of_an_autoregressive_series_is_the_closed_form(rho):
    """b = (6 rho^2 / (1 - rho^2)^2)^(1/3) n^(1/3)."""
    n = 50_000
    expected = np.cbrt(6 * rho**2 / (1 - rho**2) ** 2 * n)
    lengths = [
        metrics.block_length(lfilter([1], [1, -rho], rng.normal(size=n)))
        for rng in seeds.spawn(7, 20)
    ]
    assert np.mean(lengths) == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("size", [1e150, 1e-150, 1e-200, 1e306, 2.0**-1060, -3.7])
def test_block_length_does_not_depend_on_the_unit(size):
    series = np.cumsum(np.random.default_rng(8).normal(size=300))
    once = metrics.block_length(series)
    assert once > 10
    assert metrics.block_length(series * size) == once
    assert metrics.block_length(series + 1e6) == once


def test_blocks_as_long_as_all_steps_or_longer_are_one_block():
    y = np.arange(200) // 7 % 2
    y_pred = np.roll(y, 3)
    for measure in ("kappa", "kappa_temporal"):
        whole = metrics.kappa_standard_error(y, y_pred, measure, block=200)
        assert metrics.kappa_standard_error(y, y_pred, measure, block=2**70) == whole
        band = metrics.kappa_band(y, y_pred, measure, np.random.default_rng(1), block=2**70)
        assert np.isfinite(band.to_numpy()).all()


def test_block_length_at_its_ends():
    rng = seeds.generator(8)
    assert metrics.block_length(rng.random(5000)) < 8
    assert metrics.block_length(np.ones(100)) == 1
    assert metrics.block_length([0, 1, 0]) == 1
    assert metrics.block_length(np.arange(10**5) // 50_000) == 949  # 3 sqrt(n)
    assert metrics.block_length(np.arange(100) % 2) >= 1


# --- dependence of labels


@second_opinion("enumeration", "metrics.label_dependence")
@pytest.mark.parametrize("counts", [(3, 3), (2, 2, 2), (5, 2), (2, 2, 3), (1, 2), (6, 1)])
def test_expected_persistence_is_exact_over_all_orders(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    orders = np.array(sorted(set(itertools.permutations(y))))
    same = np.mean(orders[:, 1:] == orders[:, :-1], axis=1)
    got = metrics.label_dependence(orders[0])
    assert got.p_per == same[0]
    assert got.expected == pytest.approx(same.mean())
    assert got.standard_error == pytest.approx(same.std())
    assert got.z == pytest.approx((same[0] - same.mean()) / same.std())
    skewness = np.mean((same - same.mean()) ** 3) / same.std() ** 3
    pairs = len(y) - 1
    assert _skewness(list(counts), same.std() * pairs) == pytest.approx(skewness, abs=1e-9)


@pytest.mark.parametrize("counts", [(2,), (4,), (7,), (10,), (40,), (5, 5, 5)])
def test_rare_labels_in_random_order_are_rarely_said_to_depend(counts):
    rng, told = np.random.default_rng(9), 0
    y = np.repeat(range(len(counts) + 1), (1000 - sum(counts), *counts))
    for _ in range(300):
        told += metrics.label_dependence(rng.permutation(y)).p_value < 0.01
    assert told <= 8  # of 300 at 1 %; more with a probability of .4 %


@second_opinion("simulation", "metrics.label_dependence")
def test_independent_labels_are_rejected_at_the_level():
    values = [
        metrics.label_dependence(independent(500, r)[0]).p_value for r in seeds.spawn(9, 2000)
    ]
    assert abs(np.mean(np.array(values) < 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 2000)
    assert metrics.label_dependence(chain(500, 0.8, 3, seeds.generator(1))).p_value < 1e-6
    assert metrics.label_dependence(np.arange(500) % 2).z < -20


def test_dependence_without_two_labels_to_compare_is_nan():
    assert np.isnan(metrics.label_dependence([0])).all()
    assert metrics.label_dependence([1, 1, 1])[:3] == (1.0, 1.0, 0.0)
    assert np.isnan(metrics.label_dependence([1, 1, 1]).z)


# --- advice


def streams():
    rng = seeds.generator(10)
    dependent_labels = chain(3000, 0.9, 3, rng)
    weak = np.where(rng.random(3000) < 0.95, 0, 1)
    weak[np.flatnonzero(weak[:-1])[::2] + 1] = 1  # the rare class comes in pairs at times
    cases = {
        "kappa_temporal": dependent_labels,
        "kappa": rng.permutation(dependent_labels),
        "kappa_combined": weak,
    }
    return {name: Stream(rng.random((3000, 1)), y) for name, y in cases.items()}


@pytest.mark.parametrize(("expected", "stream"), streams().items(), ids=str)
def test_no_baseline_beats_the_measure_that_is_advised(expected, stream):
    """On a measure not advised one of the two is above 0 wherever classes are unequal."""
    for learner in (learners.Majority(), learners.NoChange()):
        advice = metrics.kappa_advice(stream, prequential(learner, stream))
        assert advice.measure == expected
        meaningful = advice.frame[advice.frame["meaningful"]]
        assert meaningful.index[0] or len(meaningful) == 2
        assert (meaningful["value"] - 2.6 * meaningful["standard_error"] <= 1e-9).all()
        assert "is better than" not in advice.text


@pytest.mark.parametrize("expected", ["kappa", "kappa_temporal", "kappa_combined"])
def test_the_text_has_the_number_of_the_measure_that_it_advises(expected):
    y = streams()[expected].y
    y_pred = np.where(seeds.generator(3).random(y.size) < 0.8, y, 0)
    advice = metrics.kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred))
    value = getattr(metrics, expected)(y, y_pred)
    error = metrics.kappa_standard_error(y, y_pred, expected)
    assert advice.measure == expected
    assert f"Report {expected}: " in advice.text
    assert f"By it the run, {value:.4f} ± {error:.4f} (s.e.)," in advice.text
    others = [name for name in NAMES if f"{value:.4f}" == f"{advice.frame['value'][name]:.4f}"]
    assert others == [expected]


def test_no_change_has_a_high_kappa_where_labels_depend():
    stream = streams()["kappa_temporal"]
    advice = metrics.kappa_advice(stream, prequential(learners.NoChange(), stream))
    assert advice.frame.loc["kappa", "value"] > 0.8
    assert not advice.frame.loc["kappa", "meaningful"]
    assert "Not kappa (the no-change classifier is above 0)" in str(advice)


def test_the_frame_holds_the_measures_and_their_baselines():
    stream = streams()["kappa_temporal"]
    y, y_pred = stream.y, np.where(seeds.generator(2).random(3000) < 0.95, stream.y, 0)
    advice = metrics.kappa_advice(stream, SimpleNamespace(y_pred=y_pred))
    assert advice.frame.index.tolist() == NAMES
    for name, row in advice.frame.iterrows():
        assert row["value"] == getattr(metrics, name)(y, y_pred)
        assert row["standard_error"] == metrics.kappa_standard_error(y, y_pred, name)
        if name != "kappa_combined":
            p, p_b = row["accuracy"], row["baseline_accuracy"]
            assert row["value"] == pytest.approx((p - p_b) / (1 - p_b))
        assert row["why"]
    assert advice.frame["meaningful"].tolist() == [False, False, True, True]
    assert "is better than the previous label" in advice.text


@pytest.mark.parametrize("labels", [[1], [1] * 50])
def test_no_measure_is_meaningful_for_constant_labels(labels):
    advice = metrics.kappa_advice(SimpleNamespace(y=labels), SimpleNamespace(y_pred=labels))
    assert advice.measure == ""
    assert not advice.frame["meaningful"].any()
    assert "No measure is meaningful" in advice.text


def test_the_text_says_worse_no_better_or_cannot_be_told():
    rng = seeds.generator(11)
    y = chain(3000, 0.9, 2, rng)
    texts = [
        metrics.kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=p)).text
        for p in (1 - y, np.r_[0, y[:-1]])
    ]
    assert "is worse than the previous label" in texts[0]
    assert "cannot be told from the previous label" in texts[1]
    stream = streams()["kappa_combined"]
    advice = metrics.kappa_advice(stream, prequential(learners.Majority(), stream))
    assert "is no better than random order and the previous label" in advice.text


# --- arguments


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"measure": "accuracy"},
            "measure must be one of kappa, kappa_majority, .*; got 'accuracy'",
        ),
        ({"confidence": 1.0}, r"confidence must lie in \(0, 1\); got 1.0"),
        ({"block": 0}, "block must be a whole number >= 1; got 0"),
        ({"n_resamples": 1}, "n_resamples must be a whole number >= 2; got 1"),
        ({"points": 0}, "points must be a whole number >= 1; got 0"),
        ({"alpha": 0.9, "window": 3}, "only one of alpha and window must be given"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    options = {"measure": "kappa", "rng": seeds.generator(0), **options}
    with pytest.raises(ValueError, match=message):
        metrics.kappa_band([0, 1, 1], [0, 1, 0], **options)


def test_other_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="measure must be one of"):
        metrics.kappa_standard_error([0, 1], [0, 1], "p")
    with pytest.raises(ValueError, match="x must be finite; got nan at index 1"):
        metrics.block_length([0, np.nan])
    one = SimpleNamespace(y=[0, 1], y_pred=[0, 1])
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 0"):
        metrics.kappa_advice(one, one, level=0)


@pytest.mark.parametrize("share", [0.002, 0.01, 0.05, 0.3])
@pytest.mark.parametrize("count", [1, 3, 10, 30])
def test_random_predictions_of_a_rare_class_are_not_told_from_chance(count, share):
    """Without a hit the spread of the hits says nothing of the error of kappa."""
    rng, n, told = np.random.default_rng(7), 500, 0
    for _ in range(100):
        y = np.zeros(n, int)
        y[rng.choice(n, count, replace=False)] = 1
        p = (rng.random(n) < share).astype(int)
        text = metrics.kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=p)).text
        told += "is better than" in text or "is worse than" in text
    assert told <= 11  # of 100 at 5 %; more with a probability of .4 %


def test_the_error_of_kappa_by_chance_is_its_spread_over_random_orders():
    rng = np.random.default_rng(8)
    y, p = np.repeat([0, 0, 0, 1, 2], 4), np.repeat([0, 1, 2, 2, 1], 4)
    kappas = [metrics.kappa(y, rng.permutation(p)) for _ in range(4000)]
    assert _chance_error(y, p, 3) == pytest.approx(np.std(kappas), rel=0.05)
