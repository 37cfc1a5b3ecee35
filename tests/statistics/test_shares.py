"""Shares of runs: the exact interval and Fisher's test, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy import stats

from repro.statistics import equal_shares, share_interval


@second_opinion("scipy", "statistics.share_interval")
@pytest.mark.parametrize(("count", "n"), [(0, 5), (3, 10), (9, 10), (10, 10), (250, 1000)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_interval_is_that_of_scipy(count, n, level):
    expected = stats.binomtest(count, n).proportion_ci(1 - level, method="exact")
    assert share_interval(count, n, level) == pytest.approx(tuple(expected))


@second_opinion("scipy", "statistics.equal_shares")
def test_fishers_test_is_scipys_and_its_level_is_what_it_rejects():
    for both in range(21):
        split = [a for a in range(11) if 0 <= both - a <= 10]
        found = [equal_shares(a, 10, both - a, 10, level=0.0125) for a in split]
        p = [stats.fisher_exact([[a, 10 - a], [both - a, 10 - both + a]])[1] for a in split]
        np.testing.assert_allclose([test.p for test in found], p, rtol=1e-9)
        chance = stats.hypergeom(20, both, 10).pmf(split)
        assert found[0].level == pytest.approx(chance[np.array(p) <= 0.0125].sum())
        assert found[0].level <= 0.0125


@pytest.mark.parametrize("n", [1, 7.5, 1000])
def test_counts_may_be_arrays_and_need_not_be_whole(n):
    counts = np.array([0, 0.3, n / 2, n])
    low, high = share_interval(counts, n)
    ends = [share_interval(count, n) for count in counts]
    assert np.array_equal(np.transpose(ends), [low, high])
    assert low[0] == 0 < high[0]
    assert low[-1] < 1 == high[-1]
    assert np.allclose([1 - high, 1 - low], share_interval(n - counts, n))  # of the others
    inner = counts[1:3]
    assert np.allclose(stats.beta(inner, n - inner + 1).cdf(low[1:3]), 0.025)
    assert np.allclose(stats.beta(inner + 1, n - inner).sf(high[1:3]), 0.025)


def test_without_runs_nothing_is_told():
    found = equal_shares(np.nan, np.nan, 3, 10)
    assert np.isnan(found.p)
    assert found.level == 0


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: share_interval(3, 2), "count must lie between 0 and n, 2; got 3"),
        (lambda: share_interval([1, -1], [2, 3]), "count must lie between 0 and n, 3; got -1"),
        (lambda: share_interval(np.nan, 2), "count must lie between 0 and n, 2; got nan"),
        (lambda: share_interval(0, 0), "n must be above 0 and finite; got 0"),
        (lambda: share_interval(1, [2, np.inf]), "n must be above 0 and finite; got inf"),
        (lambda: share_interval([1, 2], [2, 3, 4]), "count and n must broadcast"),
        (lambda: share_interval(1, 2, level=0), "level must lie in"),
        (lambda: equal_shares(11, 10, 0, 10), "counts at most their runs"),
        (lambda: equal_shares(-1, 10, 0, 10), "counts at most their runs"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
