"""Curves along a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_mapping, check_text
from repro.figures._axes import as_curve, as_times, axes_or_new, check_axes

__all__ = ["mark_changes", "plot_error", "plot_excess"]


def plot_error(
    curves: Mapping[str, ArrayLike],
    *,
    drift_at: Iterable[int] = (),
    bayes: ArrayLike | None = None,
    bayes_label: str = "Bayes error",
    start: int = 0,
    every: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """Error in percent against time, one line per learner or estimator.

    Each curve has shape (n,), a share of 1, and its key becomes the legend entry. A dotted line
    marks a true drift, the dashed line is the Bayes error or, as `bayes_label` then says, an
    estimate of it. One in `every` values from `start` on is drawn.
    """
    ax = axes_or_new(ax)
    check_count(start, name="start", least=0)
    check_count(every, name="every")
    check_text(bayes_label, name="bayes_label")
    for label, error in check_mapping(curves, name="curves", rule="names to errors").items():
        ax.plot(
            *_thinned(as_curve(error, name="curves", label=label), start, every),
            label=str(label),
            linewidth=1.1,
        )
    if bayes is not None:
        t, error = _thinned(as_curve(bayes, name="bayes"), start, every)
        ax.plot(t, error, label=bayes_label, color="black", linestyle="--", linewidth=1.2)
    mark_changes(ax, drift_at=drift_at)
    ax.set(xlabel="Examples seen", ylabel="Error [%]", ylim=(0, None))
    return ax


def plot_excess(
    curves: Mapping[str, ArrayLike],
    *,
    drift_at: Iterable[int] = (),
    start: int = 0,
    every: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """Error above the Bayes error, in percentage points; a solid line at 0 is the optimum."""
    ax = plot_error(curves, drift_at=drift_at, start=start, every=every, ax=ax)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(ylabel="Excess error [points]")
    ax.autoscale(axis="y")  # an excess may be below 0: the optimum is that of the expectation
    return ax


def mark_changes(ax: Axes, *, drift_at: Iterable[int] = (), alarms: Iterable[int] = ()) -> Axes:
    """A dotted grey line at each true drift, and a thin red one at each alarm of a detector."""
    check_axes(ax)
    for t in as_times(drift_at, name="drift_at"):
        ax.axvline(t, color="grey", linestyle=":", linewidth=1)
    for t in as_times(alarms, name="alarms"):
        ax.axvline(t, color="tab:red", linewidth=0.8)
    return ax


def _thinned(
    curve: NDArray[np.float64], start: int, every: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    t = np.arange(curve.size)[start::every]
    return t, 100 * curve[t]
