"""Curves with a band around each, such as the mean of several runs and two standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, check_flag, check_mapping, shown
from repro.figures._axes import as_curve, axes_or_new, label_axes, notation
from repro.figures.style import WIDTH, pick_looks

__all__ = ["plot_bands"]

RULE = "names to a centre and a half-width"


def plot_bands(
    t: ArrayLike,
    curves: Mapping[str, tuple[ArrayLike, ...]],
    *,
    percent: bool = True,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """A line and the band around it for each of the `curves`; the axis need not begin at 0.

    Parameters
    ----------
    t : times of the values, (m,)
    curves : label of each curve to its centre and half-width, or to its centre, lower and upper
        end, each (m,) or a number; a band of no width is not drawn
    percent : whether the values are shares of 1, drawn in percent
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    ax = axes_or_new(ax)
    times = as_curve(t, name="t")
    scale = 100 if check_flag(percent, name="percent") else 1
    bands = check_mapping(curves, name="curves", rule=RULE)
    for (label, parts), look in zip(bands.items(), pick_looks(ax, bands), strict=True):
        centre, low, high = scale * _band(parts, times.shape, label)
        line: dict[str, Any] = {"color": look.color, "linestyle": look.line, "linewidth": WIDTH}
        ax.plot(times, centre, label=notation(label), **line)
        if np.any(high > low):
            ax.fill_between(times, low, high, color=look.color, alpha=0.2, lw=0)
    return label_axes(ax, axis, xlabel="Examples seen", ylabel="Error [%]")


def _band(parts: Any, shape: tuple[int, ...], label: Any) -> NDArray[np.float64]:
    """Centre, lower end and upper end, (3, m)."""
    name = f"curves[{shown(label)}]"
    if not isinstance(parts, tuple | list | np.ndarray) or len(parts) not in (2, 3):
        raise ValueError(f"{name} must be a centre and a half-width; got {shown(parts)}")
    values = [as_floats(part, name=name) for part in parts]
    for part in values:
        if part.shape not in ((), shape):
            raise ValueError(f"{name} must have one value per t, {shape}; got {part.shape}")
    centre, *ends = (np.broadcast_to(part, shape) for part in values)
    low, high = ends if len(ends) == 2 else (centre - ends[0], centre + ends[0])
    return np.stack([centre, low, high])
