"""How many examples an estimate of the error rests on, and how many it needs."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from repro._checks import check_count, check_fraction, check_inside, check_number

__all__ = ["alpha_for", "effective_memory", "hoeffding_sample_size", "window_for"]


def hoeffding_sample_size(epsilon: float, delta: float = 0.05) -> float:
    r"""Examples after which an error is within `epsilon` of its expectation.

    .. math:: n = \frac{\ln (2 / \delta)}{2 \epsilon^2}

    with probability 1 - `delta` at least, for independent losses from 0 to 1, by Hoeffding's
    bound; to be rounded up. Gama, Sebastião and Rodrigues (2013), Sec. 3.2 and Appendix A, where
    .01 and .05 give 18 444. Raises ValueError for an argument outside (0, 1), and for an `epsilon`
    below 1e-150.

    >>> round(hoeffding_sample_size(0.01, 0.05))
    18444
    """
    return (log(2) - log(check_inside(delta, name="delta"))) / (2 * _as_epsilon(epsilon) ** 2)


def window_for(epsilon: float) -> int:
    r"""Window over which an error rate is within `epsilon` of its expectation, 95 times of 100.

    .. math:: \epsilon = 2 \sqrt{\frac{0.25}{n}},\quad n = \lceil 1 / \epsilon^2 \rceil

    by the normal approximation at an error rate of a half, the worst. Gama, Sebastião and Rodrigues
    (2013), Sec. 3.4. The formula there, :math:`4 \sqrt{0.25 / n}`, is the length of the whole
    interval, while the numbers with it (n = 10 000 for 1 %, 1000 for 3 %) are half of it, as here;
    ``window_for(epsilon / 2)`` is the solution of the formula. A whole number, as `window` is
    wherever it is an argument. Raises ValueError for `epsilon` outside (0, 1) or below 1e-150.

    >>> window_for(0.01), window_for(0.005), window_for(0.03)
    (10000, 40000, 1112)
    """
    # Rounded up, but not because of the last bit of `epsilon`: 1 / 3 has a window of 9.
    return ceil((1 - Fraction(1, 2**51)) / Fraction(_as_epsilon(epsilon)) ** 2)


def effective_memory(alpha: float, epsilon: float = 0.01) -> float:
    r"""Age at which an example's weight has fallen to `epsilon` under the fading factor `alpha`.

    .. math:: k = \frac{\log \epsilon}{\log \alpha}

    Gama, Sebastião and Rodrigues (2013), Sec. 3.4. Infinite for ``alpha=1``. Raises ValueError for
    `alpha` outside (0, 1] or `epsilon` outside (0, 1).

    >>> round(effective_memory(0.995, 2.9e-7))
    3003
    """
    factor, least = check_fraction(alpha, name="alpha"), check_inside(epsilon, name="epsilon")
    return log(least) / log(factor) if factor < 1 else float("inf")


def alpha_for(window: int) -> float:
    r"""The fading factor with the memory of a `window`.

    .. math:: \alpha = \frac{w - 1}{w + 1}

    Both then average over losses that are :math:`(w - 1) / 2` steps old on average, and have, on
    independent losses, the same variance, 1/w of that of one loss. Raises ValueError for a `window`
    that is no whole number >= 2.

    >>> round(alpha_for(1999), 6)
    0.999
    """
    steps = check_count(window, name="window", least=2)
    return (steps - 1) / (steps + 1)


def _as_epsilon(epsilon: float) -> float:
    """`epsilon` in (0, 1), and large enough to be squared."""
    return check_number(check_inside(epsilon, name="epsilon"), name="epsilon", least=1e-150)
