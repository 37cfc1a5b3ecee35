r"""Standard errors along a stream whose examples depend on each other.

Many measures are functions of means over steps. The influence :math:`u_t` of step t is the
derivative of such a measure with respect to the weight of the step, times n, and the measure has

.. math:: \widehat{\mathrm{s.e.}} = \frac{1}{n} \sqrt{\sum_b \Bigl(\sum_{t \in b} u_t\Bigr)^2}

with blocks b of consecutive steps, in which the dependence stays. Künsch (1989), Annals of
Statistics 17, 1217-1241.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_numbers, check_count
from repro.metrics._pairs import scaled

__all__ = ["block_length", "block_standard_error", "default_block", "ratio_influence"]

PART = 2**20  # steps whose products are summed at a time


def block_standard_error(influence: ArrayLike, block: int | None = None) -> float:
    """Standard error of a measure from the `influence` of each step on it, shape (n,).

    Parameters
    ----------
    influence : numbers whose mean is about 0; for a mean, the values less their mean.
    block : number of steps in a block, by default `default_block` of the influence.

    Raises ValueError for an influence that is empty or not finite, and a `block` below 1.

    >>> round(block_standard_error([0.5, -0.5] * 50, block=1), 3)
    0.05
    """
    values = as_losses(influence, name="influence")
    length = default_block(values) if block is None else block
    starts = np.arange(0, values.size, min(values.size, check_count(length, name="block")))
    exponent = int(np.frexp(np.abs(values).max())[1])  # squares of large values would overflow
    sums = np.add.reduceat(np.ldexp(values, -exponent), starts)
    return float(np.ldexp(np.sqrt(np.sum(sums**2)) / values.size, exponent))


def ratio_influence(numerator: ArrayLike, denominator: ArrayLike) -> NDArray[np.float64]:
    r"""Influence of each step (n,) on the ratio of two sums, such as the error of a group of rows.

    .. math:: u_t = \frac{a_t - r\, b_t}{\bar b},\quad r = \frac{\sum_t a_t}{\sum_t b_t}

    `numerator` a and `denominator` b have shape (n,). Raises ValueError for arrays of different
    length, and a denominator with the sum 0.

    >>> ratio_influence([1, 0, 0, 0], [1, 1, 0, 0]).tolist()  # 1 of 2
    [1.0, -1.0, 0.0, 0.0]
    """
    a, b = as_losses(numerator, name="numerator"), as_losses(denominator, name="denominator")
    if a.size != b.size:
        raise ValueError(f"denominator must be as long as numerator, {a.size}; got {b.size}")
    if not (total := float(b.sum())):
        raise ValueError("denominator must have a sum that is not 0; got 0")
    return np.asarray((a - a.sum() / total * b) / (total / b.size))


def block_length(x: ArrayLike) -> int:
    r"""Length of the blocks with which the mean of the series `x` (n,) is best resampled.

    .. math:: b = \Bigl(\frac{2 G^2}{D}\Bigr)^{1/3} n^{1/3},\quad
              G = \sum_k \lambda(k/M)\, |k|\, R(k),\quad
              D = \frac{4}{3} \Bigl(\sum_k \lambda(k/M)\, R(k)\Bigr)^2

    Here R are the autocovariances, the window :math:`\lambda` is 1 up to 1/2 and falls to 0 at 1,
    and M is twice the lag after which autocorrelations are negligible. The length is rounded up,
    and is at most :math:`\min(3\sqrt n, n/3)`; for a constant series it is 1. It does not depend on
    the unit of `x`. Politis and White (2004), Econometric Reviews 23, 53-70, for blocks on a
    circle, with the correction of Patton, Politis and White (2009), 28, 372-375. Raises ValueError
    for a series that is empty or not finite.

    >>> block_length(np.arange(900) // 30 % 2), block_length([1, 1, 1])
    (90, 1)
    """
    series = scaled(as_losses(x, name="x"))
    n = series.size
    if np.ptp(series) == 0 or n < 9:
        return 1
    centred = series - series.mean()
    quiet = max(5, int(np.ceil(np.sqrt(np.log10(n)))))
    lags = min(n - 1, int(np.ceil(np.sqrt(n))) + quiet)
    covariance = _products(centred, lags) / n
    loud = np.abs(covariance) > 2 * np.sqrt(np.log10(n) / n) * covariance[0]
    last = next((m for m in range(lags) if not loud[m + 1 : m + 1 + quiet].any()), lags)
    M = min(2 * max(last, 1), lags)
    k = np.arange(1, M + 1)
    tapered = np.minimum(1.0, 2 * (1 - k / M)) * covariance[1 : M + 1]
    spread = covariance[0] + 2 * tapered.sum()
    if spread <= 0:
        return 1
    best = np.cbrt(2 * (2 * k @ tapered) ** 2 / (4 / 3 * spread**2) * n)
    return int(np.clip(np.ceil(best), 1, np.ceil(min(3 * np.sqrt(n), n / 3))))


def _products(x: NDArray[np.float64], lags: int) -> NDArray[np.float64]:
    """Sums of x[t] * x[t + k] over all t, for k from 0 to `lags`; of long series by parts."""
    from scipy.signal import correlate  # here: slow to import

    sums = np.zeros(lags + 1)
    for start in range(0, x.size, PART):
        part, onward = x[start : start + PART], x[start : start + PART + lags]
        products = correlate(onward, part, method="fft")[part.size - 1 :][: lags + 1]
        sums[: products.size] += products
    return sums


def default_block(influence: ArrayLike, used: int | None = None) -> int:
    """Length of the blocks for a measure with this `influence` of each step, shape (n,).

    `block_length`, but at least the square root of n, since it misses weak dependence over long
    stretches, and at most a tenth of the steps that are `used`, by default n. It is 1 for an
    influence that is not finite.

    >>> default_block(np.arange(900) // 30 % 2)
    90
    """
    values = as_numbers(influence, name="influence")
    if not np.isfinite(values).all():
        return 1
    size = values.size if used is None else check_count(used, name="used", least=0)
    return max(1, min(size // 10, max(block_length(values), int(np.sqrt(values.size)))))
