"""Figures of the paper: arrays in, axes out; and saving them with their provenance.

Every figure function draws on `ax`, or on a new figure if none is given, and returns the axes.
Nothing is computed, shown or saved. The looks are in `repro.figures.style`.
"""

from repro.figures.agreement import plot_agreement
from repro.figures.bands import plot_bands
from repro.figures.columns import plot_means, plot_measures, plot_points
from repro.figures.curves import plot_curves, plot_error, plot_excess, plot_statistic
from repro.figures.delays import plot_delays, plot_predicted_delays, plot_tradeoff
from repro.figures.graphs import plot_graph
from repro.figures.grid import panels, shared_legend
from repro.figures.heatmap import plot_heatmap
from repro.figures.images import plot_images
from repro.figures.marks import mark_alarms, mark_drifts, mark_level, mark_points
from repro.figures.mixtures import plot_mixture
from repro.figures.runs import plot_run
from repro.figures.save import save
from repro.figures.scenarios import plot_base_sets, plot_scenario
from repro.figures.spread import plot_boxes, plot_strip
from repro.figures.style import theme

__all__ = [
    "mark_alarms",
    "mark_drifts",
    "mark_level",
    "mark_points",
    "panels",
    "plot_agreement",
    "plot_bands",
    "plot_base_sets",
    "plot_boxes",
    "plot_curves",
    "plot_delays",
    "plot_error",
    "plot_excess",
    "plot_graph",
    "plot_heatmap",
    "plot_images",
    "plot_means",
    "plot_measures",
    "plot_mixture",
    "plot_points",
    "plot_predicted_delays",
    "plot_run",
    "plot_scenario",
    "plot_statistic",
    "plot_strip",
    "plot_tradeoff",
    "save",
    "shared_legend",
    "theme",
]
