"""Figures as pictures inside a file: few bytes, and the same for the same figure."""

from __future__ import annotations

import base64
import io
from typing import NamedTuple

from matplotlib.figure import Figure
from PIL import Image

__all__ = ["Picture", "png"]

DPI = 160  # of a printer's page as wide as a figure
COLORS = 256
SHOWN = 100  # pixels of a page for an inch, so that texts in figures are as large as others


class Picture(NamedTuple):
    """A picture in base 64, and its size on a page, in pixels of the page."""

    data: str
    width: int
    height: int


def png(figure: Figure) -> Picture:
    """`figure` on white as a PNG picture with 256 colours."""
    drawn, small = io.BytesIO(), io.BytesIO()
    # Without a version of matplotlib inside, and as large as what is drawn in it.
    figure.savefig(
        drawn, format="png", dpi=DPI, bbox_inches="tight", facecolor="white",
        metadata={"Software": None},
    )  # fmt: skip
    with Image.open(drawn) as image:
        reduced = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    reduced.save(small, format="PNG", optimize=True)
    width, height = (round(n * SHOWN / DPI) for n in reduced.size)
    return Picture(base64.b64encode(small.getvalue()).decode("ascii"), width, height)
