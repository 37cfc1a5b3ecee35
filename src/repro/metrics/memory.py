"""Memory of an estimate: windows, fading factors, and the number of examples that it needs."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from repro._checks import (
    MOST_STEPS,
    as_memory,
    check_count,
    check_fraction,
    check_inside,
    check_number,
)

__all__ = [
    "alpha_for",
    "as_epsilon",
    "effective_memory",
    "hoeffding_sample_size",
    "sum_of_squared_weights",
    "window_for",
]


def window_for(epsilon: float) -> int:
    r"""Return the window over which an error rate is within `epsilon` of its expectation.

    .. math:: \epsilon = 2 \sqrt{\frac{0.25}{n}},\quad n = \lceil 1 / \epsilon^2 \rceil

    This holds 95 times of 100, by the normal approximation at an error rate of a half, the worst
    case. Gama, Sebastião and Rodrigues (2013), Sec. 3.4. Their formula, :math:`4 \sqrt{0.25 / n}`,
    is the length of the whole interval, but the numbers they give (n = 10 000 for 1 %, 1000 for
    3 %) are for half the interval, as here; ``window_for(epsilon / 2)`` solves their formula.
    Raises ValueError for `epsilon` outside (0, 1) or below 1e-150.

    >>> window_for(0.01), window_for(0.005), window_for(0.03)
    (10000, 40000, 1112)
    """
    # Round up, but not because of the last bit of `epsilon`: 1 / 3 has a window of 9.
    return ceil((1 - Fraction(1, 2**51)) / Fraction(as_epsilon(epsilon)) ** 2)


def effective_memory(alpha: float, epsilon: float = 0.01) -> float:
    r"""Return the age at which the weight of an example falls to `epsilon`, with factor `alpha`.

    .. math:: k = \frac{\log \epsilon}{\log \alpha}

    Gama, Sebastião and Rodrigues (2013), Sec. 3.4. Infinite for ``alpha=1``. Raises ValueError for
    `alpha` outside (0, 1] or `epsilon` outside (0, 1).

    >>> round(effective_memory(0.995, 2.9e-7))
    3003
    """
    factor, least = check_fraction(alpha, name="alpha"), check_inside(epsilon, name="epsilon")
    return log(least) / log(factor) if factor < 1 else float("inf")


def alpha_for(window: int) -> float:
    r"""Return the fading factor with the same memory as a `window`.

    .. math:: \alpha = \frac{w - 1}{w + 1}

    Both then average over losses with a mean age of :math:`(w - 1) / 2` steps, and on independent
    losses both have the same variance, 1/w of that of one loss. Raises ValueError for a `window`
    that is not a whole number >= 2.

    >>> round(alpha_for(1999), 6)
    0.999
    """
    steps = check_count(window, name="window", least=2)
    return (steps - 1) / (steps + 1)


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


def hoeffding_sample_size(epsilon: float, delta: float = 0.05) -> float:
    r"""Return the number of examples after which an error is within `epsilon` of its expectation.

    .. math:: n = \frac{\ln (2 / \delta)}{2 \epsilon^2}

    by Hoeffding's bound, with probability at least 1 - `delta`, for independent losses from 0 to 1.
    The result is not rounded up. Gama, Sebastião and Rodrigues (2013), Sec. 3.2 and Appendix A,
    where .01 and .05 give 18 444. Raises ValueError for an argument outside (0, 1), and for an
    `epsilon` below 1e-150.

    >>> round(hoeffding_sample_size(0.01, 0.05))
    18444
    """
    return (log(2) - log(check_inside(delta, name="delta"))) / (2 * as_epsilon(epsilon) ** 2)


def as_epsilon(epsilon: float) -> float:
    """Return `epsilon` if it lies in (0, 1) and its square does not underflow."""
    return check_number(check_inside(epsilon, name="epsilon"), name="epsilon", least=1e-150)
