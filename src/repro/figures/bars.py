"""Measures of learners side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from repro._checks import check_frame, check_number
from repro.figures._axes import axes_or_new

__all__ = ["plot_measures"]


def plot_measures(
    table: pd.DataFrame,
    *,
    errors: pd.DataFrame | None = None,
    floor: float = -1.0,
    ax: Axes | None = None,
) -> Axes:
    """A group of bars for each row of `table` (a learner), a bar for each column (a measure).

    `errors`, of the same shape, are half the lengths of error bars. Values may have no lower end,
    as `repro.metrics.kappa_temporal`: a bar that falls below `floor` is cut there, and its value is
    written beside it. A bar of nan is left out.
    """
    low = check_number(floor, name="floor")
    table = check_frame(table, name="table", numbers=list(_columns(table)))
    if not table.shape[1]:
        raise ValueError(f"table must have at least one column; got shape {table.shape}")
    if errors is not None:
        errors = check_frame(errors, table.columns, name="errors", numbers=list(_columns(errors)))
        if errors.shape != table.shape:
            raise ValueError(
                f"errors must have the shape of table, {table.shape}; got {errors.shape}"
            )
    ax = axes_or_new(ax)
    width = 0.8 / table.shape[1]
    for j, measure in enumerate(table.columns):
        values = table[measure].to_numpy(dtype=np.float64)
        places = np.arange(len(table)) + (j - (table.shape[1] - 1) / 2) * width
        shown = np.maximum(values, low)
        spread = None if errors is None else np.where(values >= low, errors[measure], np.nan)
        ax.bar(places, shown, width, label=str(measure), color=f"C{j}")
        if spread is not None:
            ax.errorbar(places, shown, spread, fmt="none", ecolor="black", elinewidth=0.8)
        for place, value in zip(places, values, strict=True):
            if value < low:
                text = f"{value:.1f}"
                words = ax.text(place, 0.98 * low, text, rotation=90, ha="center", va="bottom")
                words.set(fontsize=7.5, color="white")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xticks(np.arange(len(table)), [str(name) for name in table.index], fontsize="small")
    ax.set_ylim(low, 1.02)
    return ax


def _columns(table: Any) -> Any:
    return table.columns if isinstance(table, pd.DataFrame) else ()
