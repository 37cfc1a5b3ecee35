"""How long examples depend: against chains and autoregressions whose dependence is known."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy import stats
from scipy.ndimage import median_filter

from repro import seeds
from repro.statistics import (
    correlation_time,
    cut_blocks,
    examples_needed,
    season,
    seasons,
    variance_inflation,
)
from repro.statistics.seasons import NEIGHBOURS
from repro.streams import LabelChain


def autoregression(phi, n, rng):
    values = np.empty(n)
    values[0], noise = rng.normal(), rng.normal(size=n) * (1 - phi**2) ** 0.5
    for t in range(1, n):
        values[t] = phi * values[t - 1] + noise[t]
    return values


@second_opinion("closed form", "statistics.correlation_time")
@pytest.mark.parametrize("no_change", [0.5, 0.8, 0.9, 0.95])
def test_correlation_time_of_a_chain_is_that_of_its_second_eigenvalue(no_change):
    """Of two equal classes it is (1 + r) / (1 - r) with r = 2 * no_change - 1."""
    chain = LabelChain.two_classes(0.5, no_change, n=40_000)
    r = 2 * no_change - 1
    found = np.mean([correlation_time(chain.sample(seed).y) for seed in range(5)])
    assert found == pytest.approx((1 + r) / (1 - r), rel=0.12)


@second_opinion("closed form", "statistics.correlation_time")
def test_correlation_time_of_numbers_is_that_of_an_autoregression():
    rng = seeds.generator(1, "test")
    found = np.mean([correlation_time(autoregression(0.8, 20_000, rng)) for _ in range(5)])
    assert found == pytest.approx(1.8 / 0.2, rel=0.12)


@pytest.mark.parametrize("unit", [5e-320, 1e-200, 1e-7, 3.0, 1e305])
def test_the_unit_of_numbers_does_not_change_their_correlation_time(unit):
    values = np.repeat(seeds.generator(3, "test").random(400), 10)
    found = correlation_time(unit * values)
    assert found == pytest.approx(correlation_time(values), rel=1e-2)
    assert found > 5


@pytest.mark.parametrize("value", [0.0, 0.1, 1e-300, 1e300])
def test_equal_numbers_do_not_depend_on_each_other(value):
    assert correlation_time(np.full(4000, value)) == 1


def test_a_sudden_drift_does_not_look_like_dependence():
    """Each half of 2 alternating labels is as good as independent; together they have a jump."""
    rng = seeds.generator(2, "test")
    y = np.concatenate([rng.random(5000) < 0.2, rng.random(5000) < 0.8]).astype(np.int64)
    assert correlation_time(y) < 2


@second_opinion("stated rule", "statistics.cut_blocks")
def test_blocks_are_separate_long_enough_and_whole_periods():
    blocks = cut_blocks(10_000, memory=20.0)
    assert blocks.length >= 5 * 20
    assert (blocks.starts[1:] - blocks.stops[:-1] == 20).all()
    assert blocks.stops[-1] <= 10_000
    blocks = cut_blocks(10_000, memory=20.0, seasons=[48], rng=seeds.generator(0, "test"))
    sizes = blocks.stops - blocks.starts
    assert {*sizes.tolist()} == {3 * 48}  # of 250 - 20 - 48: between blocks, and for chance
    assert (blocks.starts[1:] - blocks.stops[:-1] >= 20).all()
    assert blocks.stops[-1] <= 10_000
    few = cut_blocks(10_000, memory=20.0, seasons=[1100])  # nine seasons: no room for chance
    assert (few.n, few.length, few.starts[1]) == (9, 1100, 1120)


@second_opinion("known truth", "statistics.season")
@pytest.mark.parametrize("period", [7, 24, 48])
def test_a_season_is_found_in_persistent_labels(period):
    rng = seeds.generator(period, "test")
    level = autoregression(0.9, 9_600, rng) + np.sin(2 * np.pi * np.arange(9_600) / period)
    assert season((level > 0).astype(np.int64)) == period


def test_persistent_labels_without_a_season_have_none():
    found = [season(LabelChain.two_classes(0.6, 0.95).sample(seed).y) for seed in range(50)]
    assert found == [0] * 50


def test_running_medians_are_those_of_sorted_windows():
    """SciPy 1.15.0 reads memory that it has not set: a spectrum then had a season by chance."""
    for seed in range(20):
        power = seeds.generator(seed, "spectrum").exponential(size=1_000)
        around = np.pad(power, NEIGHBOURS // 2, mode="symmetric")
        windows = np.lib.stride_tricks.sliding_window_view(around, NEIGHBOURS)
        medians = median_filter(power, NEIGHBOURS, mode="reflect")
        np.testing.assert_array_equal(medians, np.median(windows, axis=1))


@second_opinion("known truth", "statistics.seasons")
@pytest.mark.parametrize("period", [7, 24, 168])
def test_seasons_of_numbers_and_of_their_spread_are_found(period):
    rng, t = seeds.generator(period, "numbers"), np.arange(9_600)
    wave = np.sin(2 * np.pi * t / period)
    assert seasons(autoregression(0.9, 9_600, rng) + wave) == (period,)
    assert seasons(np.exp(3 * wave) * rng.normal(size=9_600))[0] == period
    assert seasons(t % period, nominal=False) == (period,)
    assert seasons(t % period)[0] == period  # each value is one of several classes


def test_two_seasons_are_found_the_stronger_first():
    t, rng = np.arange(9_600), seeds.generator(5, "test")
    waves = 2 * np.sin(2 * np.pi * t / 24) + np.sin(2 * np.pi * t / 168)
    assert seasons(waves + rng.normal(size=9_600)) == (24, 168)


@pytest.mark.parametrize("seed", range(3))
def test_what_has_no_season_has_none(seed):
    """Trends, jumps, random walks and what remembers: their spectra fall steeply, without lines."""
    rng, t, n = seeds.generator(seed, "none"), np.arange(4_000), 4_000
    without = [1.0 * t, 1.0 * (t >= 2_000), 1.0 * (t > 1_234), np.sin(t / n), np.zeros(n), t[:5]]
    without += [np.cumsum(rng.normal(size=n)), autoregression(0.95, n, rng), rng.normal(size=n)]
    assert [seasons(1.0 * values) for values in without] == [()] * len(without)


def test_blocks_begin_at_independent_phases_of_all_seasons():
    """Of 2000 streams: the phases of block 3 are uniform, and say nothing of those of block 4."""
    lengths, rng, phases = (24, 90), seeds.generator(6, "test"), []
    for _ in range(2_000):
        blocks = cut_blocks(10_000, memory=5.0, seasons=lengths, rng=rng)
        assert len({*(blocks.stops - blocks.starts)}) == 1
        assert (blocks.starts[1:] - blocks.stops[:-1] >= 5).all()
        assert blocks.stops[-1] <= 10_000
        phases.append(blocks.starts[3:5])
    for length in lengths:
        third, fourth = np.array(phases).T % length
        assert stats.chisquare(np.bincount(third, minlength=length)).pvalue > 1e-3
        table = np.histogram2d(third, fourth, 6)[0]
        assert stats.chi2_contingency(table).pvalue > 1e-3


@second_opinion("closed form", "statistics.variance_inflation")
def test_inflation_of_chained_losses_is_their_correlation_time():
    """The variance of a mean of dependent values is the correlation time times the independent."""
    chain = LabelChain.two_classes(0.5, 0.9, n=40_000)
    found = [variance_inflation(chain.sample(s).y.astype(float), 9.0).value for s in range(20)]
    assert np.mean(found) == pytest.approx(9.0, rel=0.15)


@second_opinion("closed form", "statistics.examples_needed")
def test_examples_needed_give_the_precision_wanted():
    n = examples_needed(0.2, 0.01)
    rng = seeds.generator(9, "test")
    hits = abs(rng.binomial(n, 0.2, 4000) / n - 0.2) <= 0.01
    assert hits.mean() == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("largest", [1, 10**9, 2**62])
def test_codes_of_labels_may_be_of_any_size(largest):
    """They stand for classes: no room is made for the numbers below them."""
    y = np.tile(np.repeat([0, largest], 12), 100)
    assert season(y) == 24
    assert seasons(y) == (24,)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: correlation_time([]), "values must be a non-empty"),
        (lambda: cut_blocks(10, memory=11.0), "memory must be at most n, 10; got 11.0"),
        (lambda: season([0.5, 0.2]), "y must"),
        (lambda: seasons([[0.5, 0.2]]), "values must"),
        (lambda: seasons([0.5, np.nan]), "values must"),
        (lambda: seasons([1, 2], nominal=1), "nominal must be True or False"),
        (lambda: cut_blocks(999, 1.0, seasons=[0]), "seasons must be"),
        (lambda: cut_blocks(999, 1.0, seasons=9), "seasons must be lengths in examples; got 9"),
        (lambda: cut_blocks(9, 1.0, seasons=np.array(9)), r"lengths in examples; got array\(9\)"),
        (lambda: cut_blocks(999, 1.0, seasons=[9]), "rng must be a numpy.random.Generator"),
        (lambda: examples_needed(0.2, 0.0), "precision must be finite and > 0"),
        (lambda: examples_needed(1.2, 0.1), "p must lie in"),
        (lambda: examples_needed(0.5, 1e-300), "precision must give a finite number"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()


@pytest.mark.parametrize(("period", "n"), [(144, 10_000), (144, 5837), (1440, 43_200), (7, 2000)])
def test_a_season_that_does_not_divide_the_stream_has_its_exact_length(period, n):
    rng = seeds.generator(period, "test", str(n))
    p = 0.5 + 0.3 * np.sin(2 * np.pi * (np.arange(n) % period) / period)
    assert season((rng.random(n) < p).astype(np.int64)) == period
