"""Several runs as a mean and what surrounds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, check_mapping, shown
from repro.figures._axes import as_curve, axes_or_new

__all__ = ["plot_bands"]

RULE = "names to a centre and a half-width"


def plot_bands(
    t: ArrayLike, curves: Mapping[str, tuple[ArrayLike, ArrayLike]], *, ax: Axes | None = None
) -> Axes:
    """Error in percent at the times `t` (m,): for each name a centre and a half-width, both (m,).

    The centre is a line and the band reaches the half-width, such as two standard errors, to both
    sides; both are shares of 1. A half-width of 0 draws the line alone. The axis does not begin
    at 0.
    """
    ax = axes_or_new(ax)
    times = as_curve(t, name="t")
    for label, pair in check_mapping(curves, name="curves", rule=RULE).items():
        centre, half = _band(pair, times.shape, label)
        (line,) = ax.plot(times, centre, label=str(label), linewidth=1.1)
        if np.any(half > 0):
            color = line.get_color()
            ax.fill_between(times, centre - half, centre + half, color=color, alpha=0.2, lw=0)
    ax.set(xlabel="Examples seen", ylabel="Error [%]")
    return ax


def _band(pair: Any, shape: tuple[int, ...], label: Any) -> NDArray[np.float64]:
    """Centre and half-width in percent, (2, m)."""
    name = f"curves[{shown(label)}]"
    if not isinstance(pair, tuple | list | np.ndarray) or len(pair) != 2:
        raise ValueError(f"{name} must be a centre and a half-width; got {shown(pair)}")
    values = [as_floats(part, name=name) for part in pair]
    for part in values:
        if part.shape not in ((), shape):
            raise ValueError(f"{name} must have one value per t, {shape}; got {part.shape}")
    return 100 * np.stack([np.broadcast_to(part, shape) for part in values])
