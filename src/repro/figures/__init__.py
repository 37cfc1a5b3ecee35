"""Figures of the paper: arrays in, axes out; and saving them with their provenance."""

from repro.figures.agreement import plot_agreement
from repro.figures.bands import plot_bands
from repro.figures.bars import plot_measures
from repro.figures.curves import mark_changes, plot_error, plot_excess
from repro.figures.delays import (
    mark_alarms,
    plot_delays,
    plot_predicted,
    plot_statistic,
    plot_tradeoff,
)
from repro.figures.grid import panels, shared_legend
from repro.figures.mixtures import plot_mixture
from repro.figures.save import save

__all__ = [
    "mark_alarms",
    "mark_changes",
    "panels",
    "plot_agreement",
    "plot_bands",
    "plot_delays",
    "plot_error",
    "plot_excess",
    "plot_measures",
    "plot_mixture",
    "plot_predicted",
    "plot_statistic",
    "plot_tradeoff",
    "save",
    "shared_legend",
]
