"""Ranks of learners over streams: Friedman's test, and what Nemenyi's test tells apart.

Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
Learning Research 7, 1-30.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range

from repro._checks import check_count, check_frame, check_inside
from repro.statistics.estimates import LEVEL

__all__ = ["RankTest", "critical_difference", "nemenyi", "rank_test", "ranks"]

LEAST = 3  # streams, and learners, that Friedman's test needs


class RankTest(NamedTuple):
    """Friedman's test that all learners have the same ranks, and Nemenyi's critical difference."""

    statistic: float  #: chi-squared
    df: int  #: one less than the learners
    p_value: float
    critical_difference: float  #: mean ranks that are closer are not told apart


def ranks(errors: pd.DataFrame) -> pd.DataFrame:
    """Ranks of the columns (learners) in each row (stream), 1 for the least error.

    Equal errors share the mean of their ranks, and nan (a learner that failed) is last.

    >>> ranks(pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.3], "c": [np.nan, 0.1]})).values.tolist()
    [[1.0, 2.0, 3.0], [2.5, 2.5, 1.0]]
    """
    return _numbers(errors, "errors").rank(axis=1, na_option="bottom")


def rank_test(by_stream: pd.DataFrame, level: float = LEVEL) -> RankTest:
    """Friedman's test of equal learners from their ranks by stream, as `ranks` gives them.

    `by_stream` has a row for each of at least 3 streams and a column for each of at least 3
    learners. The critical difference is that of the `level`. Friedman (1937), Journal of the
    American Statistical Association 32, 675-701.

    >>> frame = pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 3, 2, 1], "c": [3, 2, 3, 3]})
    >>> test = rank_test(frame)
    >>> test.statistic, test.df, round(test.p_value, 3)
    (4.5, 2, 0.105)
    """
    table = _checked(by_stream)
    n, k = table.shape
    with np.errstate(divide="ignore", invalid="ignore"):  # where all ranks are equal
        statistic, p_value = friedmanchisquare(*table.to_numpy().T)
    return RankTest(float(statistic), k - 1, float(p_value), critical_difference(k, n, level))


def critical_difference(k: int, n: int, level: float = LEVEL) -> float:
    r"""Least difference of the mean ranks of `k` learners on `n` streams that is significant.

    .. math:: q_{1-\alpha,\,k} \sqrt{\frac{k (k + 1)}{6 n}}

    with the quantile q of the studentized range over the root of 2: Nemenyi's test at the `level`.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    k, n = check_count(k, name="k", least=2, most=1000), check_count(n, name="n")
    q = studentized_range.ppf(1 - check_inside(level, name="level"), k, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))


def nemenyi(by_stream: pd.DataFrame) -> pd.DataFrame:
    r"""p-values of Nemenyi's test of all pairs of learners, from their ranks by stream.

    .. math:: p = P\Bigl(Q_k > \sqrt{2}\,|\bar r_i - \bar r_j| \Big/ \sqrt{k (k + 1) / (6 n)}\Bigr)

    with the studentized range :math:`Q_k`, so that p < 0.05 if and only if two mean ranks differ by
    more than the `critical_difference`. Rows and columns are the learners; the diagonal is 1.

    >>> nemenyi(pd.DataFrame({"a": [1] * 9, "b": [2] * 9, "c": [3] * 9})).loc["a"].round(4).tolist()
    [1.0, 0.0855, 0.0001]
    """
    table = _checked(by_stream)
    n, k = table.shape
    means = table.mean().to_numpy()
    q = np.sqrt(2) * np.abs(means[:, None] - means) / np.sqrt(k * (k + 1) / (6 * n))
    first, second = np.triu_indices(k, 1)
    p = np.ones((k, k))
    p[first, second] = p[second, first] = studentized_range.sf(q[first, second], k, np.inf)
    return pd.DataFrame(p, table.columns, table.columns)


def _numbers(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    return check_frame(frame, name=name, numbers=list(check_frame(frame, name=name)))


def _checked(by_stream: pd.DataFrame) -> pd.DataFrame:
    table = _numbers(by_stream, "by_stream")
    if min(table.shape) < LEAST:
        rule = f"by_stream must have at least {LEAST} streams and {LEAST} learners"
        raise ValueError(f"{rule}; got shape {table.shape}")
    return table
