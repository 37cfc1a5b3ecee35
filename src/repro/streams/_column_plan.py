"""What becomes of each column of a table: the user's options, the attributes, and the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import as_list, check_choice, check_count, check_text, is_whole, settle, shown
from repro.data_sets.description import ColumnUse
from repro.streams._column_codes import Codes, as_seconds, hours, numbers, weekdays

__all__ = ["MOST_LABELS", "Attribute", "ColumnRules", "attributes", "left_out", "listed"]
__all__ += ["nominal_values"]

MISSING = ("last", "own", "drop")
TIMESTAMPS = ("drop", "seconds", "calendar")
MOST_LABELS = 1000  # more classes are numbers to predict, or identifiers
MOST_CODES = 10**6  # values of a column that is nominal because the user says so
MOST_SHOWN = 10  # values in a sentence


@dataclass(frozen=True)
class ColumnRules:
    """The options of `Stream.from_frame`, with the names of columns as texts.

    For messages, `source` is the argument that holds the table, and `labelled` says how the label
    is given.
    """

    label: Any
    time: Any = None
    nominal: Iterable[Any] = ()
    drop: Iterable[Any] = ()
    missing: str = "last"
    timestamps: str = "drop"
    max_values: int = 100
    name: str = ""
    source: str = "frame"
    labelled: str = "label must name a column"

    def __post_init__(self) -> None:
        settle(
            self,
            label=_as_name(self.label, "label"),
            time=None if self.time is None else _as_name(self.time, "time"),
            nominal=_as_names(self.nominal, "nominal"),
            drop=_as_names(self.drop, "drop"),
        )
        check_choice(self.missing, MISSING, name="missing")
        check_choice(self.timestamps, TIMESTAMPS, name="timestamps")
        check_count(self.max_values, name="max_values")
        check_text(self.name, name="name")

    def check_names(self, columns: Iterable[str]) -> None:
        """Raise ValueError unless each name is one of `columns`, and in one role only."""
        names, roles = list(columns), dict[str, str]()
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            rule = f"{self.source} must have columns of different names"
            raise ValueError(f"{rule}; got several called {shown(twice)}")
        named = [("label", self.label), ("drop", self.drop), ("nominal", self.nominal)]
        for option, value in [*named, ("time", () if self.time is None else self.time)]:
            for name in (value,) if isinstance(value, str) else value:
                if name not in names:
                    rule = f"{option} must name a column ({', '.join(names)})"
                    raise ValueError(f"{rule}; got {shown(name)}")
                if roles.setdefault(name, option) != option:
                    rule = f"{option} must name other columns than {roles[name]}"
                    raise ValueError(f"{rule}; got {shown(name)}")


def _as_names(names: Iterable[Any], option: str) -> tuple[str, ...]:
    values: list[Any] = as_list(names, name=option, rule="a list of names of columns")
    return tuple(_as_name(name, option) for name in values)


def _as_name(name: Any, option: str) -> str:
    if not isinstance(name, str) and not is_whole(name):
        raise TypeError(f"{option} must name a column by a text or a number; got {shown(name)}")
    return str(name)


@dataclass(frozen=True, eq=False)
class Attribute:
    """A column of X: its name, the column it comes from, how that is read, codes if nominal.

    `origin` says in words how the values are made; with `from_first` the first one is the zero.
    """

    name: str
    column: str
    read: Callable[[pd.Series], NDArray[np.float64]]
    codes: Codes | None = None
    origin: str = ""
    from_first: bool = False

    def why_dropped(self, column: NDArray[np.float64], rules: ColumnRules) -> str:
        """The reason to leave it out if it has these values or codes; empty if it is kept."""
        if self.codes is not None and self.codes.is_full:
            return f"more than {self.codes.most} different values, as identifiers have"
        present = column[~np.isnan(column)]
        if not len(present):
            return "no value"
        says_missing = self._codes_missing(rules) and len(present) < len(column)
        return "one value only" if present.min() == present.max() and not says_missing else ""

    def use(self, values: tuple[str, ...], n_missing: int, rules: ColumnRules) -> ColumnUse:
        """What was made of it, in words; `values` is empty if it is numeric."""
        said = [self.origin, f"{len(values)} values: {listed(values)}" if values else ""]
        if n_missing:
            coded = self._codes_missing(rules)
            how = "a value of their own" if coded else "replaced by the last one known"
            said.append(f"{n_missing} missing: {how}")
        text = "; ".join(filter(None, said)) or "as it is"
        return ColumnUse(self.name, "nominal" if self.codes else "number", text, values)

    def _codes_missing(self, rules: ColumnRules) -> bool:
        return self.codes is not None and rules.missing == "own"


def listed(names: Sequence[str]) -> str:
    """The first of `names`, for a sentence."""
    return ", ".join(names[:MOST_SHOWN]) + (" ..." if len(names) > MOST_SHOWN else "")


def attributes(kinds: Mapping[str, str], rules: ColumnRules) -> list[Attribute]:
    """The attributes made of columns of these `kinds`, in order."""
    kept = [c for c in kinds if c != rules.label and c not in rules.drop]
    return [made for column in kept for made in _made(column, kinds[column], rules)]


def _made(column: str, kind: str, rules: ColumnRules) -> list[Attribute]:
    if column in rules.nominal:
        return [_nominal(column, kind, MOST_CODES)]
    if kind == "timestamp":
        return _of_time(column, rules.timestamps)
    if column == rules.time:  # numbers that order the rows
        return [Attribute(column, column, numbers)] if rules.timestamps == "seconds" else []
    if kind == "text":
        return [_nominal(column, kind, rules.max_values)]
    origin = "seconds of the duration" if kind == "duration" else ""
    return [Attribute(column, column, numbers, origin=origin)]


def _nominal(column: str, kind: str, most: int) -> Attribute:
    codes = Codes(most)
    return Attribute(column, column, lambda c: codes.code(nominal_values(c, kind)), codes)


def nominal_values(column: pd.Series, kind: str) -> pd.Series:
    """The values of a nominal column or of the label; infinite numbers are missing."""
    return pd.Series(numbers(column)) if kind == "number" else column


def _of_time(column: str, timestamps: str) -> list[Attribute]:
    if timestamps == "seconds":
        return [Attribute(column, column, as_seconds, None, "seconds since the first", True)]
    if timestamps == "drop":
        return []
    days = Codes(7)

    def hour(times: pd.Series) -> NDArray[np.float64]:
        return hours(as_seconds(times))

    def day(times: pd.Series) -> NDArray[np.float64]:
        return days.code(weekdays(as_seconds(times)))

    return [
        Attribute(f"{column} hour", column, hour, origin="hour of the day"),
        Attribute(f"{column} weekday", column, day, days, "day of the week"),
    ]


def left_out(kinds: Mapping[str, str], rules: ColumnRules) -> list[ColumnUse]:
    """The columns of which no attribute is made, with the reason."""
    asked = [ColumnUse(c, "dropped", "as asked") for c in kinds if c in rules.drop]
    if rules.timestamps != "drop":
        return asked
    text = "a timestamp (timestamps='seconds' or 'calendar' makes attributes of it)"
    others = (c for c in kinds if c not in {rules.label, rules.time, *rules.nominal, *rules.drop})
    return asked + [ColumnUse(c, "dropped", text) for c in others if kinds[c] == "timestamp"]
