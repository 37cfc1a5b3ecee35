"""Values against a setting: one line per column of a table, with error bars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, check_frame, check_text
from repro.figures._axes import as_curve, axes_or_new, label_axes
from repro.figures.style import SIZE, WIDTH, marker_of, pick_colors

__all__ = ["as_error_bars", "plot_points"]


def plot_points(
    table: pd.DataFrame | pd.Series,
    *,
    error_bars: ArrayLike | pd.DataFrame | None = None,
    line: str = "-",
    marker: str | None = None,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """The columns of `table` against its index, which holds numbers; nan is left out.

    Parameters
    ----------
    table : a column per line or a series, whose names become the entries of the legend
    error_bars : half their lengths, such as two standard errors, in the shape of `table`
    line : style of the line that joins the points: "-", "--", ":", or "" for none
    marker : of the points, as in matplotlib; one for each colour if None, "" for none
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = table.to_frame() if isinstance(table, pd.Series) else table
    columns = table.columns if isinstance(table, pd.DataFrame) else ()
    table = check_frame(table, name="table", numbers=list(columns))
    x, bars = as_curve(table.index, name="table.index"), as_error_bars(error_bars, table)
    check_text(line, name="line")
    ax = axes_or_new(ax)
    for j, color in enumerate(pick_colors(ax, table.columns)):
        y = table.iloc[:, j].to_numpy(dtype=np.float64)
        known = np.isfinite(y)
        look: dict[str, Any] = {
            "color": color,
            "linestyle": line,
            "linewidth": WIDTH,
            "marker": marker_of(color) if marker is None else marker,
            "markersize": SIZE,
            "label": str(table.columns[j]),
        }
        if bars is None:
            ax.plot(x[known], y[known], **look)
        else:
            ax.errorbar(x[known], y[known], bars[known, j], **look)
    return label_axes(ax, axis)


def as_error_bars(given: Any, table: pd.DataFrame) -> NDArray[np.float64] | None:
    """Return `given` as an array of the shape of `table`; None means no error bars."""
    if given is None:
        return None
    if isinstance(given, pd.DataFrame):
        columns = list(table.columns)
        given = check_frame(given, columns, name="error_bars", numbers=columns)[columns]
    bars = as_floats(given, name="error_bars")
    bars = bars[:, None] if bars.ndim == 1 else bars
    if bars.shape != table.shape:
        rule = f"error_bars must have the shape of table, {table.shape}"
        raise ValueError(f"{rule}; got {bars.shape}")
    return bars
