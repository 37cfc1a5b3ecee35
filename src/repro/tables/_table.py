"""A styled table that is also a plain text."""

from __future__ import annotations

import pandas as pd
from pandas.io.formats.style import Styler

__all__ = ["Table"]


class Table(Styler):  # type: ignore[misc]  # pandas has no types
    """A `Styler` that prints its cells, with a star at those in bold.

    The text of a plain `Styler` is its address: a reader without HTML sees no table, and two runs
    of a notebook differ.
    """

    bold: pd.DataFrame | None = None

    def embolden(self, bold: pd.DataFrame) -> Table:
        """Print the cells in bold where `bold` is True; it has the names of the table."""
        self.bold = bold
        css = bold.map(lambda marked: "font-weight: bold" if marked else "")
        self.apply(lambda _: css, axis=None)
        return self

    def __repr__(self) -> str:
        texts = self.data.map(lambda cell: f"{cell:.2f}" if isinstance(cell, float) else f"{cell}")
        if self.bold is not None:
            texts += self.bold.map(lambda marked: " *" if marked else "")
        return str(texts.to_string(index=not all(self.hide_index_)))
