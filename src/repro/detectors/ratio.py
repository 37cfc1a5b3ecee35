"""The ratio of two estimates of the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, shown
from repro.detectors.estimates import Estimate, FadingEstimate, check_estimate, estimate, implements
from repro.kernels.compiling import kernel
from repro.kernels.fading import faded_sum, faded_weight

__all__ = ["ErrorRatio", "error_ratio"]

SHORT, LONG = FadingEstimate(0.997), FadingEstimate(0.999)  # the settings of the paper


class RatioState(NamedTuple):
    """The states of the two estimates."""

    short: Any
    long: Any


@dataclass(frozen=True)
class ErrorRatio(Estimate):
    r"""Ratio of a short-term to a long-term estimate of the error: above 1 where it has just risen.

    .. math:: R_i = \frac{M_{short}(i)}{M_{long}(i)}

    `short` and `long` are estimates, such as ``FadingEstimate(0.997)`` or ``SlidingEstimate(500)``,
    and `short` has the shorter memory (see `Estimate.memory`). R is 1 while `long` is 0.
    Gama, Sebastião and Rodrigues (2013), Algorithm 4, where :math:`\alpha_2` is the factor of
    `short` and :math:`\alpha_1` that of `long`. Raises ValueError for other arguments.

    >>> from repro.detectors import SlidingEstimate
    >>> ErrorRatio(SlidingEstimate(1), SlidingEstimate(2)).along([0, 1, 1, 0]).round(3).tolist()
    [1.0, 2.0, 1.0, 0.0]
    """

    short: Estimate = SHORT
    long: Estimate = LONG

    def __post_init__(self) -> None:
        for name in ("short", "long"):
            check_estimate(getattr(self, name), name=name)
        if self.short.memory >= self.long.memory:
            both = f"{shown(self.short)} and {shown(self.long)}"
            raise ValueError(f"short must have a shorter memory than long; got {both}")

    def start(self) -> RatioState:
        """Return a state that has seen no value."""
        return RatioState(self.short.start(), self.long.start())

    @property
    def memory(self) -> float:
        """Memory of `long`."""
        return self.long.memory


def error_ratio(
    loss: ArrayLike, short: float | Estimate = 0.997, long: float | Estimate = 0.999
) -> NDArray[np.float64]:
    """Return the ratio `ErrorRatio` after each of the losses (n,), shape (n,).

    The ratio detector is `page_hinkley` on this ratio, in the paper with a delta of .1 and a
    threshold of 100. Its online twin is ``Monitor(ErrorRatio(), PageHinkley())``. Source: see
    `ErrorRatio`.

    Parameters
    ----------
    loss : losses >= 0, shape (n,).
    short, long : estimates, of which `short` has the shorter memory. A number is always a fading
        factor in (0, 1] and stands for ``FadingEstimate(number)``; a window is written
        ``SlidingEstimate(window)``.

    Raises ValueError for losses that are empty or not finite, for a number outside (0, 1], for
    anything that is neither a number nor an estimate, and for a `short` that is not the shorter.

    >>> from repro.detectors import page_hinkley
    >>> loss = [0, 0, 0, 1] * 1000 + [1, 1] * 1000
    >>> page_hinkley(error_ratio(loss), delta=0.1, threshold=100).tolist()
    [4323]
    """
    ratio = ErrorRatio(_as_estimate(short, "short"), _as_estimate(long, "long"))
    if not (isinstance(ratio.short, FadingEstimate) and isinstance(ratio.long, FadingEstimate)):
        return ratio.along(loss)
    losses = as_losses(loss)
    curve = np.empty(losses.size)
    _faded_ratios(losses, float(ratio.short.alpha), float(ratio.long.alpha), curve)
    return curve


def _as_estimate(value: float | Estimate, name: str) -> Estimate:
    if isinstance(value, Estimate):
        return value
    try:
        return FadingEstimate(value)
    except ValueError as error:
        rule = "a fading factor in (0, 1] or an estimate, such as SlidingEstimate(500)"
        raise ValueError(f"{name} must be {rule}; got {shown(value)}") from error


@implements(estimate, RatioState)
def _divide(state, value):  # type: ignore[no-untyped-def]
    short, long = estimate(state.short, value), estimate(state.long, value)
    return short / long if long > 0.0 else 1.0


@kernel
def _faded_ratios(losses, short, long, curve):  # type: ignore[no-untyped-def]
    """Fill `curve` as `along` does, faster: numbers are in registers, and a state is in memory."""
    total_s = total_l = count_s = count_l = 0.0
    for i in range(losses.size):
        total_s = faded_sum(losses[i], total_s, short)
        total_l = faded_sum(losses[i], total_l, long)
        count_s = faded_weight(count_s, short)
        count_l = faded_weight(count_l, long)
        mean = total_l / count_l
        curve[i] = total_s / count_s / mean if mean > 0.0 else 1.0
