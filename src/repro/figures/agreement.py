"""Published and reproduced numbers in one picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from repro._checks import check_frame
from repro.figures._axes import add_legend, axes_or_new
from repro.figures.style import LINES, RING, pick_looks

__all__ = ["plot_agreement"]


def plot_agreement(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Difference of every cell that was run, with its resolution as a bar.

    `comparison` is the frame of `published.compare`: a group of bars per stream and a colour per
    learner, in the published order. The bar of a cell that agrees, or is too coarse to tell,
    reaches the line at 0; a cell that differs has a red ring.
    """
    numbers = ["difference", "resolution"]
    columns = ["stream", "learner", *numbers, "verdict"]
    comparison = check_frame(comparison, columns, name="comparison", numbers=numbers)
    ax = axes_or_new(ax, (7, 6.5))
    run = comparison[comparison["verdict"] != "not run"]
    streams, learners = comparison["stream"].unique(), run["learner"].unique()
    shifts = np.linspace(-0.36, 0.36, len(learners))
    for learner, shift, style in zip(learners, shifts, pick_looks(ax, learners), strict=True):
        cells = run[run["learner"] == learner]
        height = [list(streams).index(name) + shift for name in cells["stream"]]
        bars = cells["resolution"]
        look: dict[str, Any] = {"fmt": style.marker, "markersize": 3.5, "color": style.color}
        ax.errorbar(cells["difference"], height, xerr=bars, label=learner, **look)
        off = (cells["verdict"] == "differs").to_numpy()
        ax.plot(cells["difference"][off], np.array(height)[off], **RING)
    ax.axvline(0, **LINES["zero"])
    ax.set(xlabel="Reproduced - published [points], with resolution", yticks=range(len(streams)))
    ax.set_yticklabels(streams)
    ax.invert_yaxis()
    add_legend(ax)
    return ax
