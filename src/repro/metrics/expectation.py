r"""Expectation and standard deviation of the estimators of the error.

The estimators are linear in the losses: :math:`P_i = \sum_k w_{ik} L_k` with weights that sum to 1.
Their expectation and variance follow exactly from the error rate of each example.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses
from repro.metrics.estimators import fading_error, prequential_error, sliding_error
from repro.metrics.memory import sum_of_squared_weights

__all__ = ["ExpectedError", "expected_error"]


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
