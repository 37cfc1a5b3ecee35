"""Tables as CSV that a spreadsheet shows and does not run."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

__all__ = ["as_csv", "harmless"]

BEGINS = "=", "+", "-", "@", "\t", "\r"  # a formula, for one of the usual programs


def as_csv(frame: pd.DataFrame, **how: Any) -> str:
    """`frame` as CSV; a text that a spreadsheet would take for a formula begins with ``'``.

    `how` are options of `pandas.DataFrame.to_csv`.

    >>> print(as_csv(pd.DataFrame({"name": ["=1+1", "-3"], "x": [-1, 2]}), index=False), end="")
    name,x
    '=1+1,-1
    -3,2
    """
    named = frame.rename(columns=harmless, index=harmless)
    for i in range(frame.shape[1]):
        if not is_numeric_dtype(column := frame.iloc[:, i]):
            named.isetitem(i, column.map(harmless).set_axis(named.index))
    return str(named.to_csv(lineterminator="\n", **how))


def harmless(value: Any) -> Any:
    """`value`, with ``'`` before a text that a spreadsheet would run. Numbers stay as they are."""
    if not isinstance(value, str) or not value.startswith(BEGINS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
