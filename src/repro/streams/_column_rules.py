"""What the user wants of the columns of a table, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from repro._checks import as_list, check_choice, check_count, check_text, is_whole, settle, shown

__all__ = ["ColumnRules"]

MISSING = ("last", "own", "drop")
TIMESTAMPS = ("drop", "seconds", "calendar")


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
    most_values: int = 100
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
        check_count(self.most_values, name="most_values")
        check_text(self.name, name="name")

    def check_names(self, columns: Iterable[str]) -> None:
        """Raise ValueError unless each name is one of `columns`, and in one role only."""
        known, roles = list(columns), dict[str, str]()
        if len(set(known)) < len(known):
            twice = next(name for name in known if known.count(name) > 1)
            rule = f"{self.source} must have columns of different names"
            raise ValueError(f"{rule}; got several called {shown(twice)}")
        named = [("label", self.label), ("drop", self.drop), ("nominal", self.nominal)]
        for option, given in [*named, ("time", () if self.time is None else self.time)]:
            for name in (given,) if isinstance(given, str) else given:
                if name not in known:
                    rule = f"{option} must name a column ({', '.join(known)})"
                    raise ValueError(f"{rule}; got {shown(name)}")
                if roles.setdefault(name, option) != option:
                    rule = f"{option} must name other columns than {roles[name]}"
                    raise ValueError(f"{rule}; got {shown(name)}")


def _as_names(names: Iterable[Any], option: str) -> tuple[str, ...]:
    given: list[Any] = as_list(names, name=option, rule="a list of names of columns")
    return tuple(_as_name(name, option) for name in given)


def _as_name(name: Any, option: str) -> str:
    if not isinstance(name, str) and not is_whole(name):
        raise TypeError(f"{option} must name a column by a text or a number; got {shown(name)}")
    return str(name)
