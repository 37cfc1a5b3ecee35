"""Marks on axes: true drifts, alarms, levels to compare with, and points to look at.

Each has one look in all figures (`repro.figures.style.LINES`) and one entry in the legend.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro._checks import as_floats, check_choice, check_number, shown
from repro.figures._axes import as_times, check_axes, notation
from repro.figures.style import LINES, RING, WIDTH, pick_looks

__all__ = ["mark_alarms", "mark_drifts", "mark_level", "mark_points"]

LEVELS = ("optimum", "threshold", "reference", "published", "zero", "learner")


def mark_drifts(ax: Axes, drift_at: Iterable[float]) -> Axes:
    """A dotted vertical line at each true drift; nan draws nothing."""
    check_axes(ax)
    for i, t in enumerate(as_times(drift_at, name="drift_at")):
        ax.axvline(t, label="_" if i else "drift", **LINES["drift"])
    return ax


def mark_alarms(ax: Axes, alarms: Iterable[float] | Mapping[str, ArrayLike]) -> Axes:
    """A thin vertical line with a triangle on top at each alarm; nan draws nothing.

    Parameters
    ----------
    ax : where the curves are
    alarms : times of the alarms; or a mapping from labels of curves in `ax` to the times of
        each, one or several, which are then drawn in the colour of the curve
    """
    check_axes(ax)
    look, drawn = LINES["alarm"], False
    for color, times in _with_colors(ax, alarms):
        for t in times:
            ax.axvline(t, ymax=0.97, markevery=[1], **look | {"color": color})
            drawn = True
    if drawn:
        neutral = "black" if isinstance(alarms, Mapping) else look["color"]
        ax.plot([], [], label="alarm", **look | {"color": neutral})
    return ax


def mark_level(
    ax: Axes,
    level: float,
    *,
    kind: str = "optimum",
    label: str | None = None,
    reach: float = 0.0,
) -> Axes:
    """A horizontal line at `level`: what the curves of `ax` are compared with.

    Parameters
    ----------
    ax : where the curves are
    level : in the units of the vertical axis
    kind : "optimum" (dashed: the Bayes error, or whatever is to be reached), "threshold"
        (dash-dotted), "reference" (dotted), "published" (grey), "zero" (thin), or "learner" (as
        the learner called `label` looks in all figures)
    label : entry in the legend
    reach : half the height of a band around the line, such as two standard errors
    """
    check_axes(ax)
    level = check_number(level, name="level")
    reach = check_number(reach, name="reach", least=0)
    look = LINES.get(check_choice(kind, LEVELS, name="kind"), {"linewidth": WIDTH})
    if kind == "learner":
        style = pick_looks(ax, [label])[0]
        look = look | {"color": style.color, "linestyle": style.line}
    entry = "_" if label is None else notation(label)
    ax.axhline(level, label="_" if reach else entry, **look)
    if reach:
        ax.axhspan(level - reach, level + reach, color=look["color"], alpha=0.3, lw=0, label=entry)
    return ax


def mark_points(ax: Axes, x: ArrayLike, y: ArrayLike, *, label: str | None = None) -> Axes:
    """A red ring around each of the points `x`, `y`, numbers or (m,)."""
    check_axes(ax)
    at = np.atleast_1d(as_floats(x, name="x")), np.atleast_1d(as_floats(y, name="y"))
    if at[0].shape != at[1].shape or at[0].ndim != 1:
        raise ValueError(f"x and y must have the same length; got {at[0].shape}, {at[1].shape}")
    ax.plot(*at, label="_" if label is None else str(label), **RING)
    return ax


def _with_colors(
    ax: Axes, alarms: Iterable[float] | Mapping[str, ArrayLike]
) -> Iterator[tuple[str, list[float]]]:
    """Colour and times of the alarms of each curve."""
    if not isinstance(alarms, Mapping):
        yield LINES["alarm"]["color"], as_times(alarms, name="alarms")
        return
    colors: Any = {line.get_label(): line.get_color() for line in ax.lines}
    for label, values in alarms.items():
        if notation(label) not in colors:
            raise ValueError(f"alarms must map labels of curves in ax; got {shown(label)}")
        times: Any = [values] if np.ndim(values) == 0 else values
        yield colors[notation(label)], as_times(times, name=f"alarms[{shown(label)}]")
