"""Columns of a table with their error bars: as bars, as points, or as lines over the index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_choice, check_frame, check_number
from repro.figures._axes import (
    as_columns,
    as_curve,
    as_error_bars,
    axes_or_new,
    label_axes,
    notation,
)
from repro.figures.marks import mark_level
from repro.figures.style import MARKERS, SIZE, SMALL, TINY, WIDTH, pick_colors, pick_looks

__all__ = ["plot_means", "plot_measures", "plot_points"]


def plot_measures(
    table: pd.DataFrame,
    *,
    error_bars: ArrayLike | pd.DataFrame | None = None,
    floor: float = -1.0,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """A group of bars for each row of `table` (a learner), a bar for each column (a measure).

    Parameters
    ----------
    table : values; nan has no bar
    error_bars : half their lengths, such as two standard errors, in the shape of `table`
    floor : a value below it is cut there and written into its bar: some measures, such as
        `repro.metrics.kappa_temporal`, have no least value
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    low = check_number(floor, name="floor")
    table = as_columns(table)
    columns = list(table.columns)
    bars = as_error_bars(error_bars, table)
    ax = axes_or_new(ax)
    width = 0.8 / len(columns)
    for j, color in enumerate(pick_colors(ax, columns)):
        values = table.iloc[:, j].to_numpy(dtype=np.float64)
        x = _beside(table, j, width)
        ax.bar(x, np.maximum(values, low), width, label=notation(columns[j]), color=color)
        if bars is not None:
            spread = np.where(values >= low, bars[:, j], np.nan)
            ax.errorbar(x, np.maximum(values, low), spread, fmt="none", ecolor="black", lw=0.8)
        _write_cut_values(ax, x, values, low)
    mark_level(ax, 0, kind="zero")
    _name_rows(ax, table)
    return label_axes(ax, axis, ylim=(low, 1.02))


def plot_means(
    table: pd.DataFrame,
    *,
    error_bars: ArrayLike | pd.DataFrame | None = None,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """A group of points for each row of `table` (a learner), a point for each column.

    Unlike the bars of `plot_measures`, points need no common origin: small differences show.

    Parameters
    ----------
    table : values; nan has no point
    error_bars : half their lengths, such as a standard deviation, in the shape of `table`
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = as_columns(table)
    columns = list(table.columns)
    bars = as_error_bars(error_bars, table)
    ax = axes_or_new(ax)
    step = 0.7 / len(columns)
    for j, style in enumerate(pick_looks(ax, columns)):
        x = _beside(table, j, step)
        look: dict[str, Any] = {
            "color": style.color,
            "marker": style.marker,
            "markersize": SIZE,
            "linestyle": "",
            "elinewidth": WIDTH,
            "label": notation(columns[j]),
        }
        half = None if bars is None else bars[:, j]
        ax.errorbar(x, table.iloc[:, j].to_numpy(dtype=np.float64), half, **look)
    _name_rows(ax, table)
    return label_axes(ax, axis)


def plot_points(
    table: pd.DataFrame | pd.Series,
    *,
    error_bars: ArrayLike | pd.DataFrame | None = None,
    line: str | None = None,
    marker: str | None = None,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """The columns of `table` against its index, which holds numbers; nan is left out.

    Parameters
    ----------
    table : a column per line or a series, whose names become the entries of the legend
    error_bars : half their lengths, such as two standard errors, in the shape of `table`
    line : style of the line that joins the points: "-", "--", "-.", ":", or "" for none; that of
        the name if None
    marker : one of `repro.figures.style.MARKERS`, or "" for none; that of the name if None
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = table.to_frame() if isinstance(table, pd.Series) else table
    columns = table.columns if isinstance(table, pd.DataFrame) else ()
    table = check_frame(table, name="table", numbers=list(columns))
    x, bars = as_curve(table.index, name="table.index"), as_error_bars(error_bars, table)
    if line is not None:
        check_choice(line, ("-", "--", "-.", ":", ""), name="line")
    if marker is not None:
        check_choice(marker, ("", *MARKERS), name="marker")
    ax = axes_or_new(ax)
    for j, style in enumerate(pick_looks(ax, table.columns)):
        y = table.iloc[:, j].to_numpy(dtype=np.float64)
        finite = np.isfinite(y)
        look: dict[str, Any] = {
            "color": style.color,
            "linestyle": style.line if line is None else line,
            "linewidth": WIDTH,
            "marker": style.marker if marker is None else marker,
            "markersize": SIZE,
            "label": notation(table.columns[j]),
        }
        if bars is None:
            ax.plot(x[finite], y[finite], **look)
        else:
            ax.errorbar(x[finite], y[finite], bars[finite, j], **look)
    return label_axes(ax, axis)


def _beside(table: pd.DataFrame, j: int, width: float) -> NDArray[np.float64]:
    """Where column `j` stands in the group of each row, (m,), if it takes `width`."""
    return np.arange(len(table)) + (j - (table.shape[1] - 1) / 2) * width


def _name_rows(ax: Axes, table: pd.DataFrame) -> None:
    ax.grid(axis="x", visible=False)
    ax.set_xticks(np.arange(len(table)), [str(name) for name in table.index], fontsize=SMALL)


def _write_cut_values(
    ax: Axes, x: NDArray[np.floating], values: NDArray[np.floating], low: float
) -> None:
    """Write each value below `low` into its bar."""
    for i in np.flatnonzero(values < low):
        look: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom"}
        ax.text(x[i], 0.98 * low, f"{values[i]:.1f}", color="white", fontsize=TINY, **look)
