"""The attributes that the columns of a table become, before a value is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.data_sets.description import ColumnUse
from repro.streams._column_codes import Codes, as_seconds, hours, numbers, weekdays
from repro.streams._column_rules import ColumnRules

__all__ = ["MOST_LABELS", "Attribute", "attributes", "left_out", "nominal_values"]

MOST_LABELS = 1000  # more classes are numbers to predict, or identifiers
MOST_CODES = 10**6  # values of a column that is nominal because the user says so

Reader = Callable[[pd.Series], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Attribute:
    """A column of X: its name, the column it comes from, how that is read, codes if nominal.

    `origin` says in words how the values are made; with `from_first` the first one is the zero.
    """

    name: str
    column: str
    read: Reader
    codes: Codes | None = None
    origin: str = ""
    from_first: bool = False


def attributes(kinds: Mapping[str, str], rules: ColumnRules) -> list[Attribute]:
    """The attributes made of columns of these `kinds`, in order."""
    kept = [c for c in kinds if c != rules.label and c not in rules.drop]
    return [made for column in kept for made in _made(column, kinds[column], rules)]


def _made(column: str, kind: str, rules: ColumnRules) -> list[Attribute]:
    if column in rules.nominal:
        return [_nominal(column, kind, MOST_CODES)]
    if kind == "timestamp" or column == rules.time:
        return (
            _of_time(column, rules.timestamps) if kind == "timestamp" else _of_clock(column, rules)
        )
    if kind == "text":
        return [_nominal(column, kind, rules.max_values)]
    origin = "seconds of the duration" if kind == "duration" else ""
    return [Attribute(column, column, numbers, origin=origin)]


def _nominal(column: str, kind: str, most: int) -> Attribute:
    codes = Codes(most)
    return Attribute(column, column, partial(_coded, codes, kind), codes)


def nominal_values(column: pd.Series, kind: str) -> pd.Series:
    """The values of a nominal column or of the label; infinite numbers are missing."""
    return pd.Series(numbers(column)) if kind == "number" else column


def _coded(codes: Codes, kind: str, column: pd.Series) -> NDArray[np.float64]:
    return codes.code(nominal_values(column, kind))


def _of_time(column: str, timestamps: str) -> list[Attribute]:
    if timestamps == "seconds":
        return [Attribute(column, column, as_seconds, None, "seconds since the first", True)]
    if timestamps == "drop":
        return []
    days = Codes(7)
    return [
        Attribute(
            f"{column} hour", column, lambda c: hours(as_seconds(c)), origin="hour of the day"
        ),
        Attribute(
            f"{column} weekday",
            column,
            lambda c: days.code(weekdays(as_seconds(c))),
            days,
            origin="day of the week",
        ),
    ]


def _of_clock(column: str, rules: ColumnRules) -> list[Attribute]:
    """A column of numbers that orders the rows."""
    return [Attribute(column, column, numbers)] if rules.timestamps == "seconds" else []


def left_out(kinds: Mapping[str, str], rules: ColumnRules) -> list[ColumnUse]:
    """The columns of which no attribute is made, with the reason."""
    asked = [ColumnUse(c, "dropped", "as asked") for c in kinds if c in rules.drop]
    if rules.timestamps != "drop":
        return asked
    text = "a timestamp (timestamps='seconds' or 'calendar' makes attributes of it)"
    others = (c for c in kinds if c not in {rules.label, rules.time, *rules.nominal, *rules.drop})
    return asked + [ColumnUse(c, "dropped", text) for c in others if kinds[c] == "timestamp"]
