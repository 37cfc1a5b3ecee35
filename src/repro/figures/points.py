"""Values against a setting: one line per column of a table, with error bars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro._checks import check_choice, check_frame
from repro.figures._axes import as_curve, as_error_bars, axes_or_new, label_axes
from repro.figures._notation import notation
from repro.figures.style import MARKERS, SIZE, WIDTH, pick_looks

__all__ = ["plot_points"]


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
    for j, own in enumerate(pick_looks(ax, table.columns)):
        y = table.iloc[:, j].to_numpy(dtype=np.float64)
        known = np.isfinite(y)
        look: dict[str, Any] = {
            "color": own.color,
            "linestyle": own.line if line is None else line,
            "linewidth": WIDTH,
            "marker": own.marker if marker is None else marker,
            "markersize": SIZE,
            "label": notation(table.columns[j]),
        }
        if bars is None:
            ax.plot(x[known], y[known], **look)
        else:
            ax.errorbar(x[known], y[known], bars[known, j], **look)
    return label_axes(ax, axis)
