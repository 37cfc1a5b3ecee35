"""Counts of rare events: exact where they are independent, wide enough where they cluster."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import poisson

from repro import seeds
from repro.statistics import count_interval, dispersion


@second_opinion("scipy", "statistics.count_interval")
@pytest.mark.parametrize("total", [1, 5, 40])
def test_an_end_is_where_a_poisson_count_becomes_improbable(total):
    low, high = count_interval([total])
    assert poisson.sf(total - 1, low) == pytest.approx(0.025)
    assert poisson.cdf(total, high) == pytest.approx(0.025)


def test_no_event_bounds_the_rate_from_above_only():
    low, high = count_interval([0, 0, 0])
    assert low == 0
    assert np.exp(-high) == pytest.approx(0.025)


@second_opinion("simulation", "statistics.dispersion")
@pytest.mark.parametrize("size", [1, 3, 10])
def test_the_dispersion_is_the_size_of_clusters(size):
    counts = size * seeds.generator(1, "test").poisson(4, 20_000)
    assert dispersion(counts) == pytest.approx(size, rel=0.05)


@pytest.mark.parametrize("runs", [4, 20, 100])
@pytest.mark.parametrize("size", [1, 5, 20])
def test_the_interval_holds_the_mean_of_clusters(runs, size):
    """The number of events in a cluster is geometric; about thirty clusters in all."""
    rng, inside, repeats = seeds.generator(2, "test", str(runs), str(size)), 0, 1000
    for _ in range(repeats):
        clusters = rng.poisson(30 / runs, runs)
        counts = [int(rng.geometric(1 / size, k).sum()) for k in clusters]
        low, high = count_interval(counts)
        inside += low <= 30 * size <= high
    assert inside / repeats >= 0.95 - 2 * (0.05 * 0.95 / repeats) ** 0.5


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_counts_whose_sum_no_integer_holds_have_an_interval(dtype):
    counts = np.full(4, np.iinfo(dtype).max // 2 + 2, dtype)
    low, high = count_interval(counts)
    assert low < 4 * float(counts[0]) < high


@pytest.mark.parametrize("counts", [[], [[1]], [0.5], [-1], ["a"], 3])
def test_what_is_no_count_is_refused(counts):
    with pytest.raises(ValueError, match="counts must be"):
        count_interval(counts)


@pytest.mark.parametrize("level", [0, 1, -0.1, float("nan")])
def test_a_level_outside_of_0_and_1_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        count_interval([1], level)
