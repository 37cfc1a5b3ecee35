"""Saving a figure where the run's figures belong, with what it came from inside the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from repro import _files, _folders, provenance
from repro._checks import check_text, shown
from repro.figures.style import SMALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["save"]

DPI = 150


def save(figure_or_axes: Figure | Axes, name: str, *, note: str = "") -> Path:
    """Write ``figures/<name>.png`` in the folder of the run's results; the file's path.

    A `note` is put above everything else, as the title of the whole figure: that a stand-in took
    the place of real data, say.

    `name` is the number of the notebook and words of small letters and digits, joined by
    underscores: ``01_figure_2``. Write it as a literal: ``python -m repro status`` finds a
    notebook's figures by reading its code. The file carries `repro.provenance.current` as PNG
    text, has 150 dots per inch whatever the settings, and the same inputs give the same bytes.

    >>> from matplotlib.figure import Figure
    >>> save(Figure(), "Figure 2")
    Traceback (most recent call last):
    ValueError: name must be like '01_figure_2'; got 'Figure 2'
    """
    check_text(note, name="note")
    _files.check_name(name, example="01_figure_2")
    figure: Any = getattr(figure_or_axes, "figure", None)
    if isinstance(figure_or_axes, type) or not hasattr(figure, "savefig"):
        got = shown(figure_or_axes)
        raise TypeError(f"figure_or_axes must be a matplotlib Figure or Axes; got {got}")
    if note:
        figure.suptitle(note, fontsize=SMALL, color="firebrick")
    path = _folders.output() / "figures" / f"{name}.png"
    with _files.replacing(path) as temporary:
        figure.savefig(temporary, format="png", dpi=DPI, metadata=provenance.current())
    return path
