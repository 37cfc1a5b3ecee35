"""Several panels in one figure."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from repro._checks import as_list, check_count, check_number, shown
from repro.figures._axes import check_axes

__all__ = ["panels", "shared_legend"]


def panels(
    titles: Sequence[str], *, columns: int = 3, size: tuple[float, float] = (4.2, 3.0)
) -> list[Axes]:
    """One panel of `size` inches for each of the `titles`, lettered a, b, c, ..., in `columns`."""
    titles = as_list(titles, str, name="titles", rule="texts")
    if not titles:
        raise ValueError("titles must hold at least one title; got none")
    columns = check_count(columns, name="columns")
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"size must be a width and a height; got {shown(size)}")
    size = check_number(size[0], name="size", above=0), check_number(size[1], name="size", above=0)
    rows, columns = -(-len(titles) // columns), min(columns, len(titles))
    shape = (columns * size[0], rows * size[1])
    _, grid = plt.subplots(rows, columns, figsize=shape, layout="constrained", squeeze=False)
    axes: list[Axes] = list(np.ravel(grid))
    for ax in axes[len(titles) :]:
        ax.remove()
    for letter, title, ax in zip("abcdefghijklmnopqrstuvwxyz", titles, axes, strict=False):
        ax.set_title(f"{letter}) {title}", fontsize="medium")
    return axes[: len(titles)]


def shared_legend(ax: Axes) -> Figure:
    """Put the legend of `ax` below all panels of its figure, which is returned."""
    figure = check_axes(ax).get_figure(root=True)
    if figure is None:
        raise ValueError(f"ax must stand in a figure; got {ax!r}")
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure
