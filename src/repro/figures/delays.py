"""Delays of detection: published beside reproduced, and against false alarms."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from repro._checks import check_frame, check_text
from repro.figures._axes import add_legend, axes_or_new, notation
from repro.figures.style import LINES, RING, SIZE, WIDTH, pick_colors, pick_looks

__all__ = ["plot_delays", "plot_predicted_delays", "plot_tradeoff"]

DASHES = {"fading factors": "--"}  # families of estimates without a full line


def plot_delays(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Reproduced against published mean delays with 2 s.e. on both sides, on logarithmic axes.

    `comparison` is the frame of `published.compare` for a table of delays; a cell that lacks
    either mean is left out. Each stream has a colour, each learner a marker, and each cell that
    differs a red ring. On the line both are equal.
    """
    numbers = ["published", "reproduced", "published s.e.", "s.e."]
    columns = ["stream", "learner", *numbers, "verdict"]
    comparison = check_frame(comparison, columns, name="comparison", numbers=numbers)
    ax = axes_or_new(ax, (7.4, 5.4))
    both = comparison.dropna(subset=["published", "reproduced"])
    streams = list(both.groupby("stream", sort=False))
    colors = pick_colors(ax, [stream for stream, _ in streams])
    for (stream, cells), color in zip(streams, colors, strict=True):
        for (learner, part), marker in zip(cells.groupby("learner"), "os^v", strict=False):
            x, y = part["published"], part["reproduced"]
            bars: dict[str, Any] = {
                "xerr": 2 * part["published s.e."],
                "yerr": 2 * part["s.e."].fillna(0),
            }
            kind: dict[str, Any] = {
                "fmt": marker,
                "markersize": SIZE,
                "color": color,
                "linewidth": 0.7,
            }
            ax.errorbar(x, y, **bars, **kind, label=f"{stream}, {learner}")
    off = both[both["verdict"] == "differs"]
    ax.plot(off["published"], off["reproduced"], **RING)
    ax.axline((1000, 1000), (2000, 2000), **LINES["zero"])
    ax.set(xscale="log", yscale="log", xlabel="Published delay [examples]")
    ax.set_ylabel("Reproduced delay [examples]")
    for axis in (ax.xaxis, ax.yaxis):  # 500 rather than 5 x 10^2, and no ticks between
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_locator(NullLocator())
    add_legend(ax)
    return ax


def plot_predicted_delays(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Simulated delays with 2 s.e., and two predictions of them, against the memory of an estimate.

    `table` has the columns learner, family, memory, simulated, ± s.e., formula (a line) and
    expected losses (crosses). Each learner has a colour, each family of estimates a marker and a
    line style.
    """
    numbers = ["memory", "simulated", "± s.e.", "formula", "expected losses"]
    table = check_frame(table, ["learner", "family", *numbers], name="table", numbers=numbers)
    ax = axes_or_new(ax)
    learners = list(table.groupby("learner"))
    colors = pick_colors(ax, [learner for learner, _ in learners])
    for (learner, rows), color in zip(learners, colors, strict=True):
        for (family, part), marker in zip(rows.groupby("family"), "so", strict=False):
            look: dict[str, Any] = {"color": color, "linewidth": WIDTH}
            x, bars = part["memory"], 2 * part["± s.e."]
            label = f"{learner}, {family}: simulated"
            ax.errorbar(x, part["simulated"], yerr=bars, fmt=marker, ms=5, label=label, **look)
            ax.plot(x, part["formula"], DASHES.get(family, "-"), **look)
            ax.plot(x, part["expected losses"], "x", color="black", markersize=SIZE, zorder=3)
    if len(table):
        ax.plot([], [], "x", color="black", markersize=SIZE, label="expected losses")
    for family in table["family"].unique():
        dashes = DASHES.get(family, "-")
        ax.plot([], [], dashes, color="black", linewidth=WIDTH, label=f"{family}: formula")
    ax.set(xlabel="Memory [examples]", ylabel="Delay [examples]", ylim=(0, None))
    return ax


def plot_tradeoff(points: pd.DataFrame, *, x: str, y: str, ax: Axes | None = None) -> Axes:
    """One line per detector through its settings, `y` against `x`.

    `points` has a row per setting, in order, with the columns detector, `x` and `y`. The axes are
    logarithmic; `x` is linear below its smallest positive value, which leaves a place for 0. Rows
    whose `y` is missing, infinite or not positive are left out.

    Parameters
    ----------
    points : the settings
    x, y : names of columns, which become the labels of the axes
    ax : where to draw; a new figure if None
    """
    numbers = [check_text(x, name="x"), check_text(y, name="y")]
    points = check_frame(points, ["detector", *numbers], name="points", numbers=numbers)
    ax = axes_or_new(ax, (7.5, 4.6))
    drawn = points[(points[y] > 0) & (points[y] < float("inf"))]
    detectors = list(drawn.groupby("detector", sort=False))
    looks = pick_looks(ax, [name for name, _ in detectors])
    for (name, points_of), style in zip(detectors, looks, strict=True):
        look: dict[str, Any] = {"linestyle": style.line, "linewidth": WIDTH, "color": style.color}
        look |= {"marker": style.marker, "markersize": SIZE, "label": notation(name)}
        ax.plot(points_of[x], points_of[y], **look)
    positive = drawn.loc[drawn[x] > 0, x]
    ax.set_xscale("symlog", linthresh=positive.min() if len(positive) else 1.0)
    ax.set(yscale="log", xlabel=x, ylabel=y)
    add_legend(ax)
    return ax
