"""Mean ranks with Nemenyi's critical difference: which learners cannot be told apart."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from leagues.pareto import save
from repro import figures
from repro.statistics import critical_difference

__all__ = ["draw", "picture"]

HEIGHT = 0.16  # inches of a row


def picture(places: pd.DataFrame, n_streams: int) -> Figure:
    """Mean rank of each learner, with a bar of half the critical difference to both sides.

    Two learners whose bars do not overlap differ by more than the critical difference. Bars right
    of the dashed line do not overlap with that of the best by mean rank.

    Parameters
    ----------
    places : the first frame of `leagues.standings`, with ``rank``.
    n_streams : over which the ranks are means.
    """
    ranks = places["rank"].astype(float).sort_values(kind="stable")
    half = critical_difference(len(ranks), n_streams) / 2
    is_worse = (ranks - ranks.iloc[0] > 2 * half).to_numpy()
    with figures.theme():
        size = 7.2, 1.0 + HEIGHT * len(ranks)
        fig, ax = plt.subplots(figsize=size, layout="constrained")
        rows = np.arange(len(ranks))
        for worse, colour, label in (
            (False, "C0", "not told apart from the best"),
            (True, "0.5", "worse than the best"),
        ):
            own = is_worse == worse
            bars = {"xerr": half, "fmt": "o", "ms": 3, "lw": 1, "color": colour, "label": label}
            ax.errorbar(ranks[own], rows[own], **bars)
        ax.axvline(ranks.iloc[0] + half, color="0.6", linestyle="--", lw=0.8, zorder=0)
        ax.set_yticks(rows, ranks.index, fontsize="x-small")
        ax.set(xlabel="Mean rank over the streams", ylim=(len(ranks) - 0.5, -0.5))
        ax.legend(loc="lower left")
    return fig


def draw(places: pd.DataFrame, n_streams: int, path: Path) -> None:
    """Write the picture to `path`."""
    save(picture(places, n_streams), path)
