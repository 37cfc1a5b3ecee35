"""The axes that a figure function draws on: those it was given, or new ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from repro._checks import as_floats, as_list, check_kind, shown

__all__ = ["add_legend", "as_curve", "as_times", "axes_or_new", "check_axes"]


def check_axes(ax: Any) -> Axes:
    """Return `ax` if it is matplotlib's Axes."""
    return check_kind(ax, Axes, name="ax", rule="matplotlib Axes")


def axes_or_new(ax: Axes | None, size: tuple[float, float] | None = None) -> Axes:
    """`ax`, or the axes of a new figure of `size` inches if there are none."""
    if ax is None:
        return plt.subplots(layout="constrained", figsize=size)[1]
    return check_axes(ax)


def as_times(values: Iterable[float], *, name: str, keep_nan: bool = False) -> list[float]:
    """Where vertical lines stand, as numbers; nan draws nothing, and is left out if not kept."""
    is_array = isinstance(values, np.ndarray)  # with a mask, perhaps
    given = values if is_array else as_list(values, name=name, rule="numbers")
    times = as_floats(given, name=name)
    if times.ndim != 1:
        raise ValueError(f"{name} must hold one number per line; got shape {times.shape}")
    return (times if keep_nan else times[~np.isnan(times)]).tolist()


def as_curve(values: Any, *, name: str, label: Any = None) -> NDArray[np.float64]:
    """Numbers along a stream, (n,); `label` says which of the curves in an error."""
    which = name if label is None else f"{name}[{shown(label)}]"
    curve = as_floats(values, name=which)
    if curve.ndim != 1:
        raise ValueError(f"{which} must have shape (n,); got {curve.shape}")
    return curve


def add_legend(ax: Axes, **options: Any) -> None:
    """A legend without a frame, if anything has a label."""
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, **options)
