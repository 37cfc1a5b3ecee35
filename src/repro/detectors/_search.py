"""The parameter of a detector at which its runs have the wanted mean length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["CLOSE", "between"]

CLOSE = 1e-3  # relative precision of a parameter


def between(
    mean_length: Callable[[float], float], target: float, least: float, most: float
) -> float:
    """Return the parameter nearest to where the mean length falls below `target`.

    The mean length there is at least `target`. The range is halved by ratios if it is positive, by
    differences otherwise.

    Parameters
    ----------
    mean_length : of the runs at a value of the parameter.
    target : wanted mean length.
    least, most : values between which it lies.

    Raises ValueError if the mean lengths at both ends are below the target, or both above.
    """
    short, long = sorted((least, most), key=mean_length)
    reached = [mean_length(bound) for bound in (short, long)]
    if not reached[0] <= target <= reached[1]:
        rule = f"arl0 must lie in {reached[0]:g}..{reached[1]:g}, which the bounds reach"
        raise ValueError(f"{rule}; got {target:g}")
    while abs(long - short) > CLOSE * max(abs(long), abs(short)):
        middle = float(np.sqrt(short * long)) if least > 0 else (short + long) / 2
        is_long = mean_length(middle) >= target
        short, long = (short, middle) if is_long else (middle, long)
    return long
