"""Ranks, Friedman's and Nemenyi's tests: by scipy, scikit-posthocs, and Demšar's example."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from opinions import second_opinion
from scipy import stats

from repro.seeds import generator
from repro.statistics import critical_difference, nemenyi, rank_test, ranks


@pytest.fixture
def by_stream():
    errors = generator(3, "ranks").random((8, 5)).round(1) + 0.1 * np.arange(5)
    return ranks(pd.DataFrame(errors, columns=list("abcde")))


@second_opinion("scipy", "statistics.ranks")
def test_ranks_are_those_of_scipy_and_failures_are_last():
    errors = pd.DataFrame([[0.3, 0.1, 0.3], [0.2, np.nan, 0.1]], columns=list("abc"))
    assert ranks(errors).to_numpy()[0].tolist() == stats.rankdata([0.3, 0.1, 0.3]).tolist()
    assert ranks(errors).to_numpy()[1].tolist() == [2, 3, 1]


@second_opinion("closed form", "statistics.rank_test")
def test_friedmans_statistic_is_that_of_its_formula():
    """12 n / (k (k + 1)) * sum of (mean rank - (k + 1) / 2)^2, without ties."""
    frame = ranks(pd.DataFrame(generator(4, "ranks").random((9, 4))))
    n, k = frame.shape
    expected = 12 * n / (k * (k + 1)) * ((frame.mean() - (k + 1) / 2) ** 2).sum()
    found = rank_test(frame)
    assert found.statistic == pytest.approx(expected)
    assert found.p_value == pytest.approx(stats.chi2(k - 1).sf(expected))
    assert (found.df, found.critical_difference) == (k - 1, critical_difference(k, n))


@second_opinion("published numbers", "statistics.critical_difference")
def test_critical_difference_is_that_of_demsar():
    """Demšar (2006), Section 3.2.4: 4 classifiers on 14 data sets."""
    assert critical_difference(4, 14) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


@second_opinion("scikit-posthocs", "statistics.nemenyi")
def test_nemenyis_test_is_that_of_scikit_posthocs(by_stream):
    posthocs = pytest.importorskip("scikit_posthocs")
    expected = posthocs.posthoc_nemenyi_friedman(by_stream.to_numpy())
    np.testing.assert_allclose(nemenyi(by_stream), expected, atol=1e-12)


def test_nemenyis_test_rejects_beyond_the_critical_difference(by_stream):
    means = by_stream.mean()
    apart = abs(means.to_numpy()[:, None] - means.to_numpy()) > critical_difference(5, 8)
    assert ((nemenyi(by_stream) < 0.05) == apart).all(axis=None)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: rank_test(pd.DataFrame(np.ones((2, 4)))), "at least 3 streams and 3 learners"),
        (lambda: critical_difference(1, 5), "k must be"),
        (lambda: critical_difference(3, 5, level=1), "level must lie in"),
        (lambda: ranks(pd.DataFrame({"a": ["x"]})), "errors must hold numbers"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
