"""Expected delay of the Page-Hinkley test on an estimate, for an error rate that jumps."""

from __future__ import annotations

from math import expm1, inf, isfinite, log, sqrt

from repro._checks import as_memory, check_inside, check_number

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
    r"""Return the delay of `PageHinkley` on a faded or sliding mean of losses whose rate jumps.

    The rate jumps by :math:`J` = `after` - `before`. The estimators are linear in the losses, so
    *t* examples after the jump their expectation has risen by :math:`J r(t)`, with

    .. math:: r(t) = 1 - \alpha^t \quad\text{or}\quad r(t) = \min(t / w, 1).

    The test compares the estimate with the mean of all estimates so far, about `history`. It sums
    the difference from where the rise exceeds the gap *g*, and alarms when the sum reaches the
    threshold :math:`\lambda`. The delay *D* follows from

    .. math:: \int_{t_0}^{D} \bigl(J r(t) - g\bigr)\,dt = \lambda, \qquad
              g = \text{history} + \delta - \text{before}, \quad J r(t_0) = g,

    Where *J* is at most *g* the delay is inf: the test misses the jump. The approximation ignores
    the noise, the further rise of the mean of all estimates after the jump, and the fall of the
    error as the learner adapts. The last two make the true delay longer. The test is that of Gama,
    Sebastião and Rodrigues (2013), Section 5; the approximation is of this project.

    Parameters
    ----------
    before, after : mean loss before and after the jump, >= 0.
    alpha, window : fading factor in (0, 1), or window of the mean; one of them must be given.
    history : mean of the estimates before the jump, by default `before`. It is higher for a learner
        that was still improving.
    delta, threshold : settings of `PageHinkley`.

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
    factor, steps = as_memory(alpha, window, 10**300, required=True)
    if window is None:
        check_inside(factor, name="alpha")
    if jump <= gap:
        return inf
    # Divided by the jump, numbers to be squared are below 1: nothing can overflow.
    share, height = gap / jump, threshold / jump
    if window is not None:
        return _sliding(share, height, float(steps))
    return _fading(share, height, -log(factor))


def _sliding(gap: float, height: float, window: float) -> float:
    whole = (1 - gap) ** 2 * window / 2  # the sum when the window is full
    if whole >= height:
        return gap * window + sqrt(2 * height) * sqrt(window)
    return window + (height - whole) / (1 - gap)


def _fading(gap: float, height: float, rate: float) -> float:
    from scipy.optimize import brentq  # here: slow to import

    left = 1 - gap  # part of the jump above the gap
    start = -log(left) / rate
    most = height / left + 1 / rate
    if not isfinite(most):
        return inf

    def excess(later: float) -> float:
        return left * (later + expm1(-rate * later) / rate) - height

    # The excess is above 0 at twice `most`, whatever the rounding.
    return start + float(brentq(excess, 0.0, 2 * most, maxiter=10_000))
