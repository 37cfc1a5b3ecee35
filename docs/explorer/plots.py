"""The empty figures of the page, in Bokeh: the page's scripts fill their sources.

A source is named after its figure and its curve, such as ``error.window``. Colours called "black"
become those of the text, light or dark.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bokeh.models import ColumnDataSource, Range1d, Span
from bokeh.plotting import figure

from explorer.looks import ALARM, CLASSES, CURVES, LEARNER, Curve

__all__ = ["plots"]

BLANK: dict[str, list[float]] = {"x": [], "y": []}
DASHES = {"-": "solid", "--": "dashed", "-.": "dashdot", ":": "dotted"}


def plots() -> Mapping[str, figure]:
    """All figures of the page, by the identity of their place in it."""
    return {
        "points": _points(),
        "error": _curves("error", "Error [%]", height=300, cursor=True),
        "alarms": _alarms(),
        "statistic": _curves("statistic", "Statistic", height=150),
        "kappa": _curves("kappa", "Kappa", height=260),
        "order": _order(),
        "pair": _curves("pair", "Error [%]", height=200),
        "q": _curves("q", "Q", height=150),
        "mcnemar": _curves("mcnemar", "McNemar", height=150),
        "looks": _curves("looks", "Called different [%]", height=220),
    }


def _figure(name: str, height: int, x_label: str, y_label: str) -> figure:
    plot = figure(
        name=name,
        height=height,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        x_range=Range1d(0, 1),
        y_range=Range1d(0, 1),
        x_axis_label=x_label,
        y_axis_label=y_label,
        output_backend="canvas",
    )
    plot.outline_line_color = None
    plot.xaxis.formatter.use_scientific = False
    plot.axis.minor_tick_line_color = None
    plot.yaxis.ticker.desired_num_ticks = 3 if height < 200 else 5
    plot.axis.axis_label_text_font_style = "normal"
    plot.min_border_left, plot.min_border_right = 72, 16  # axes stand above each other
    return plot


def _source(name: str) -> Any:
    return ColumnDataSource(BLANK, name=name)


def _line(plot: figure, name: str, curve: Curve) -> None:
    look = curve.look
    plot.line(
        "x",
        "y",
        source=_source(name),
        name=name,
        color=look.color,
        line_dash=DASHES[look.line],
        line_width=1.8,
    )


def _curves(name: str, y_label: str, height: int, *, cursor: bool = False) -> figure:
    """A figure along the stream: its drifts, its curves, and the example that is playing."""
    plot = _figure(name, height, "Examples seen", y_label)
    drifts = {"color": "grey", "line_dash": [3, 4], "line_width": 2}
    plot.vspan(x="x", source=_source(f"{name}.drifts"), **drifts)
    for key, curve in CURVES[name].items():
        _line(plot, f"{name}.{key}", curve)
    if cursor:
        now = Span(name=f"{name}.now", dimension="height", line_color="grey", line_width=6)
        now.line_alpha, now.level = 0.4, "overlay"  # moves without drawing the curves again
        plot.add_layout(now)
    return plot


def _alarms() -> figure:
    plot = _curves("alarms", "Error [%]", height=260)
    for key, look in ALARM.items():
        source, paint = _source(f"alarms.{key}"), {"color": look.color}
        width = {"line_width": 1.6, "line_alpha": 0.7}
        plot.vspan(x="x", source=source, line_dash=DASHES[look.line], **paint, **width)
        hollow = {"fill_alpha": 0.0} if key == "repeated" else {}
        plot.scatter("x", "y", source=source, marker=look.marker, size=11, **paint, **hollow)
    return plot


def _points() -> figure:
    plot = _figure("points", 300, "Attribute 1", "Attribute 2")
    for key, look in CLASSES.items():
        paint = {"color": look.color, "marker": look.marker, "size": 6, "alpha": 0.65}
        plot.scatter("x", "y", source=_source(f"points.{key}"), **paint)
    rings = {"size": 12, "fill_alpha": 0.0, "line_color": "black", "line_width": 1.5}
    plot.scatter("x", "y", source=_source("points.wrong"), marker="circle", **rings)
    best = {"line_color": "black", "line_width": 2.5, "line_dash": "dashed"}
    plot.line("x", "y", source=_source("points.boundary"), **best)
    return plot


def _order() -> figure:
    plot = _figure("order", 260, "Position now", "Position before")
    source = _source("order.points")
    plot.scatter("x", "y", source=source, marker="circle", size=3, color=LEARNER.color)
    return plot
