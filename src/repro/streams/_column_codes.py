"""Columns as numbers: codes of nominal values, seconds of timestamps, missing values filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["Codes", "as_seconds", "fill_last", "hours", "kind_of", "kinds_of", "numbers"]
__all__ += ["weekdays"]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EPOCH = pd.Timestamp(0, tz="UTC")  # a Thursday
DAY = 86_400.0  # seconds
LOOKED_AT = 1000  # values that decide whether texts are timestamps
ISO_DATE = r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d.*)?"
NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}
TIMES = {"datetime64", "datetime", "date"}


def kind_of(column: pd.Series) -> str:
    """number, timestamp, duration or text, which is anything else."""
    types, dtype = pd.api.types, column.dtype
    if types.is_datetime64_any_dtype(dtype):
        return "timestamp"
    if types.is_timedelta64_dtype(dtype):
        return "duration"
    if types.is_bool_dtype(dtype) or types.is_complex_dtype(dtype):
        return "text"
    if types.is_numeric_dtype(dtype):
        return "number"
    if isinstance(dtype, pd.CategoricalDtype):
        return "text"
    inferred = types.infer_dtype(column, skipna=True)
    if inferred in NUMBERS | TIMES:
        return "number" if inferred in NUMBERS else "timestamp"
    values = column.dropna().head(LOOKED_AT)
    if len(values) and inferred == "string" and values.str.fullmatch(ISO_DATE).all():
        return "text" if np.isnan(_since_1970(values)).any() else "timestamp"
    return "text"


def kinds_of(parts: Iterable[pd.DataFrame], names: list[str]) -> tuple[int, dict[str, str]]:
    """Number of rows, and the kind of each column: that of all its parts, or text.

    >>> kinds_of([pd.DataFrame({"a": [1.5, 2.0]}), pd.DataFrame({"a": ["?"]})], ["a"])
    (3, {'a': 'text'})
    """
    n, part_kinds = 0, dict[str, set[str]]()
    for part in parts:
        n += len(part)
        for name in names:
            if part[name].notna().any():
                part_kinds.setdefault(name, set()).add(kind_of(part[name]))
    kinds = {name: part_kinds.get(name, {"number"}) for name in names}
    return n, {name: min(kind) if len(kind) == 1 else "text" for name, kind in kinds.items()}


def numbers(column: pd.Series) -> NDArray[np.float64]:
    """The numbers of `column`, or the seconds of its durations; nan if missing or infinite."""
    if kind_of(column) == "duration":
        column = column / pd.Timedelta(seconds=1)
    if column.dtype == object:  # of others to_numeric fails where decimals of Arrow have gaps
        column = pd.to_numeric(column)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.where(np.isfinite(values), values, np.nan)


def as_seconds(column: pd.Series) -> NDArray[np.float64]:
    """Seconds from 1970 to each time in `column`, in UTC if zones are given; nan if none is."""
    if kind_of(column) in ("number", "duration"):
        return numbers(column)
    return _since_1970(column)


def _since_1970(column: pd.Series) -> NDArray[np.float64]:
    how = {} if pd.api.types.is_datetime64_any_dtype(column.dtype) else {"format": "ISO8601"}
    times = pd.to_datetime(column, utc=True, errors="coerce", **how)
    return np.asarray(((times - EPOCH) / pd.Timedelta(seconds=1)).to_numpy(dtype=np.float64))


def hours(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hour of the day of each time, from 0 to 24.

    >>> hours(np.array([5400.0])).tolist()
    [1.5]
    """
    return np.mod(seconds, DAY) / 3600


def weekdays(seconds: NDArray[np.float64]) -> pd.Series:
    """Name of the day of the week of each time.

    >>> weekdays(np.array([0.0, np.nan])).tolist()
    ['Thursday', nan]
    """
    days = np.floor(seconds / DAY) + WEEKDAYS.index("Thursday")
    return pd.Series(np.mod(days, 7)).map(dict(enumerate(WEEKDAYS)))


def fill_last(X: NDArray[np.float64], first: float = 0.0) -> int:
    """Replace each nan of X (n, d) by the last number above it, or by `first` if there is none.

    Changes X in place; returns the number of values replaced.

    >>> X = np.array([[np.nan], [2.0], [np.nan]])
    >>> fill_last(X), X.ravel().tolist()
    (2, [0.0, 2.0, 2.0])
    """
    n_filled = 0
    for column in X.T:
        missing = np.isnan(column)
        if missing.any():
            last = np.maximum.accumulate(np.where(missing, -1, np.arange(len(column))))
            column[:] = np.where(last < 0, first, column[last])
            n_filled += int(missing.sum())
    return n_filled


class Codes:
    """Codes 0, 1, ... of the values of a column that comes in parts, by first appearance.

    Ordered categories have their codes from the start, also those that do not occur.
    `most` is the number of values from which on no more are coded, and `is_full` is true.

    >>> codes = Codes(most=3)
    >>> codes.code(pd.Series(["b", None, "a"])).tolist(), codes.code(pd.Series(["a"])).tolist()
    ([0.0, nan, 1.0], [1.0])
    >>> codes.names
    ('b', 'a')
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._codes: dict[str, int] = {}
        self._is_ordered = False

    @property
    def is_full(self) -> bool:
        """Whether more than `most` values were seen."""
        return len(self._codes) > self.most

    @property
    def names(self) -> tuple[str, ...]:
        """The values as texts, by code."""
        return tuple(self._codes)

    def code(self, column: pd.Series) -> NDArray[np.float64]:
        """The codes of a part of the column; nan if missing."""
        if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
            self._is_ordered = True
            self._add(column.cat.categories)
        try:
            positions, values = pd.factorize(column)
        except TypeError:  # lists and other objects without a hash
            positions, values = pd.factorize(column.astype(str).where(column.notna()))
        return np.append(self._add(values), np.nan)[positions]  # a missing value has position -1

    def _add(self, values: Any) -> NDArray[np.float64]:
        """The codes of `values`, new ones among them; nan for those that are too many."""
        codes = np.full(len(values), np.nan)
        for i, value in enumerate(values):
            if self.is_full:
                break
            codes[i] = self._codes.setdefault(_text(value), len(self._codes))
        return codes

    def sort(self, codes: NDArray[np.float64]) -> tuple[str, ...]:
        """Recode `codes` in place by the order of the values that occur; return these.

        Numbers are in numeric order, other values in that of their texts. Ordered categories stay
        as they are.
        """
        if self._is_ordered:
            return self.names
        present = codes[~np.isnan(codes)].astype(np.int64)
        counts = np.bincount(present, minlength=len(self._codes))
        occurring = [name for name, count in zip(self.names, counts, strict=True) if count]
        ordered = sorted(occurring, key=_order(occurring))
        new = np.full(len(self._codes), np.nan)
        new[[self._codes[name] for name in ordered]] = np.arange(len(ordered))
        codes[~np.isnan(codes)] = new[present]
        return tuple(ordered)


def _text(value: Any) -> str:
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        number = float(value)
        if isfinite(number) and number.is_integer():
            return str(int(number))
        return repr(number)
    return str(value)


def _order(names: Sequence[str]) -> Any:
    """The key that sorts `names`: their numbers if all are, else their texts."""
    try:
        are_numbers = all(isfinite(float(name)) for name in names)
    except ValueError:
        are_numbers = False
    return float if are_numbers else str
