"""Several panels in one figure."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["panels", "shared_legend"]


def panels(
    titles: Sequence[str], *, columns: int = 3, size: tuple[float, float] = (4.2, 3.0)
) -> list[Axes]:
    """One panel of `size` inches for each of the `titles`, lettered a, b, c, ..., in `columns`."""
    if not titles:
        raise ValueError("titles must hold at least one title; got none")
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
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError(f"ax must stand in a figure; got {ax!r}")
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure
