"""A section of a report: a question, its answer in words, its table and its figure."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from repro._checks import check_kind

__all__ = ["Section"]


@dataclass(frozen=True, eq=False, repr=False)
class Section:
    """One question of a report: its answer in words, its table and its figure.

    Attributes
    ----------
    name : short name for files, small letters, digits and underscores.
    title : heading.
    text : paragraphs, separated by an empty line; plain text.
    table : numbers of the section; each number has its standard error in the column beside it,
        called ``<column> ± s.e.``.
    figure : picture of the section. It is closed for pyplot, so that a notebook shows it where it
        is asked for and not once more below the cell that drew it.
    alt : what the figure shows, in words, for readers who do not see it.

    Raises TypeError for a figure of another kind.
    """

    name: str
    title: str
    text: str
    table: pd.DataFrame | None = None
    figure: Figure | None = None
    alt: str = ""

    def __post_init__(self) -> None:
        if self.figure is not None:
            check_kind(self.figure, Figure, name="figure")
            plt.close(self.figure)

    def __repr__(self) -> str:
        has = [name for name in ("table", "figure") if getattr(self, name) is not None]
        return f"Section({self.name!r}: {', '.join(['text', *has])})"
