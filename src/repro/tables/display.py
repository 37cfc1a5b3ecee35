"""What a notebook shows: sentences with numbers of the run, and tables with cells in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from repro._checks import check_frame, check_text, shown

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

__all__ = ["Prose", "prose", "styled"]


class Prose(str):
    """A text that a notebook shows as Markdown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


def prose(text: str) -> Prose:
    """Sentences with numbers of this run, as the last line of a notebook's cell.

    >>> best = "NSGT"
    >>> prose(f"The error is lowest on *{best}*.")
    The error is lowest on *NSGT*.
    """
    return Prose(check_text(text, name="text"))


def styled(frame: pd.DataFrame, *, name: str, bold: pd.DataFrame | None = None) -> Styler:
    """`frame` for display in a notebook, with some cells in bold.

    As plain text it is the same table, with a star at the cells in bold.

    >>> errors = pd.DataFrame({"NB": [0.254], "HT": [0.201]}, index=["LED"])
    >>> styled(errors, name="errors", bold=errors.lt(errors.max(axis=1), axis=0))
           NB      HT
    LED  0.25  0.20 *

    Parameters
    ----------
    frame : the table; its row and column names are unique.
    name : identifier of the table in the page. A random one would differ from run to run.
    bold : frame of booleans, True for a cell in bold. Cells of `frame` that it lacks are not bold.
    """
    from repro.tables._table import Table  # it needs jinja2, which only notebooks have

    check_text(name, name="name")
    tables = {"frame": frame} if bold is None else {"frame": frame, "bold": bold}
    for argument, table in tables.items():
        if not check_frame(table, name=argument).index.is_unique:
            raise ValueError(f"{argument} must have unique row names; got {shown(table.index)}")
    if bold is not None and not all(dtype.kind == "b" for dtype in bold.dtypes):
        raise ValueError(f"bold must hold booleans; got {shown(bold.dtypes.tolist())}")
    mask = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    if bold is not None:
        mask.update(bold)
    table = Table(frame, uuid=name, precision=2)
    table.bold, css = mask, mask.map(lambda marked: "font-weight: bold" if marked else "")
    return table.apply(lambda _: css, axis=None)
