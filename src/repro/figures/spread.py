"""How numbers spread: their quartiles as boxes, or each of them as a point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from pandas.api.types import is_numeric_dtype

from repro._checks import check_frame, check_text
from repro.figures._axes import as_columns, axes_or_new, label_axes, notation
from repro.figures.style import SIZE, pick_colors

__all__ = ["plot_boxes", "plot_strip"]


def plot_boxes(table: pd.DataFrame, *, ax: Axes | None = None, **axis: Any) -> Axes:
    """A horizontal box for each column of `table`, over its rows.

    The box has the quartiles and the median, the whiskers reach from 5 % to 95 % of the numbers,
    and the others are points.

    Parameters
    ----------
    table : values; nan is left out
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = as_columns(table)
    names = list(table.columns)
    numbers = [table.iloc[:, j].dropna().to_numpy(dtype=np.float64) for j in range(len(names))]
    if not all(np.isfinite(column).all() for column in numbers):
        raise ValueError("table must hold finite numbers or nan; got inf")
    ax = axes_or_new(ax, (6.4, 0.6 + 0.5 * len(names)))
    look: dict[str, Any] = {"orientation": "horizontal", "whis": (5, 95), "widths": 0.5}
    look |= {"flierprops": {"marker": ".", "markersize": SIZE}, "medianprops": {"color": "black"}}
    drawn = ax.boxplot(numbers, positions=range(len(names)), patch_artist=True, **look)
    for box, color in zip(drawn["boxes"], pick_colors(ax, names), strict=True):
        box.set_facecolor(color)
    ax.set_yticks(range(len(names)), [notation(name) for name in names])
    ax.invert_yaxis()
    return label_axes(ax, axis)


def plot_strip(
    frame: pd.DataFrame, *, x: str, y: str, hue: str, ax: Axes | None = None, **axis: Any
) -> Axes:
    """A point for each row of `frame`, side by side for each value of the column `hue`.

    The legend of all panels of a figure is `shared_legend`.

    Parameters
    ----------
    frame : one row per point
    x, y : the columns of the two axes, one of numbers and one of names, which stand in the order in
        which they come first
    hue : the column of the colours; the same name has the same colour in every figure
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    x, y, hue = (check_text(value, name=name) for name, value in (("x", x), ("y", y), ("hue", hue)))
    frame = check_frame(frame, [x, y, hue], name="frame")
    if not len(frame):
        raise ValueError("frame must have at least one row; got none")
    have_names = [column for column in (x, y) if not is_numeric_dtype(frame[column])]
    if len(have_names) != 1:
        raise ValueError(f"x and y must be a column of numbers and one of names; got {x} and {y}")
    for column in (*have_names, hue):
        if frame[column].isna().any():
            raise ValueError(f"frame must have a name in each row of {column}; got a missing one")
    ax = axes_or_new(ax)
    names, groups = list(frame[have_names[0]].unique()), list(frame[hue].unique())
    colors = dict(zip(groups, pick_colors(ax, groups), strict=True))
    look: dict[str, Any] = {"dodge": True, "jitter": False, "size": 4, "alpha": 0.7}
    look |= {"order": names, "hue_order": groups, "palette": colors}
    sns.stripplot(frame, x=x, y=y, hue=hue, **look, ax=ax)
    if (inside := ax.get_legend()) is not None:
        inside.remove()
    labels, ends = [notation(name) for name in names], (-0.5, len(names) - 0.5)
    if have_names == [x]:  # seaborn leaves ticks beside the names
        ax.set(xlim=ends)
        ax.set_xticks(range(len(names)), labels)
    else:
        ax.set(ylim=ends[::-1])
        ax.set_yticks(range(len(names)), labels)
    return label_axes(ax, axis)
