"""Number of examples that an estimate of the error needs."""

from __future__ import annotations

from math import log

from repro._checks import check_inside, check_number

__all__ = ["as_epsilon", "hoeffding_sample_size"]


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
