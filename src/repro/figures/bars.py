"""Measures of learners side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_number
from repro.figures._axes import as_columns, as_error_bars, axes_or_new, label_axes
from repro.figures._notation import notation
from repro.figures.marks import mark_level
from repro.figures.style import SMALL, TINY, pick_colors

__all__ = ["plot_measures"]


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
        x = np.arange(len(table)) + (j - (len(columns) - 1) / 2) * width
        ax.bar(x, np.maximum(values, low), width, label=notation(columns[j]), color=color)
        if bars is not None:
            spread = np.where(values >= low, bars[:, j], np.nan)
            ax.errorbar(x, np.maximum(values, low), spread, fmt="none", ecolor="black", lw=0.8)
        _write_cut_values(ax, x, values, low)
    mark_level(ax, 0, kind="zero")
    ax.grid(axis="x", visible=False)
    ax.set_xticks(np.arange(len(table)), [str(name) for name in table.index], fontsize=SMALL)
    return label_axes(ax, axis, ylim=(low, 1.02))


def _write_cut_values(
    ax: Axes, x: NDArray[np.floating], values: NDArray[np.floating], low: float
) -> None:
    """Write each value below `low` into its bar."""
    for i in np.flatnonzero(values < low):
        look: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom"}
        ax.text(x[i], 0.98 * low, f"{values[i]:.1f}", color="white", fontsize=TINY, **look)
