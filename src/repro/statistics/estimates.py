r"""Estimates with standard errors: of means, of means over streams, and by the jackknife.

A *repeat* is a run with a seed of its own, or a stretch of a stream that exists only once. What is
compared is compared within repeats: the difference comes first, then its mean and its spread.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit
from scipy.stats import t as student

from repro._checks import as_floats, as_list, check_values, shown
from repro._rounding import without_rounding

__all__ = ["LEVEL", "Floats", "PointEstimate", "jackknife", "mean_estimate", "mean_over_streams"]
__all__ += ["student_quantile"]

LEVEL = 0.05  #: probability of an error of the first kind, where no other is asked for
NAN = float("nan")

Floats = NDArray[np.float64]


class PointEstimate(NamedTuple):
    """Estimated numbers, each with its standard error and the degrees of freedom of that.

    >>> low, high = PointEstimate([2.0, 1.0], [0.5, 0.0], df=9).interval()
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.87, 1.0], [3.13, 1.0])
    """

    value: Any  #: a number, or an array of any shape
    standard_error: Any = 0.0  #: one for all or one each; 0 where the value is exact
    df: Any = np.inf  #: degrees of freedom, one for all or one each; inf where the error is known

    def interval(self, level: float = LEVEL) -> tuple[Floats, Floats]:
        r"""Student's interval :math:`\hat m \pm t_{1 - \alpha/2,\,\nu}` s.e.; nan if unknown.

        Of repeats that are equal, which show no spread, it is their value if they are three or
        more: numbers that agree so often differ by less than they resolve. Two may agree by chance,
        so their interval is unknown.
        """
        value, error, df = (np.asarray(part) for part in self)
        quantile = student_quantile(df, level)
        _check_together(level, value.shape, quantile.shape, name="the values")
        with np.errstate(over="ignore", invalid="ignore"):  # inf - inf cannot be told
            alone = np.where(df >= 2, 0.0, NAN)
            reach = np.where(error == 0, alone, quantile * error)
            return value - reach, value + reach

    @property
    def p_value(self) -> Any:
        r"""Two-sided p-value of Student's test that each value is 0; nan without an error.

        Of :math:`\nu + 1` equal repeats, which show no spread, it is that of the sign test,
        :math:`2^{-\nu}`: 0 for a value that is known, with :math:`\nu = \infty`.
        """
        value, error, df = (np.asarray(part) for part in self)
        with np.errstate(all="ignore"):  # an exact value has no test
            p = 2 * student.sf(np.abs(value / error), df)
            of_equal = np.where(df > 0, np.where(value == 0, 1.0, 2.0**-df), NAN)
        return np.where(error == 0, of_equal, p)[()]


def student_quantile(df: ArrayLike, level: ArrayLike = LEVEL) -> Floats:
    """Student's two-sided quantile: a mean is farther out with the probability `level`.

    `df` and `level` are numbers or arrays that broadcast; nan where `df` is not positive. Raises
    ValueError for a `level` outside [0, 1].

    >>> student_quantile([1, 9, np.inf]).round(2).tolist()
    [12.71, 2.26, 1.96]
    """
    levels = as_floats(level, name="level")
    if (outside := levels[(levels < 0) | (levels > 1)]).size:
        raise ValueError(f"level must lie in [0, 1]; got {outside[0]}")
    degrees = as_floats(df, name="df")
    _check_together(level, degrees.shape, levels.shape, name="df")
    return np.asarray(stdtrit(degrees, 1 - levels / 2), dtype=np.float64)


def _check_together(level: ArrayLike, shape: Any, other: Any, *, name: str) -> None:
    try:
        np.broadcast_shapes(shape, other)
    except ValueError:
        rule = f"level must broadcast with {name}, of shape {shape}"
        raise ValueError(f"{rule}; got {shown(level)}") from None


def mean_estimate(values: ArrayLike) -> PointEstimate:
    r"""The mean of independent repeats, :math:`\bar x \pm s / \sqrt n`, with n - 1 degrees.

    `values` has shape (n,), for one number, or (n, k). The standard error is nan with one repeat
    and 0 where all are equal but for rounding (at most 1e-12 of the mean); the mean is nan without
    any repeat, or with one that is nan.

    >>> mean_estimate([1.0, 3.0])
    PointEstimate(value=2.0, standard_error=1.0, df=1)
    """
    runs = as_floats(values, name="values")
    if runs.ndim not in (1, 2):
        raise ValueError(f"values must have shape (n,) or (n, k); got shape {runs.shape}")
    n, unknown = len(runs), np.full(runs.shape[1:], NAN)
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers near the largest
        mean = runs.mean(axis=0) if n else unknown
        error = runs.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else unknown
    error = without_rounding(error, mean)
    if runs.ndim == 1:
        return PointEstimate(float(mean), float(error), n - 1)
    return PointEstimate(mean, error, n - 1)


def mean_over_streams(values: Mapping[str, pd.Series], drawn: Collection[str]) -> PointEstimate:
    r"""Mean over streams of the mean of their repeats, where streams may share their seeds.

    Streams that are `drawn` share the draw of a seed: with :math:`d` of them among *S*,

    .. math:: v = \Bigl(\frac{d}{S}\Bigr)^2 \mathrm{Var}\bigl(\bar x_{drawn}\bigr)
              + \sum_{s\ \mathrm{not\ drawn}} \frac{\mathrm{Var}(\bar x_s)}{S^2}

    where the first variance is that of the mean over these streams, over seeds. The degrees of
    freedom are the fewest of all terms.

    Parameters
    ----------
    values : repeats of each stream by its name, indexed by seed where it is drawn; nan are left
        out, and a seed that is missing on one drawn stream counts for the mean only.
    drawn : names of the streams whose repeats are seeds.

    >>> both = {"A": pd.Series([1.0, 3.0]), "B": pd.Series([2.0, 6.0])}
    >>> mean = mean_over_streams(both, drawn=["A", "B"])
    >>> mean.value, round(mean.standard_error, 3), mean.df
    (3.0, 1.5, 1)
    """
    check_values(values, pd.Series, name="values", rule="names of streams to Series of repeats")
    names: list[str] = as_list(drawn, name="drawn", rule="names of streams")
    if unknown := [name for name in names if name not in list(values)]:
        raise ValueError(f"drawn must name streams of values; got {shown(unknown[0])}")
    each = {name: mean_estimate(series.dropna()) for name, series in values.items()}
    if not each:
        return PointEstimate(NAN, NAN, NAN)
    size = len(values)
    alone = [each[name] for name in each if name not in names]
    variance = sum((e.standard_error / size) ** 2 for e in alone)
    df = min((e.df for e in alone), default=np.inf)
    if names:
        by_seed = pd.DataFrame({name: values[name] for name in names}).mean(axis=1, skipna=False)
        shared = mean_estimate(by_seed.dropna())
        variance += (shared.standard_error * len(names) / size) ** 2
        df = min(df, shared.df)
    return PointEstimate(float(np.mean([e.value for e in each.values()])), float(variance**0.5), df)


def jackknife(without: ArrayLike) -> Floats:
    r"""Standard error of a statistic from its values `without` one repeat at a time.

    .. math:: \sqrt{\frac{m - 1}{m} \sum_i (s_{(i)} - \bar s)^2}

    where :math:`s_{(i)}` leaves out repeat *i* of *m* (Efron 1982, The jackknife, the bootstrap and
    other resampling plans). `without` has shape (m,) or (m, k), the result () or (k,): one standard
    error for each of k statistics. It is nan for an infinite statistic.

    >>> float(jackknife([2.0, 3.0, 4.0]).round(3))  # of the mean of 5, 3 and 1
    1.155
    """
    values = as_floats(without, name="without")
    if values.ndim not in (1, 2) or len(values) < 2:
        rule = "without must have shape (m,) or (m, k) with m >= 2"
        raise ValueError(f"{rule}; got shape {values.shape}")
    m = len(values)
    with np.errstate(over="ignore", invalid="ignore"):  # of statistics without end
        spread = values - np.mean(values, axis=0)
        return np.asarray(np.sqrt((m - 1) / m * (spread**2).sum(axis=0)))
