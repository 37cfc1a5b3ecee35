"""Standard error of the Q statistic."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_memory
from repro.metrics._pairs import as_loss_pair
from repro.metrics._scale import scaled
from repro.metrics.estimators import fading_error, sliding_error
from repro.metrics.memory import sum_of_squared_weights

__all__ = ["q_standard_error"]


def q_standard_error(
    loss_a: ArrayLike, loss_b: ArrayLike, alpha: float | None = None, window: int | None = None
) -> NDArray[np.float64]:
    r"""Standard error of `q_statistic` at every step, with the same memory; shape (n,).

    .. math:: \text{s.e.}^2(Q_i) = \sum_{k \le i} v_{ik}^2
              \Bigl(\frac{L_k(A)}{S_i^A} - \frac{L_k(B)}{S_i^B}\Bigr)^2

    where :math:`S_i = \sum_k v_{ik} L_k`, and the weights :math:`v_{ik}` are 1 or
    :math:`\alpha^{i-k}`. This is the delta method for the logarithm of a ratio. The two losses of a
    pair may depend on each other, but not on earlier pairs: where losses depend on earlier ones, as
    forecast errors of one day do, the standard error is too small. Q divided by it is nearly
    standard normal at any *one* step if the learners are equally good, and on 0/1 losses its square
    is close to McNemar's statistic. It is nan where a learner has no loss.

    It is not in Gama, Sebastião and Rodrigues (2013), who read Q by its sign and size.

    Parameters
    ----------
    loss_a, loss_b, alpha, window : as in `q_statistic`, and with the same errors.

    >>> q_standard_error([1, 0, 1, 0], [0, 1, 0, 1]).round(3).tolist()
    [nan, 1.414, 1.225, 1.0]
    """
    a, b = (scaled(loss) for loss in as_loss_pair(loss_a, loss_b))
    factor, width = as_memory(alpha, window, a.size)
    squares = sum_of_squared_weights(a.size, window=window, alpha=alpha)
    if window is not None:
        means = [sliding_error(x, width) for x in (a, b, a * a, a * b, b * b)]
    else:
        means = [fading_error(x, factor) for x in (a, b)]
        means += [fading_error(x, factor**2) for x in (a * a, a * b, b * b)]
    mean_a, mean_b, aa, ab, bb = means
    known = (mean_a > 0) & (mean_b > 0)
    inverse_a, inverse_b = (1 / np.where(known, m, np.nan) for m in (mean_a, mean_b))
    within = aa * inverse_a**2 - 2 * ab * inverse_a * inverse_b + bb * inverse_b**2
    return np.asarray(np.sqrt(np.maximum(within, 0.0) * squares))
