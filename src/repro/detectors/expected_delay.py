"""How late the Page-Hinkley test on an estimate is, from the error before and after a change."""

from __future__ import annotations

from math import expm1, inf, isfinite, log, nan, sqrt

from scipy.optimize import brentq

from repro._checks import check_count, check_inside, check_number, shown

__all__ = ["expected_delay"]


def expected_delay(
    before: float,
    after: float,
    *,
    alpha: float | None = None,
    window: int | None = None,
    history: float | None = None,
    delta: float = 0.1,
    threshold: float = 100.0,
) -> float:
    r"""Delay of `PageHinkley` on a faded or sliding mean of losses whose rate jumps.

    The estimators are linear in the losses, so that *t* examples after a jump from *before* to
    *after*, :math:`J` = *after* - *before*, their expectation has risen by :math:`J r(t)`, with

    .. math:: r(t) = 1 - \alpha^t \quad\text{or}\quad r(t) = \min(t / w, 1).

    The test compares it with the mean of all the estimates so far, about `history`, and adds up

    .. math:: \int_{t_0}^{D} \bigl(J r(t) - g\bigr)\,dt = \lambda, \qquad
              g = \text{history} + \delta - \text{before}, \quad J r(t_0) = g,

    from where the rise exceeds the gap *g* up to the threshold :math:`\lambda`: *D* is the delay.
    It is inf, a miss, where *J* is at most *g*. Three things are left out: the noise; that the
    mean of all estimates goes on rising after the jump; and that the error falls again as the
    learner adapts. The last two make the true delay longer. The test is that of Gama, Sebastião and
    Rodrigues (2013), Section 5; the approximation is of this project.

    Give a fading factor `alpha` in (0, 1) or a `window`. `history` is the mean of the estimates
    before the jump, default `before`: a learner that still improved has the higher one.
    Raises ValueError for other arguments, and where *g* is not positive.

    >>> round(expected_delay(0.26, 0.9, window=1000))  # (J/2w) (D - gw/J)^2 = 100
    715
    >>> expected_delay(0.26, 0.36, alpha=0.997)
    inf
    """
    before = check_number(before, name="before", least=0)
    after = check_number(after, name="after", least=0)
    threshold = check_number(threshold, name="threshold", above=0)
    mean = before if history is None else check_number(history, name="history", least=0)
    jump = after - before
    gap = mean + check_number(delta, name="delta", least=0) - before
    if gap <= 0:
        raise ValueError(
            f"history + delta must be above before; got {mean!r}, {delta!r}, {before!r}"
        )
    if (alpha is None) == (window is None):
        given = f"{shown(alpha)} and {shown(window)}"
        raise ValueError(f"alpha or window must be given; got {given}")
    steps = check_count(window, name="window") if window is not None else 1
    rate = -log(check_inside(alpha, name="alpha")) if alpha is not None else nan
    if jump <= gap:
        return inf
    # In units of the jump: what is squared is a share, and nothing can overflow.
    share, height = gap / jump, threshold / jump
    if window is not None:
        return _sliding(share, height, float(min(steps, 10**300)))
    return _fading(share, height, rate)


def _sliding(gap: float, height: float, window: float) -> float:
    whole = (1 - gap) ** 2 * window / 2  # the sum when the window has filled
    if whole >= height:
        return gap * window + sqrt(2 * height) * sqrt(window)
    return window + (height - whole) / (1 - gap)


def _fading(gap: float, height: float, rate: float) -> float:
    left = 1 - gap  # of the jump, where the rise reaches the gap
    start = -log(left) / rate
    most = height / left + 1 / rate
    if not isfinite(most):
        return inf

    def excess(later: float) -> float:
        return left * (later + expm1(-rate * later) / rate) - height

    # Above 0 at twice `most`, and not by rounding.
    return start + float(brentq(excess, 0.0, 2 * most, maxiter=10_000))
