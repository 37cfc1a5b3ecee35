r"""Boundaries of sums that hold at every time: a mixture over lambda, and a closed formula.

`repro.statistics.anytime` states the supermartingale; `c` is the length of the interval in which
the values lie, `squares` its :math:`V_t`, and `level` the probability to leave a boundary.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, gammainc, gammaln, zeta

from repro.statistics.estimates import Floats

__all__ = ["RHO", "log_discordant", "log_mixture", "mixture_bound", "squared_deviations"]
__all__ += ["stitched_bound"]

TIGHTEST_AT = 50.0  # sum of squares at which the mixture is tightest, in squares of c
# Of the stitched boundary, as in the paper: it grows by epochs of factor ETA.
ETA, POWER = 2.0, 1.4
MOST_STEPS, ENOUGH = 60, 1e-10  # of Newton's method; seven are usual


def squared_deviations(x: Floats, middle: float) -> Floats:
    """Sum of squared distances from the mean of the values before, and of `middle`."""
    before = (middle + np.cumsum(x) - x) / np.arange(1, x.size + 1)
    return np.cumsum((x - before) ** 2)


def stitched_bound(squares: Floats, level: float, c: float) -> Floats:
    """Howard and others (2021), Eq. 10, with s = 1.4, eta = 2 and m = c²."""
    v = np.maximum(squares, c**2)
    constant = np.log(zeta(POWER) / (level * np.log(ETA) ** POWER))
    ell = POWER * np.log(np.log(ETA * v / c**2)) + constant
    k1, k2 = (ETA**0.25 + ETA**-0.25) / np.sqrt(2), (np.sqrt(ETA) + 1) / 2
    return np.asarray(k1 * np.sqrt(v * ell) + k2 * c * ell)


def _rho(level: float) -> float:
    """The parameter with which the mixture is tightest at `TIGHTEST_AT`, in squares of c."""
    return float(TIGHTEST_AT / (2 * np.log(1 / level) + np.log(1 + 2 * np.log(1 / level))))


RHO = _rho(0.025)  # of all evidence, whatever the confidence of the interval
AT_0 = -(np.log(gammainc(RHO, RHO)) - RHO * np.log(RHO) + gammaln(RHO))  # the mixture is 1 at 0


def log_mixture(total: Floats, squares: Floats, c: float) -> Floats:
    """Logarithm of the mixture; -inf where it is below all floats.

    The density of 1 - c lambda is a gamma's, cut at 1: Howard and others (2021), Proposition 9.
    """
    return _mixture_and_shape(total / c, squares / c**2)[0]


def _mixture_and_shape(s: Floats, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The logarithm in units of c, the parameters of the gamma distribution, and its share."""
    a, x = v + RHO, np.maximum(s + v + RHO, 0.0)
    share = gammainc(a, x)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(share) - a * np.log(x) + gammaln(a) + s + v + AT_0
    return np.where(np.isnan(found) | (x <= 0), -np.inf, found), a, x, share


def mixture_bound(squares: Floats, level: float, c: float) -> Floats:
    """Where the mixture is 1 / level, by Newton's method from above.

    The logarithm is convex in the sum, so that each step stays on the far side of the root.
    """
    v, log = squares / c**2, np.log(1 / level)
    s = np.sqrt((v + RHO) * (2 * log + np.log1p(v / RHO))) + 2 * log + 4  # beyond the root
    moving = np.arange(s.size)
    for _ in range(MOST_STEPS):
        found, a, x, share = _mixture_and_shape(s[moving], v[moving])
        density = np.exp((a - 1) * np.log(x) - x - gammaln(a)) / share
        step = np.maximum((found - log) / (density - a / x + 1), 0.0)
        s[moving] -= step
        moving = moving[step > ENOUGH * s[moving]]
        if not moving.size:
            break
    return np.asarray(c * s)


def log_discordant(d: Floats) -> Floats:
    """Logarithm of McNemar's evidence at any time, from the differences of losses of 0 and 1."""
    n01, n10 = np.cumsum(d > 0), np.cumsum(d < 0)
    log = (n01 + n10) * np.log(2) + betaln(0.5 + n01, 0.5 + n10) - betaln(0.5, 0.5)
    return np.asarray(log)
