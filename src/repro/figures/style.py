"""The look of every figure: one table of colours, lines and markers, and seaborn's theme."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import cycle
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import matplotlib.pyplot as plt
import seaborn as sns
from cycler import cycler
from matplotlib.axes import Axes

__all__ = [
    "CYCLE",
    "LINES",
    "MARKERS",
    "PALETTE",
    "RING",
    "SIZE",
    "SMALL",
    "TINY",
    "WIDTH",
    "Look",
    "pick_colors",
    "pick_looks",
    "theme",
]

# Seaborn's colour-blind palette, the colours that are hard to see on white last.
_BLUE, _ORANGE, _GREEN, _RED, _PINK, _TAN, _ROSE, _GREY, _YELLOW, _SKY = sns.color_palette(
    "colorblind"
).as_hex()
PALETTE = (_BLUE, _ORANGE, _GREEN, _RED, _PINK, _TAN, _SKY, _GREY, _ROSE, _YELLOW)
MARKERS = ("o", "s", "^", "v", "D", "P", "X", "*", "<", ">")  # one for each colour


class Look(NamedTuple):
    """Colour, line style and marker: each tells two curves apart without the others."""

    color: str
    line: str
    marker: str


# The looks of names that are not listed below, in the order of their curves.
CYCLE = tuple(map(Look, PALETTE, ("-", "--", "-.", "-", "--", "-.", ":", "-", "--", "-."), MARKERS))

# A curve without an entry in the legend, such as a test statistic: its name begins with "_".
_PLAIN = Look("0.25", "-", "o")

# What appears in several figures looks the same in all of them.
_NAMED = {
    "Optimal": Look("black", "--", "o"),
    "Persistent": Look("black", "--", "o"),
    "Persistent on a chain": Look("black", ":", "o"),
    "Majority": Look(_GREY, "-.", "*"),
    "NB": Look(_BLUE, "-", "o"),
    # The testbed.
    "SGD": Look(_ORANGE, "--", "s"),
    "DWM": Look(_GREEN, "-", "^"),
    "DWM rescaled": Look(_SKY, "--", "X"),
    "OZAB": Look(_RED, "-", "v"),
    "NN100": Look(_PINK, "-", "D"),
    "NN1500": Look(_TAN, "-.", "P"),
    "NN6000": Look(_GREY, ":", "*"),
    # Drift and temporal dependence. DDM and EDDM are naive Bayes that a detector retrains.
    "DDM": Look(_ORANGE, "-", "<"),
    "EDDM": Look(_TAN, "-", ">"),
    "ADWIN": Look(_SKY, "-", "X"),
    "DDM-random": Look(_SKY, ":", "X"),
    "HT": Look(_GREEN, "--", "s"),
    "HAT": Look(_RED, "-.", "^"),
    "LBAG": Look(_PINK, "--", "D"),
    "MC": Look(_TAN, "-", "o"),
    "NBA": Look(_GREEN, "-", "s"),
    "ordinary": Look(_GREY, "-", "o"),
    "TC": Look(_ORANGE, "-.", "P"),
    "TA": Look(_BLUE, "--", "v"),
    # Estimates of the error.
    "holdout": Look(_PINK, "-", "o"),
    "prequential": Look(_RED, "-.", "v"),
    "windows": Look(_ORANGE, "-", "o"),
    "fading factors": Look(_SKY, "--", "s"),
    "Hoeffding's bound": Look("black", "-.", "o"),
    "standard deviation of w losses": Look("0.35", ":", "o"),
}
_SAME = {
    "A: naive Bayes": "NB",
    "B: with DDM": "DDM",
    "Holdout, ± 2 s.e.": "holdout",
    "Prequential": "prequential",
    "fading factor": "fading factors",
    "window": "windows",
    "Hoeffding tree, majority leaves": "MC",
    "Hoeffding tree, adaptive leaves": "NBA",
    "HT, TC": "TC",
    "HT, TA": "TA",
}

# Estimates that forget: full lines are windows, dashed ones fading factors, and the colour says
# how many losses they remember; a factor is counted as the window of equal variance.
_FORGETS = re.compile(r"(?:PH on )?(w|window|α|alpha) ?= ?(\d*\.?\d+)")
_MEMORIES = ((200, _BLUE, "o"), (800, _SKY, "X"), (3000, _ORANGE, "s"), (math.inf, _GREEN, "^"))

# The looks that the names of a figure were given, for its other panels.
_GIVEN: WeakKeyDictionary[Any, dict[str, Look]] = WeakKeyDictionary()

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


def pick_looks(ax: Axes, names: Iterable[Any]) -> list[Look]:
    """A look for each of the `names`: its own, or the next that is free in the figure of `ax`.

    A name keeps its look in all panels of a figure.
    """
    labels = [str(name) for name in names]
    figure = ax.get_figure(root=True)
    used = {} if figure is None else _GIVEN.setdefault(figure, {})
    fixed = {label: look for label in labels if (look := used.get(label) or _own_look(label))}
    in_panel = {line.get_color() for line in ax.lines} | {look.color for look in fixed.values()}
    in_figure = in_panel | {look.color for look in used.values()}
    free = cycle(_free(in_figure) or _free(in_panel) or CYCLE)
    looks = [fixed[label] if label in fixed else next(free) for label in labels]
    used |= zip(labels, looks, strict=True)
    return looks


def pick_colors(ax: Axes, names: Iterable[Any]) -> list[str]:
    """The colours of `pick_looks`."""
    return [look.color for look in pick_looks(ax, names)]


def _free(taken: set[Any]) -> list[Look]:
    return [look for look in CYCLE if look.color not in taken]


def _own_look(label: str) -> Look | None:
    """The look that `label` has in every figure."""
    if match := _FORGETS.fullmatch(label):
        value = float(match[2])
        factor = match[1] in ("α", "alpha") and value < 1
        memory = (1 + value) / (1 - value) if factor else value
        color, marker = next(look for limit, *look in _MEMORIES if memory <= limit)
        return Look(color, "--" if factor else "-", marker)
    return _PLAIN if label.startswith("_") else _NAMED.get(_SAME.get(label, label))
