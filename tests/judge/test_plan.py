"""Plans against simulation and against another implementation of power."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy import integrate
from scipy.stats import chi, norm, t, ttest_1samp

from repro import learners, prequential
from repro.judge import plan
from repro.seeds import generator
from repro.statistics import compare_anytime, paired_power, told_apart
from repro.statistics.power import ResampledTests
from repro.streams import SEA

COINS = (generator(1, "plan").random((2, 60, 1000)) < 0.2).astype(float)


@second_opinion("simulation", "statistics.paired_power")
@pytest.mark.parametrize(("effect", "seeds"), [(0.0, 5), (0.5, 10), (1.0, 10), (0.3, 80)])
def test_power_is_that_of_simulated_tests(effect, seeds):
    rng = generator(2, "power", str(effect))
    values = effect + rng.normal(size=(20_000, seeds))
    share = (ttest_1samp(values, 0, axis=1).pvalue < 0.05).mean()
    assert paired_power(effect, 1.0, seeds) == pytest.approx(share, abs=0.01)


@second_opinion("closed form", "statistics.paired_power")
@pytest.mark.parametrize("seeds", [2, 3, 4, 11])
def test_power_is_the_integral_over_the_estimated_deviation(seeds):
    """Also where the series of scipy ends on the far side: with two seeds at a power of .44."""
    df, bound = seeds - 1, t.isf(0.025, seeds - 1)

    def rejects(w, shift):
        tails = norm.sf(bound * w - shift) + norm.cdf(-bound * w - shift)
        return tails * chi.pdf(w * np.sqrt(df), df) * np.sqrt(df)

    for shift in (0.0, 2.0, 7.0, 9.0, 15.0, 40.0):
        middle = (shift + 8) / bound
        whole = sum(
            integrate.quad(rejects, *ends, args=(shift,), limit=300)[0]
            for ends in ((0, middle), (middle, np.inf))
        )
        for effect in (shift, -shift):
            found = paired_power(effect / np.sqrt(seeds), 1.0, seeds)
            assert found == pytest.approx(whole, abs=1e-6)


def test_power_at_the_edges():
    assert paired_power(1.0, 1.0, 1) == 0
    assert paired_power(1.0, 0.0, 5) == 1
    assert paired_power(0.0, 0.0, 5) == 0
    assert paired_power(1e6, 1.0, 10_000) == 1


def test_the_planned_seeds_are_the_fewest_that_reach_the_power():
    found = plan(0.01, COINS)
    assert found.power_of(found.seeds) >= 0.8 > found.power_of(found.seeds - 1)
    low, high = found.seeds_between
    assert low < found.seeds < high


def test_the_planned_power_is_that_of_tests_on_runs_of_the_pilot():
    short = (generator(5, "short").random((2, 2000, 100)) < 0.2).astype(float)
    found = plan(0.03, short)
    means = (short[0] - short[1]).mean(axis=1)
    moved = means - means.mean() + 0.03
    rng = generator(3, "choices")
    chosen = rng.integers(len(moved), size=(20_000, found.seeds))
    share = (ttest_1samp(moved[chosen], 0, axis=1).pvalue < 0.05).mean()
    assert found.power_of(found.seeds) == pytest.approx(share, abs=0.02)


@second_opinion("closed form", "statistics.ResampledTests")
def test_resamples_of_normal_runs_have_the_power_of_the_formula():
    tests = ResampledTests(generator(6, "normal").normal(size=3000), generator(7, "resamples"))
    for effect, seeds in ((0.8, 15), (0.4, 52), (0.0, 20)):
        assert tests.power(effect, seeds) == pytest.approx(
            paired_power(effect, 1.0, seeds), abs=0.02
        )
    assert tests.power(0.8, 1) == 0
    assert tests.powers(0.8)[15 - 2] == tests.power(0.8, 15)


def test_the_power_of_skewed_runs_is_that_of_fresh_ones():
    """Exponential differences: the formula for normal ones is five points off."""
    rng = generator(8, "skewed")
    tests = ResampledTests(rng.exponential(size=3000), generator(9, "resamples"))
    fresh = rng.exponential(size=(20_000, 15)) - 1 + 0.8
    share = (ttest_1samp(fresh, 0, axis=1).pvalue < 0.05).mean()
    assert tests.power(0.8, 15) == pytest.approx(share, abs=0.02)
    assert abs(paired_power(0.8, 1.0, 15) - share) > 0.04


@pytest.mark.parametrize("effect", [0.3, 0.03, 0.008, 0.002])
def test_planned_seeds_reach_the_power_on_both_sides_of_the_resamples(effect):
    found = plan(effect, COINS)
    assert found.power_of(found.seeds) >= 0.8
    assert found.seeds == 2 or found.power_of(found.seeds - 1) < 0.8


def test_few_runs_are_taken_as_normal():
    few = plan(0.05, COINS[:, :2])
    assert few.power_of(10) == paired_power(0.05, few.deviation, 10)
    assert few.power_of(few.seeds) >= 0.8
    assert plan(few.visible, COINS[:, :2]).power_of(2) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.power_of("a"), "seeds must be a whole number >= 0; got 'a'"),
        (lambda p: p.power_of(2.5), "seeds must be a whole number >= 0; got 2.5"),
        (lambda p: p.told(0.1, 0), "most must be a whole number >= 1; got 0"),
        (lambda p: p.moved("a"), "effect must be finite; got 'a'"),
        (
            lambda p: ResampledTests([1.0], generator(0, "r")),
            "differences must be finite numbers o",
        ),
        (
            lambda p: ResampledTests([1.0, 2.0], generator(0, "r")).power(1, 201),
            "seeds must .* 200",
        ),
    ],
)
def test_wrong_questions_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(plan(0.05, COINS))


def test_power_does_not_depend_on_the_unit():
    runs = generator(10, "unit").exponential(size=50)
    plain, large = (ResampledTests(u * runs, generator(11, "r")) for u in (1.0, 2.0**1000))
    assert plain.power(0.8, 15) == large.power(0.8 * 2.0**1000, 15)


def test_what_is_visible_is_seen_with_the_wanted_power():
    found = plan(0.01, COINS)
    again = plan(found.visible, COINS)
    assert again.power_of(60) == pytest.approx(0.8, abs=2e-4)  # of 10 000 resamples
    assert found.told(found.visible_in_one, found.n).iloc[-1] >= 0.8
    assert found.told(0.97 * found.visible_in_one, found.n).iloc[-1] < 0.8


def test_one_stream_is_told_apart_as_fresh_streams_are():
    found = plan(0.05, COINS)
    rng = generator(4, "fresh")
    u = rng.random((400, 4000))
    a, b = u < 0.25, (u >= 0.25) & (u < 0.45)  # each errs alone, and A by .05 more often
    alone = found.differences.any()  # the pilot's pairs have discordant examples, too
    assert alone
    pilot = np.stack([a[:200], b[:200]]).astype(float)
    planned = plan(0.05, pilot).told(0.05, 4000)
    told = told_apart(a[200:].astype(float) - b[200:], planned.index.to_numpy())
    assert np.abs(planned.to_numpy() - told.mean(axis=0)).max() < 0.12  # 200 streams, 3 s.e.


@second_opinion("another definition", "statistics.told_apart")
def test_looks_at_all_examples_tell_apart_where_compare_anytime_does():
    a, b = COINS[0, 0], 0.5 * COINS[1, 0]
    told = told_apart(a - b, np.arange(1, a.size + 1))
    first = compare_anytime(a, b).first
    assert first is not None
    assert int(told.argmax()) == first


def test_drift_of_the_difference_does_not_count_as_the_effect():
    """B is better by .5 first and worse by .5 then: a difference of .01 takes long all the same."""
    turns = np.repeat([0.0, 0.5], 500) * np.ones((60, 1))
    drifting = np.stack([turns, 0.5 - turns]) + 0.5 * COINS
    steady = plan(0.01, 0.5 * COINS)
    found = plan(0.01, drifting)
    assert found.deviation == pytest.approx(steady.deviation)
    assert abs(found.told(0.1, 1000).iloc[-1] - steady.told(0.1, 1000).iloc[-1]) < 0.1


def test_a_stream_runs_both_learners_on_its_draws():
    two = learners.NaiveBayes(), learners.Majority()
    found = plan(0.01, SEA(n=300), two, 3)
    losses = [[prequential(m, SEA(n=300).sample(k), k).loss for k in range(3)] for m in two]
    np.testing.assert_array_equal(found.differences, np.subtract(*losses))


def test_the_words_have_the_numbers_of_the_plan():
    found = plan(0.01, COINS)
    assert f"{found.seeds} seeds ({found.seeds_between[0]} to {found.seeds_between[1]}" in str(
        found
    )
    assert "a difference of 1 points with power 0.8" in str(found)
    hopeless = plan(1e-6, COINS)
    assert hopeless.seeds is None
    assert "more than 10000 seeds of 1000 examples" in str(hopeless)
    assert "shows it not within 10000 examples" in str(hopeless)


def test_both_panels_are_drawn():
    titles = [ax.get_title() for ax in plan(0.05, COINS).plot()]
    assert titles == ["a) paired test over seeds", "b) one stream, any time"]


def test_runs_that_differ_equally_are_no_pilot():
    """Two short runs often do so by chance; a plan of two seeds would be too sure."""
    a = np.array([[1, 0, 1, 0], [0, 0, 1, 1]])
    with pytest.raises(ValueError, match=r"runs that differ.*difference is 0.25 in all 2"):
        plan(0.01, (a, np.array([[1, 0, 0, 0], [0, 0, 0, 1]])))
    with pytest.raises(ValueError, match=r"runs that differ.*difference is 0 in all 60"):
        plan(0.01, np.stack([COINS[0], COINS[0]]))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, COINS), ValueError, "effect must be finite and > 0; got 0"),
        ((0.1, COINS[:1]), ValueError, r"pilot must be a stream, or a pair"),
        ((0.1, COINS[:, :1]), ValueError, r"at least two runs; got \(1, 1000\)"),
        (
            (0.1, (COINS[0], COINS[1, :, :9])),
            ValueError,
            r"one shape .*got \(60, 1000\) and \(60, 9",
        ),
        ((0.1, 2 * COINS), ValueError, r"pilot\[0\] must lie in \[0, 1\]; got 2"),
        ((0.1, 1j * COINS), ValueError, r"pilot\[0\] must hold numbers; got"),
        ((0.1, 7), ValueError, "pilot must be a stream, or a pair .*; got 7"),
        ((0.1, SEA()), TypeError, "learners must be two, for a pilot that is a stream; got None"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        plan(*arguments)


@pytest.mark.parametrize("name", ["power", "confidence"])
def test_shares_lie_inside_the_unit_interval(name):
    with pytest.raises(ValueError, match=rf"{name} must lie in \(0, 1\); got 1"):
        plan(0.1, COINS, **{name: 1.0})
