"""Several panels in one figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from repro._checks import as_list, check_count, check_number, shown
from repro.figures._axes import check_axes, new_axes, notation
from repro.figures.style import SMALL

__all__ = ["panels", "shared_legend"]


def panels(
    titles: Sequence[str], *, columns: int = 3, size: tuple[float, float] = (4.2, 3.0)
) -> list[Axes]:
    """One panel for each of the `titles`, lettered a, b, c, ... if there are several.

    Parameters
    ----------
    titles : text above each panel
    columns : panels side by side
    size : width and height of a panel in inches
    """
    titles = as_list(titles, str, name="titles", rule="texts")
    if not titles:
        raise ValueError("titles must hold at least one title; got none")
    columns = check_count(columns, name="columns")
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"size must be a width and a height; got {shown(size)}")
    size = check_number(size[0], name="size", above=0), check_number(size[1], name="size", above=0)
    rows, columns = -(-len(titles) // columns), min(columns, len(titles))
    shape = (columns * size[0], rows * size[1])
    axes = new_axes(rows, columns, shape)
    for ax in axes[len(titles) :]:
        ax.remove()
    for letter, title, ax in zip("abcdefghijklmnopqrstuvwxyz", titles, axes, strict=False):
        shown_title = notation(title)
        ax.set_title(f"{letter}) {shown_title}" if len(titles) > 1 else shown_title)
    return axes[: len(titles)]


def shared_legend(ax: Axes) -> Figure:
    """Put one legend below all panels of the figure of `ax`; the figure.

    Each label of any of the panels is in it once.
    """
    figure = check_axes(ax).get_figure(root=True)
    if figure is None:
        raise ValueError(f"ax must stand in a figure; got {ax!r}")
    handles: dict[str, Any] = {}
    for panel in figure.axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    if handles:
        per_row = _fitting(handles, figure.get_figwidth())
        look: dict[str, Any] = {"ncols": per_row, "frameon": False, "fontsize": SMALL}
        figure.legend(list(handles.values()), list(handles), loc="outside lower center", **look)
    return figure


def _fitting(labels: Iterable[str], width: float) -> int:
    """How many legend entries fit side by side into `width` inches, in rows of equal length."""
    lengths = [len(label) for label in labels]
    entry = 0.6 + 0.068 * max(lengths)  # the line and its gaps; a letter of 9 points
    rows = math.ceil(len(lengths) / max(1, int(width / entry)))
    return math.ceil(len(lengths) / rows)
