"""Means of learners side by side, each a point with its spread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro.figures._axes import as_columns, as_error_bars, axes_or_new, label_axes
from repro.figures._notation import notation
from repro.figures.style import SIZE, SMALL, WIDTH, pick_looks

__all__ = ["plot_means"]


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
    for j, own in enumerate(pick_looks(ax, columns)):
        x = np.arange(len(table)) + (j - (len(columns) - 1) / 2) * step
        look: dict[str, Any] = {
            "color": own.color,
            "marker": own.marker,
            "markersize": SIZE,
            "linestyle": "",
            "elinewidth": WIDTH,
            "label": notation(columns[j]),
        }
        half = None if bars is None else bars[:, j]
        ax.errorbar(x, table.iloc[:, j].to_numpy(dtype=np.float64), half, **look)
    ax.grid(axis="x", visible=False)
    ax.set_xticks(np.arange(len(table)), [str(name) for name in table.index], fontsize=SMALL)
    return label_axes(ax, axis)
