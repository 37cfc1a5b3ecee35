"""A table of numbers as coloured cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from repro._checks import check_count, check_number
from repro.figures._axes import as_columns, axes_or_new, label_axes, notation
from repro.figures.style import TINY

__all__ = ["plot_heatmap"]


def plot_heatmap(
    table: pd.DataFrame,
    *,
    center: float | None = None,
    reach: float | None = None,
    decimals: int = 1,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """A coloured cell for each number of `table`, with the number in it.

    Parameters
    ----------
    table : values; a nan has an empty cell
    center : the value without a colour, such as 0 for differences: what is below it is blue, what
        is above it red; if None, the higher a number, the darker its green
    reach : how far from `center` the colours go on; by default, to the number farthest from it
    decimals : digits after the point
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = as_columns(table)
    if not len(table):
        raise ValueError(f"table must have at least one row; got shape {table.shape}")
    decimals = check_count(decimals, name="decimals", least=0, most=15)
    values = table.to_numpy(dtype=np.float64)
    finite = values[np.isfinite(values)]
    look: dict[str, Any] = {"fmt": f".{decimals}f", "annot_kws": {"size": TINY}, "cbar": False}
    if center is not None:
        center = check_number(center, name="center")
        far = np.abs(finite - center).max(initial=0.0) if reach is None else reach
        far = check_number(far, name="reach", least=0) or 1.0
        look |= {"cmap": "vlag", "vmin": center - far, "vmax": center + far}
    elif reach is not None:
        raise ValueError(f"reach must be None without a center; got {reach}")
    else:
        ends = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        look |= {"cmap": "crest", "vmin": ends[0], "vmax": ends[1]}
    ax = axes_or_new(ax)
    written = values.round(decimals) + 0.0  # no -0.0
    sns.heatmap(table.rename(index=notation, columns=notation), annot=written, **look, ax=ax)
    ax.tick_params(axis="y", rotation=0)
    return label_axes(ax, axis, xlabel="", ylabel="")
