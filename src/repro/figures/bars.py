"""Measures of learners side by side."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from repro._checks import check_number

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
    ax = plt.subplots(layout="constrained")[1] if ax is None else ax
    width = 0.8 / table.shape[1]
    for j, measure in enumerate(table.columns):
        values = table[measure].to_numpy(dtype=np.float64)
        places = np.arange(len(table)) + (j - (table.shape[1] - 1) / 2) * width
        shown = np.maximum(values, low)
        spread = None if errors is None else errors[measure].where(values >= low).to_numpy()
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
