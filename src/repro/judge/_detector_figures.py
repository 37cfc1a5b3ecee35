"""Figures of a report on detectors."""

from __future__ import annotations

from typing import Any

import pandas as pd

from repro import figures
from repro.judge._detector_losses import KINDS
from repro.judge._detector_tables import ARL1, RATE

__all__ = ["delays_figure", "tradeoff_figure"]


def tradeoff_figure(table: pd.DataFrame) -> Any:
    """ARL1 of a sudden change against false alarms, a line per detector."""
    ax = figures.plot_tradeoff(table, x=RATE, y=ARL1)
    return ax.get_figure(root=True)


def delays_figure(table: pd.DataFrame, beside: str) -> Any:
    """Bars of ARL1 for each kind of change with 2 s.e., at the false-alarm rate of `beside`."""
    sources = list(table["losses"].unique())
    axes = figures.panels(sources, columns=1, size=(8.4, 3.0))
    for ax, source in zip(axes, sources, strict=True):
        own = table[(table["losses"] == source) & (table["at the rate of"] == beside)]
        own = own.set_index("detector")
        names = {f"ARL1, {kind}": kind for kind in KINDS[:3]}
        bars = own[list(names)].rename(columns=names)
        bars = bars.where(bars < float("inf"))
        bars = bars.dropna(how="all")
        errors = 2 * own.loc[bars.index, [f"{name} ± s.e." for name in names]].fillna(0)
        if len(bars):
            top = 1.5 * float((bars + errors.to_numpy()).max(axis=None))
            bars = bars.rename(index=lambda name: name.replace("reference ", "ref. "))
            axis = {"ylabel": "ARL1 [examples]", "yscale": "log", "ylim": (1, top)}
            figures.plot_measures(bars, error_bars=errors.to_numpy(), floor=1.0, ax=ax, **axis)
    return figures.shared_legend(axes[0])
