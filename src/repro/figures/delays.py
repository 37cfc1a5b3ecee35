"""Delays of detection: published beside reproduced, and against false alarms."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter
from numpy.typing import ArrayLike

from repro._checks import check_frame, check_number, check_text
from repro.figures._axes import add_legend, as_curve, as_times, axes_or_new, check_axes
from repro.figures.curves import mark_changes

__all__ = ["mark_alarms", "plot_delays", "plot_predicted", "plot_statistic", "plot_tradeoff"]


def mark_alarms(ax: Axes, alarms: Iterable[float]) -> Axes:
    """A thin vertical line in the colour of each line of `ax`, in their order, at its alarm.

    nan, no alarm, draws nothing.
    """
    check_axes(ax)
    times = as_times(alarms, name="alarms", keep_nan=True)
    for line, t in zip(list(ax.lines), times, strict=False):
        if t == t:
            ax.axvline(t, color=line.get_color(), linewidth=0.9, alpha=0.8)
    return ax


def plot_delays(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Reproduced against published mean delays with 2 s.e. on both sides, on logarithmic axes.

    `comparison` is the frame of `published.compare` for a table of delays; cells without a mean on
    one of the sides are left out. Each stream has a colour, each learner a marker, and a cell that
    differs a red ring. The line is where both are equal.
    """
    numbers = ["published", "reproduced", "published s.e.", "s.e."]
    columns = ["stream", "learner", *numbers, "verdict"]
    comparison = check_frame(comparison, columns, name="comparison", numbers=numbers)
    ax = axes_or_new(ax, (6, 5.4))
    both = comparison.dropna(subset=["published", "reproduced"])
    for i, (stream, cells) in enumerate(both.groupby("stream", sort=False)):
        for (learner, part), marker in zip(cells.groupby("learner"), "os^v", strict=False):
            x, y = part["published"], part["reproduced"]
            bars: dict[str, Any] = {
                "xerr": 2 * part["published s.e."],
                "yerr": 2 * part["s.e."].fillna(0),
            }
            kind: dict[str, Any] = {
                "fmt": marker,
                "markersize": 4,
                "color": f"C{i}",
                "linewidth": 0.7,
            }
            ax.errorbar(x, y, **bars, **kind, label=f"{stream}, {learner}")
    off = both[both["verdict"] == "differs"]
    ax.plot(off["published"], off["reproduced"], "o", color="red", ms=10, mfc="none")
    ax.axline((1000, 1000), (2000, 2000), color="black", linewidth=0.8)
    ax.set(xscale="log", yscale="log", xlabel="Published delay [examples]")
    ax.set_ylabel("Reproduced delay [examples]")
    for axis in (ax.xaxis, ax.yaxis):  # 500 rather than 5 x 10^2, and no ticks between
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_locator(NullLocator())
    add_legend(ax, fontsize="small")
    return ax


def plot_predicted(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Simulated delays with 2 s.e., and two predictions of them, against the memory of an estimate.

    `table` has the columns learner, family, memory, simulated, ± s.e., formula (a line) and
    expected losses (crosses). Each learner has a colour, each family of estimates a marker.
    """
    numbers = ["memory", "simulated", "± s.e.", "formula", "expected losses"]
    table = check_frame(table, ["learner", "family", *numbers], name="table", numbers=numbers)
    ax = axes_or_new(ax)
    for i, (learner, own) in enumerate(table.groupby("learner")):
        for (family, part), marker in zip(own.groupby("family"), "so", strict=False):
            look: dict[str, Any] = {"color": f"C{i}", "linewidth": 1}
            x, bars = part["memory"], 2 * part["± s.e."]
            label = f"{learner}, {family}"
            ax.errorbar(x, part["simulated"], yerr=bars, fmt=marker, ms=5, label=label, **look)
            ax.plot(x, part["formula"], "-" if marker == "s" else "--", **look)
            ax.plot(x, part["expected losses"], "x", color="black", markersize=4, zorder=3)
    ax.set(xlabel="Memory [examples]", ylabel="Delay [examples]", ylim=(0, None))
    return ax


def plot_statistic(
    statistic: ArrayLike, *, threshold: float, drift_at: Iterable[int] = (), ax: Axes | None = None
) -> Axes:
    """A detector's statistic (n,) along the stream, its threshold, and dotted the true drifts."""
    ax = axes_or_new(ax)
    check_number(threshold, name="threshold")
    ax.plot(as_curve(statistic, name="statistic"), linewidth=0.9)
    ax.axhline(threshold, color="firebrick", linewidth=1, label="threshold $\\lambda$")
    mark_changes(ax, drift_at=drift_at)
    ax.set(xlabel="Examples seen", ylabel="Statistic", ylim=(0, None))
    add_legend(ax)
    return ax


def plot_tradeoff(points: pd.DataFrame, *, x: str, y: str, ax: Axes | None = None) -> Axes:
    """One line per detector through its settings, `y` against `x`.

    `points` has a row per setting, in order, with the columns detector, `x` and `y`. The axes are
    logarithmic, but `x` linear below its smallest positive value, so that 0 has a place. Rows with
    an infinite or missing `y` have none and are left out.
    """
    numbers = [check_text(x, name="x"), check_text(y, name="y")]
    points = check_frame(points, ["detector", *numbers], name="points", numbers=numbers)
    ax = axes_or_new(ax, (7.5, 4.6))
    drawn = points[(points[y] > 0) & (points[y] < float("inf"))]
    for (name, line), marker in zip(
        drawn.groupby("detector", sort=False), cycle("os^vD"), strict=False
    ):
        ax.plot(line[x], line[y], marker=marker, markersize=4, linewidth=1.1, label=str(name))
    positive = drawn.loc[drawn[x] > 0, x]
    ax.set_xscale("symlog", linthresh=positive.min() if len(positive) else 1.0)
    ax.set(yscale="log", xlabel=x, ylabel=y)
    add_legend(ax, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    return ax
