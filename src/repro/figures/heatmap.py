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
    """A cell for each number of `table`, with its value; the darker, the higher.

    Parameters
    ----------
    table : values; a nan has an empty cell
    center : the value without a colour, such as 0 for differences: what is below it is blue, what
        is above it red; one scale of greens if None
    reach : how far from `center` the colours go on; by default, to the number farthest from it
    decimals : digits after the point
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    table = as_columns(table)
    check_count(decimals, name="decimals", least=0)
    look: dict[str, Any] = {"cmap": "crest"}
    if center is not None:
        center = check_number(center, name="center")
        far = np.abs(table.to_numpy(dtype=np.float64) - center)
        far = far[np.isfinite(far)].max(initial=0.0) if reach is None else reach
        far = check_number(far, name="reach", least=0) or 1.0
        look = {"cmap": "vlag", "vmin": center - far, "vmax": center + far}
    elif reach is not None:
        raise ValueError(f"reach must be None without a center; got {reach}")
    ax = axes_or_new(ax)
    look |= {"fmt": f".{decimals}f", "annot_kws": {"size": TINY}, "cbar": False}
    written = table.to_numpy(dtype=np.float64).round(decimals) + 0.0  # no -0.0
    sns.heatmap(table.rename(index=notation, columns=notation), annot=written, **look, ax=ax)
    ax.tick_params(axis="y", rotation=0)
    return label_axes(ax, axis, xlabel="", ylabel="")
