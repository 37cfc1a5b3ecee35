"""Descriptions of data sets: origin, order and caveats."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

__all__ = ["ColumnUse", "Description"]


@dataclass(frozen=True)
class ColumnUse:
    """What was made of one column of a table.

    Parameters
    ----------
    name : name of the column.
    kind : label, time, number, nominal or dropped.
    text : what was done with it, in words.
    values : the values of a nominal attribute, in the order of their codes 0..V-1.
    """

    name: str
    kind: str
    text: str
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}, {self.text}"


@dataclass(frozen=True)
class Description:
    """Origin, licence, order, missing values and caveats of a data set; made for ``print``.

    Parameters
    ----------
    name, title : short and long name.
    examples : number of examples.
    source, licence : origin and licence.
    order : order of the examples.
    missing : missing values, in words.
    caveats : warnings for those who use the data.
    attributes : names of the columns of X.
    labels : names of the classes, in the order of their codes 0..K-1.
    n_filled : number of missing values of X that were replaced.
    columns : what was made of each column, if the data were read from a table of one's own.

    >>> print(Description("coin", "A coin", examples=4, labels=("heads", "tails")))
    coin: A coin
      examples    4
      attributes  0
      labels      2: heads, tails
    """

    name: str
    title: str
    examples: int = 0
    source: str = ""
    licence: str = ""
    order: str = ""
    missing: str = ""
    caveats: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    n_filled: int = 0
    columns: tuple[ColumnUse, ...] = ()

    @property
    def states_licence(self) -> bool:
        """Whether those who publish the data say what others may do with them."""
        return not self.licence.startswith("none stated")

    def __str__(self) -> str:
        filled = f" ({self.n_filled} replaced here)" if self.n_filled else ""
        rows = [
            ("examples", str(self.examples or "")),
            ("source", self.source),
            ("licence", self.licence),
            ("order", self.order),
            ("missing", self.missing + filled),
            *(("caveat", caveat) for caveat in self.caveats),
            ("attributes", _listed(self.attributes)),
            ("labels", _listed(self.labels)),
            *(("column", str(use)) for use in self.columns),
        ]
        lines = [textwrap.fill(f"{self.name}: {self.title}", 100)]
        for key, text in rows:
            if text:
                lines.append(_entry(key, text))
        return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "0"


def _entry(key: str, text: str) -> str:
    return textwrap.fill(text, 100, initial_indent=f"  {key:12}", subsequent_indent=" " * 14)
