"""Curves along a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro._checks import check_count, check_mapping, check_number, check_text, shown
from repro.figures._axes import as_curve, axes_or_new, label_axes, notation
from repro.figures.marks import mark_drifts, mark_level
from repro.figures.style import LINES, WIDTH, pick_looks

__all__ = ["plot_curves", "plot_error", "plot_excess", "plot_statistic"]


def plot_curves(
    curves: Mapping[str, ArrayLike],
    *,
    x: ArrayLike | None = None,
    drift_at: Iterable[int] = (),
    start: int = 0,
    stop: int | None = None,
    every: int = 1,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """One line per curve along a stream.

    Parameters
    ----------
    curves : label of each curve to its values, (n,)
    x : positions of the values, (n,); the number of the example if None
    drift_at : true drifts, marked by dotted lines
    start, stop, every : draw the values ``[start:stop:every]``
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    ax = axes_or_new(ax)
    part = _part(start, stop, every)
    values = {
        label: as_curve(curve, name="curves", label=label)
        for label, curve in check_mapping(curves, name="curves", rule="names to values").items()
    }
    for (label, curve), look in zip(values.items(), pick_looks(ax, values), strict=True):
        t = _positions(x, curve.size)
        line: dict[str, Any] = {"color": look.color, "linestyle": look.line, "linewidth": WIDTH}
        ax.plot(t[part], curve[part], label=notation(label), **line)
    mark_drifts(ax, drift_at)
    return label_axes(ax, axis, xlabel="Examples seen")


def plot_error(
    curves: Mapping[str, ArrayLike],
    *,
    drift_at: Iterable[int] = (),
    bayes: ArrayLike | None = None,
    bayes_label: str = "Bayes error",
    start: int = 0,
    stop: int | None = None,
    every: int = 20,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """Error in percent against time, one line per learner or estimator.

    Parameters
    ----------
    curves : label of each curve to its values, (n,), as shares of 1
    drift_at : true drifts, marked by dotted lines
    bayes : the Bayes error, or an estimate of it, as a dashed line, (n,), a share of 1
    bayes_label : its entry in the legend
    start, stop, every : draw the values ``[start:stop:every]``
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    ax = axes_or_new(ax)
    check_text(bayes_label, name="bayes_label")
    percent = {
        label: 100 * as_curve(error, name="curves", label=label)
        for label, error in check_mapping(curves, name="curves", rule="names to errors").items()
    }
    plot_curves(percent, start=start, stop=stop, every=every, ax=ax)
    if bayes is not None:
        error, part = 100 * as_curve(bayes, name="bayes"), _part(start, stop, every)
        t = _positions(None, error.size)
        ax.plot(t[part], error[part], label=bayes_label, **LINES["optimum"])
    mark_drifts(ax, drift_at)
    return label_axes(ax, axis, xlabel="Examples seen", ylabel="Error [%]", ylim=(0, None))


def plot_excess(
    curves: Mapping[str, ArrayLike],
    *,
    drift_at: Iterable[int] = (),
    start: int = 0,
    every: int = 20,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """Error above the Bayes error, in percentage points; a thin line at 0 is the optimum.

    Parameters
    ----------
    curves : label of each curve to its values, (n,), as shares of 1
    drift_at : true drifts, marked by dotted lines
    start, every : draw the values ``[start::every]``
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    ax = plot_error(curves, drift_at=drift_at, start=start, every=every, ax=ax)
    mark_level(ax, 0, kind="zero")
    ax.autoscale(axis="y")  # on one draw a learner may err less often than the optimum
    return label_axes(ax, axis, ylabel="Excess error [points]")


def plot_statistic(
    statistic: ArrayLike,
    *,
    threshold: float | Sequence[float],
    drift_at: Iterable[int] = (),
    every: int = 1,
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """A test statistic along the stream, its threshold, and the true drifts.

    Parameters
    ----------
    statistic : (n,)
    threshold : one dash-dotted line, or several
    drift_at : true drifts, marked by dotted lines
    every : draw one in `every` values
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    ax = axes_or_new(ax)
    values = as_curve(statistic, name="statistic")
    plot_curves({"_statistic": values}, every=every, ax=ax)
    levels = list(threshold) if isinstance(threshold, Sequence) else [threshold]
    for i, level in enumerate(levels):
        level = check_number(level, name="threshold")
        mark_level(ax, level, kind="threshold", label=None if i else "threshold")
    mark_drifts(ax, drift_at)
    low = 0 if not (values < 0).any() else None
    return label_axes(ax, axis, xlabel="Examples seen", ylabel="Statistic", ylim=(low, None))


def _part(start: int, stop: int | None, every: int) -> slice:
    start = check_count(start, name="start", least=0)
    stop = None if stop is None else check_count(stop, name="stop", least=0)
    return slice(start, stop, check_count(every, name="every"))


def _positions(x: ArrayLike | None, n: int) -> np.ndarray:
    """Horizontal positions of n values."""
    if x is None:
        return np.arange(n)
    positions = as_curve(x, name="x")
    if positions.size != n:
        raise ValueError(f"x must have one number per value, {n}; got {shown(positions.size)}")
    return positions
