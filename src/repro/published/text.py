"""Numbers in the text of a paper beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro._checks import check_frame, shown
from repro.published.files import read_file
from repro.published.verdict import compared, spread

__all__ = ["TextNumbers"]


@dataclass(frozen=True)
class TextNumbers:
    """Numbers printed in a text, each with its `decimals` and the section it is from.

    The file has the columns quantity, published, decimals, section and kind (`KINDS`). The
    published numbers are taken as exact, apart from their rounding.
    """

    name: str  #: of the file in ``data/published``

    keys = ("quantity",)

    def read(self) -> pd.DataFrame:
        """One row per number: quantity, section, kind, decimals, published."""
        columns = ["quantity", "section", "kind", "decimals", "published"]
        return read_file(self.name)[columns]

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Every number beside its reproduction in `frame`, with its verdict.

        `frame` has the columns quantity and reproduced. Columns s.e. and df, the degrees of
        freedom of the standard error, are optional: without them a number is exact, and its
        standard error is known exactly.
        """
        result = self.read()
        ours = _reproduced(frame).reindex(result["quantity"])
        reproduced, error, df = ours.to_numpy(np.float64).T
        published = result["published"].to_numpy()
        step = 10.0 ** -result["decimals"].to_numpy(np.float64)
        found = spread([error**2], [df], step=step)
        return result.assign(**compared(published, reproduced, error, found))


def _reproduced(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns reproduced, s.e. and df of `frame`, by quantity."""
    given = check_frame(frame, ["quantity", "reproduced"], name="frame")
    given = given.assign(**{n: v for n, v in {"s.e.": 0.0, "df": np.inf}.items() if n not in given})
    numbers = ["reproduced", "s.e.", "df"]
    given = check_frame(given, name="frame", numbers=numbers)
    if given["quantity"].duplicated().any():
        twice = shown(given.loc[given["quantity"].duplicated(), "quantity"].iloc[0])
        raise ValueError(f"frame must have one row per quantity; got {twice} twice")
    if (given["s.e."] < 0).any() or (given["df"] <= 0).any():
        raise ValueError(f"frame must have s.e. >= 0 and df > 0; got {shown(given[numbers])}")
    return given.set_index("quantity")[numbers]
