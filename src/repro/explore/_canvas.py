"""Axes to draw on again and again, as a picture.

The figure is not one of pyplot's, which a notebook would show a second time below the cell.
"""

from __future__ import annotations

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from repro.figures import theme

__all__ = ["blank", "picture"]


def blank(figure: Figure, rows: int) -> list[Axes]:
    """Empty the `figure`, and return new axes in it, one above the other."""
    with theme():
        figure.clear()
        return list(figure.subplots(rows, squeeze=False)[:, 0])


def picture(figure: Figure) -> bytes:
    """The `figure` as PNG."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=110)
    return file.getvalue()
