"""Published and reproduced numbers in one picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from repro._checks import check_frame
from repro.figures._axes import add_legend, axes_or_new

__all__ = ["plot_agreement"]


def plot_agreement(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Difference of every cell that was run, with the bar of what the seeds allow (2 s.e.).

    `comparison` is the frame of `published.compare`: a group of bars per stream and a colour per
    learner, in the published order. A bar that reaches the line at 0 agrees; the others have a
    red ring.
    """
    numbers = ["difference", "s.e. of difference"]
    columns = ["stream", "learner", *numbers, "verdict"]
    comparison = check_frame(comparison, columns, name="comparison", numbers=numbers)
    ax = axes_or_new(ax, (7, 6.5))
    run = comparison[comparison["verdict"] != "not run"]
    streams, learners = comparison["stream"].unique(), run["learner"].unique()
    shifts = np.linspace(-0.36, 0.36, len(learners))
    for learner, shift in zip(learners, shifts, strict=True):
        cells = run[run["learner"] == learner]
        height = [list(streams).index(name) + shift for name in cells["stream"]]
        bars = 2 * cells["s.e. of difference"]
        ax.errorbar(cells["difference"], height, xerr=bars, fmt="o", markersize=3.5, label=learner)
        off = (cells["verdict"] == "differs").to_numpy()
        ax.plot(
            cells["difference"][off], np.array(height)[off], "o", color="red", ms=10, mfc="none"
        )
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlabel="Reproduced - published [points], with 2 s.e.", yticks=range(len(streams)))
    ax.set_yticklabels(streams)
    ax.invert_yaxis()
    add_legend(ax, loc="center left", bbox_to_anchor=(1, 0.5))
    return ax
