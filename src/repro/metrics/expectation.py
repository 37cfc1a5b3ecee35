r"""Expectation and standard deviation of the estimators of the error.

The estimators are linear in the losses: :math:`P_i = \sum_k w_{ik} L_k` with weights that sum to 1.
Their expectation and variance follow exactly from the error rate of each example.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import MOST_STEPS, as_losses, as_memory, check_count
from repro.metrics.estimators import fading_error, prequential_error, sliding_error

__all__ = ["ExpectedError", "expected_error", "sum_of_squared_weights"]


class ExpectedError(NamedTuple):
    """Expectation and standard deviation of an estimator at every time step, both (n,)."""

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


def expected_error(
    p: ArrayLike, *, window: int | None = None, alpha: float | None = None
) -> ExpectedError:
    r"""Exact expectation and standard deviation of an estimator under the error rates `p` (n,).

    .. math:: E[P_i] = \sum_{k \le i} w_{ik}\, p_k, \qquad
              \text{Var}[P_i] = \sum_{k \le i} w_{ik}^2\, p_k (1 - p_k)

    for independent 0/1 losses that are 1 with the probabilities :math:`p_k`, and the weights of
    `sliding_error` for a `window`, of `fading_error` for an `alpha`, and of `prequential_error`
    for neither. The expectation also holds for dependent losses. Time grows in proportion to n.

    After Gama, Sebastião and Rodrigues (2013), Sec. 3.2, who only consider the limit for a constant
    p. Raises ValueError for `p` outside [0, 1], and for both a `window` and an `alpha`.

    >>> expected = expected_error([0.5, 0.5, 0.1], window=2)
    >>> expected.mean.tolist(), expected.deviation.round(3).tolist()
    ([0.5, 0.5, 0.3], [0.5, 0.354, 0.292])
    """
    rate = as_losses(p, name="p")
    if ((rate < 0) | (rate > 1)).any():
        bad = int(np.flatnonzero((rate < 0) | (rate > 1))[0])
        raise ValueError(f"p must lie in [0, 1]; got {rate[bad]} at index {bad}")
    squares = sum_of_squared_weights(rate.size, window=window, alpha=alpha)
    each = rate * (1 - rate)
    # The mean of the variances, weighted by the squares of the weights.
    if window is not None:
        mean, within = sliding_error(rate, window), sliding_error(each, window)
    elif alpha is not None:
        mean, within = fading_error(rate, alpha), fading_error(each, alpha**2)
    else:
        mean, within = prequential_error(rate), prequential_error(each)
    return ExpectedError(mean, np.sqrt(np.maximum(within, 0.0) * squares))


def sum_of_squared_weights(
    n: int, *, window: int | None = None, alpha: float | None = None
) -> NDArray[np.float64]:
    r""":math:`\sum_k w_{ik}^2` of an estimator at each of `n` steps; shape (n,).

    .. math:: \frac{1}{i}, \qquad \frac{1}{\min(w, i)}, \qquad
              \frac{(1 - \alpha)(1 + \alpha^i)}{(1 + \alpha)(1 - \alpha^i)}

    without forgetting, for a `window`, and for an `alpha`. It is the variance of the estimator
    divided by the variance of one loss; its inverse is the number of losses that the estimate is
    worth. Raises ValueError for both a `window` and an `alpha`.

    >>> sum_of_squared_weights(3, alpha=0.5).round(3).tolist()
    [1.0, 0.556, 0.429]
    """
    factor, width = as_memory(alpha, window, check_count(n, name="n", most=MOST_STEPS))
    i = np.arange(1.0, n + 1)
    if factor == 1:
        return 1 / np.minimum(i, width)
    faded = i * np.log(factor)  # logarithm of alpha^i: no digits are lost where alpha is near 1
    squares = (1 - factor) / (1 + factor) * (1 + np.exp(faded)) / -np.expm1(faded)
    return np.asarray(squares, dtype=np.float64)
