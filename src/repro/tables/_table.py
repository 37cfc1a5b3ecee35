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

    #: True for a cell in bold, with the names of the table; None after a copy, which keeps the css
    bold: pd.DataFrame | None = None

    def __repr__(self) -> str:
        texts = self.data.map(lambda cell: f"{cell:.2f}" if isinstance(cell, float) else f"{cell}")
        if self.bold is not None:
            texts += self.bold.map(lambda marked: " *" if marked else "")
        return str(texts.to_string(index=not all(self.hide_index_)))
