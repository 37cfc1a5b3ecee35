"""The look of every figure: one table of colours, lines and sizes, and seaborn's theme."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
import seaborn as sns
from cycler import cycler
from matplotlib.axes import Axes

__all__ = [
    "LINES",
    "MARKERS",
    "PALETTE",
    "RING",
    "SIZE",
    "SMALL",
    "TINY",
    "WIDTH",
    "marker_of",
    "pick_colors",
    "theme",
]

# Seaborn's colour-blind palette, the colours that are hard to see on white last.
_BLUE, _ORANGE, _GREEN, _RED, _PINK, _TAN, _ROSE, _GREY, _YELLOW, _SKY = sns.color_palette(
    "colorblind"
).as_hex()
PALETTE = (_BLUE, _ORANGE, _GREEN, _RED, _PINK, _TAN, _SKY, _GREY, _ROSE, _YELLOW)
MARKERS = ("o", "s", "^", "v", "D", "P", "X", "*", "<", ">")  # one for each colour

# Learners that appear in several figures have the same colour in all of them.
_NAMED = {
    "Optimal": "black",
    "Persistent": "black",
    "Persistent on a chain": "black",
    "Majority": _GREY,
    "NB": _BLUE,
    # The testbed.
    "SGD": _ORANGE,
    "DWM": _GREEN,
    "DWM50": _SKY,
    "OZAB": _RED,
    "NN100": _PINK,
    "NN1500": _TAN,
    "NN6000": _GREY,
    # Temporal dependence.
    "DDM": _ORANGE,
    "HT": _GREEN,
    "HAT": _RED,
    "LBAG": _PINK,
    "DDM-random": _SKY,
}

WIDTH = 1.1  # of a curve, in points
SIZE = 4  # of a marker, in points
SMALL, TINY = 9.0, 7.5  # text of legends and notes; text inside bars

LINES: dict[str, dict[str, Any]] = {
    # Across the stream: when something happens.
    "drift": {"color": "0.35", "linestyle": ":", "linewidth": 1.4},
    "alarm": {"color": _RED, "linestyle": "-", "linewidth": 0.9, "marker": "v", "markersize": 5},
    # Along the stream: what a curve is compared with.
    "optimum": {"color": "black", "linestyle": "--", "linewidth": 1.2},
    "threshold": {"color": "black", "linestyle": "-.", "linewidth": 1.0},
    "reference": {"color": "0.35", "linestyle": ":", "linewidth": 1.2},
    "published": {"color": "0.5", "linestyle": "-", "linewidth": 0.8},
    "zero": {"color": "black", "linestyle": "-", "linewidth": 0.8},
}
RING: dict[str, Any] = {
    "marker": "o",
    "linestyle": "",
    "color": "red",
    "markersize": 10,
    "markerfacecolor": "none",
}


def theme() -> AbstractContextManager[None]:
    """Settings of matplotlib for a new figure, as a context: the global ones stay as they are.

    Axes keep the settings under which they were made. `repro.figures.panels`, and every figure
    function that is given no axes, makes its figure inside this context.

    >>> with theme():
    ...     figure, ax = plt.subplots()
    >>> ax.spines["top"].get_visible()
    False
    >>> plt.close(figure)
    """
    style = sns.axes_style("ticks") | sns.plotting_context("paper", font_scale=1.05)
    fonts = ("font.family", "font.sans-serif")  # of seaborn: not the same on every machine
    settings = {key: value for key, value in style.items() if key not in fonts}
    ours = {
        "axes.grid": True,
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlesize": "medium",
        "grid.color": "0.92",
        "grid.linewidth": 0.6,
    }
    return plt.rc_context(settings | ours)


def pick_colors(ax: Axes, names: Iterable[Any]) -> list[str]:
    """A colour for each of the `names`: its own, or the next that no line in `ax` has."""
    labels = [str(name) for name in names]
    taken = {line.get_color() for line in ax.lines} | {_NAMED.get(label) for label in labels}
    free = cycle([color for color in PALETTE if color not in taken] or PALETTE)
    return [_NAMED[label] if label in _NAMED else next(free) for label in labels]


def marker_of(color: str) -> str:
    """The marker that goes with a colour, for readers who cannot tell the colours apart."""
    return MARKERS[PALETTE.index(color)] if color in PALETTE else "o"
