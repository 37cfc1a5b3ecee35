"""How each setting of a paper was found, and which published numbers helped to choose it.

``data/published/<name>_settings.csv`` has one row per setting, with the columns

* setting, value, section of the notebook;
* origin: *stated* in the paper, a *default* of the field's software, *ours* where we had to decide
  and no published number helped, or *chosen* by agreement with published numbers;
* tried: how many alternatives were tried, the adopted one included;
* why: what decided;
* seen: the published numbers that a chosen setting has seen, as ``table: column=value;
  column=value``, several of them with " | " between. Their cells are *fitted*: they are counted
  apart, because they would agree with a wrong setting, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.published.files import paper_file, papers_with, read_file

__all__ = ["ORIGINS", "fitted", "settings"]

SUFFIX = "_settings"
#: Where a setting is from.
ORIGINS = ("stated", "default", "ours", "chosen")


def settings(name: str) -> pd.DataFrame:
    """The settings of the paper `name`, such as "testbed", with their origins.

    Raises ValueError for a name without file.

    >>> settings("testbed")[["setting", "origin", "tried"]].to_numpy().tolist()[0]
    ['NSCX', 'chosen', 573]
    """
    table = read_file(paper_file(name, SUFFIX))
    filled = table.astype(object).where(table.notna(), "")
    return filled.astype({"value": str, "tried": int})


def fitted(table: str, cells: pd.DataFrame) -> NDArray[np.bool_]:
    """Which rows of `cells`, published numbers of the file `table`, chose a setting."""
    seen = np.zeros(len(cells), dtype=np.bool_)
    for name, wanted in _selectors():
        if name == table:
            here = np.ones(len(cells), dtype=np.bool_)
            for column, value in wanted.items():
                here &= (cells[column].astype(str) == value).to_numpy()
            if not here.any():
                raise ValueError(f"seen must select cells of {table}; got {wanted}")
            seen |= here
    return seen


def _selectors() -> Iterator[tuple[str, dict[str, str]]]:
    """The tables and the columns with their values that chosen settings have seen."""
    for paper in papers_with(SUFFIX):
        for seen in read_file(paper + SUFFIX)["seen"].dropna():
            for part in seen.split(" | "):
                table, _, columns = part.partition(": ")
                yield table, dict(pair.split("=", 1) for pair in columns.split("; "))
