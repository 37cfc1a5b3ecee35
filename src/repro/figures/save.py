"""Saving a figure where the run's figures belong, with what it came from inside the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import matplotlib.pyplot as plt
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from repro import _files, _folders, provenance
from repro._checks import check_text, shown
from repro.figures.style import SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["save"]

DPI = 150
COLORS = 256
PAPER = "paper"  # the profile whose figures need no remark


@dataclass(frozen=True)
class Saved:
    """A figure that was written to the file `path`. A notebook shows the picture in the file."""

    path: Path

    def __repr__(self) -> str:
        return f"figures/{self.path.name}"

    def _repr_png_(self) -> bytes:
        return self.path.read_bytes()


def save(figure_or_axes: Figure | Axes, name: str, *, note: str = "") -> Saved:
    """Write ``figures/<name>.png`` in the folder of the run's results.

    As the last line of a notebook's cell it shows the picture in the file. The result has the
    file's `path`.

    A `note` is put above everything else, as the title of the whole figure: that a stand-in took
    the place of real data, say. A run with another profile than the paper's is marked in the
    lower right corner.

    `name` holds letters, digits, dots, dashes and underscores. In the paper's notebooks it is the
    number of the notebook and words of small letters and digits, joined by underscores, and a
    literal: ``python -m repro status`` finds ``01_figure_2`` by reading the code.

    The file carries `repro.provenance.current` as PNG text, has 150 dots per inch whatever the
    settings and at most 256 colours, and the same inputs give the same bytes.

    >>> from matplotlib.figure import Figure
    >>> save(Figure(), "Figure 2")
    Traceback (most recent call last):
    ValueError: name must hold letters, digits, '.', '-' and '_' only; got 'Figure 2'
    """
    check_text(note, name="note")
    _files.check_name(name, example="01_figure_2")
    figure: Any = getattr(figure_or_axes, "figure", None)
    if isinstance(figure_or_axes, type) or not hasattr(figure, "savefig"):
        got = shown(figure_or_axes)
        raise TypeError(f"figure_or_axes must be a matplotlib Figure or Axes; got {got}")
    source = provenance.current()
    if note:
        figure.suptitle(note, fontsize=SMALL, color="firebrick")
    if (profile := source.get("Profile", PAPER)) != PAPER:
        where = {"x": 0.995, "y": 0.005, "ha": "right", "va": "bottom"}
        figure.text(s=f"profile {profile}", fontsize=SMALL, color="firebrick", **where)
    path = _folders.output() / "figures" / f"{name}.png"
    with _files.replacing(path) as temporary:
        figure.savefig(temporary, format="png", dpi=DPI, metadata=source)
        _reduce_colors(temporary)
    if "inline" in matplotlib.get_backend():
        plt.close(figure)  # else the notebook would show it twice
    return Saved(path)


def _reduce_colors(path: Path) -> None:
    """Write the PNG in `path` with a palette of `COLORS`, which takes a quarter of the bytes."""
    with Image.open(path) as image:
        texts, dpi = PngInfo(), image.info["dpi"]
        for key, value in image.info.items():
            if isinstance(key, str) and isinstance(value, str):
                texts.add_text(key, value)
        small = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    small.save(path, format="PNG", pnginfo=texts, dpi=dpi, optimize=True)
