"""A table that comes in parts, as the arrays of a stream. Each array is held once.

The parts are written into one matrix as they come. Rows and columns are left out, sorted and
recoded within that matrix at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import check_fits, shown
from repro.data_sets.description import ColumnUse, Description
from repro.streams._column_codes import Codes, as_seconds, fill_last, kind_of
from repro.streams._column_plan import (
    MOST_LABELS,
    Attribute,
    ColumnRules,
    attributes,
    left_out,
    listed,
    nominal_values,
)
from repro.streams._stream_views import as_pandas

__all__ = ["Arrays", "arrays_of", "arrays_of_frame"]

ROWS = 100_000  # of a part
BLOCK = 10_000  # rows copied at once
MISSING = "(missing)"  # name of the code of missing values


class Arrays(NamedTuple):
    """The fields of a stream, made of a table."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    nominal: NDArray[np.int64]
    n_classes: int
    name: str
    provenance: Description


def arrays_of_frame(frame: Any, rules: ColumnRules) -> Arrays:
    """The arrays of a table that is in memory."""
    frame = as_pandas(frame)
    rules.check_names(map(str, frame.columns))
    named = frame.set_axis(list(map(str, frame.columns)), axis="columns")
    kinds = {column: kind_of(named[column]) for column in named}
    starts = range(0, len(named), ROWS)
    return arrays_of((named.iloc[i : i + ROWS] for i in starts), kinds, len(named), rules)


def arrays_of(
    parts: Iterable[pd.DataFrame], kinds: Mapping[str, str], n: int, rules: ColumnRules
) -> Arrays:
    """The arrays of a table of `n` rows that comes in `parts`.

    `kinds` maps the name of each column to its kind, see `kind_of`.
    """
    if not n:
        raise ValueError(f"{rules.source} must have a row at least; got a table without rows")
    if rules.time is not None and kinds[rules.time] == "text":
        kinds = {**kinds, rules.time: "timestamp"}  # `add` says which text is no time
    table = _Table(kinds, n, rules)
    for part in parts:
        table.add(part)
    table.leave_out()
    table.sort()
    return table.arrays()


class _Table:
    """The arrays while they are filled: `flat` has the rows of X one by one, nan where missing."""

    def __init__(self, kinds: Mapping[str, str], n: int, rules: ColumnRules) -> None:
        self.kinds, self.rules = kinds, rules
        self.attributes = attributes(kinds, rules)
        self.columns = {a.name: a.column for a in self.attributes}
        self.uses = left_out(kinds, rules)
        self.notes: list[str] = []
        self.labels = Codes(MOST_LABELS)
        self._check_attributes()
        check_fits(8 * n * (len(self.attributes) + 2), name=rules.source, value=f"{n} rows")
        self.flat = np.empty(n * len(self.attributes))
        self.y, self.times = np.empty(n), np.zeros(n)
        self.n = 0

    def X(self) -> NDArray[np.float64]:
        return self.flat.reshape(-1, len(self.attributes))

    def add(self, part: pd.DataFrame) -> None:
        rows, X = slice(self.n, self.n + len(part)), self.X()
        for j, attribute in enumerate(self.attributes):
            if attribute.codes is None or not attribute.codes.is_full:
                X[rows, j] = attribute.read(part[attribute.column])
        self.y[rows] = self._labels_of(part[self.rules.label])
        if self.rules.time is not None:
            self.times[rows] = _times_of(part[self.rules.time])
        self.n += len(part)

    def _labels_of(self, column: pd.Series) -> NDArray[np.float64]:
        values = nominal_values(column, self.kinds[self.rules.label])
        rule = f"{self.rules.labelled} of at most {MOST_LABELS} classes"
        if values.dtype.kind == "f" and (parts := values % 1 > 0).any():
            got = shown(float(values[parts].iloc[0]))
            raise ValueError(f"{rule}: texts, bools or whole numbers; got {got}")
        codes = self.labels.code(values)
        if self.labels.is_full:
            raise ValueError(f"{rule}; got more in {shown(self.rules.label)}")
        return codes

    def leave_out(self) -> None:
        """Leave out rows without label or time, columns that say nothing, and gaps if asked."""
        rows = self._rows_with(np.full(len(self.y), True), self.y, "without a label")
        rows = self._rows_with(rows, self.times, "without a time")
        if not rows.any():
            raise ValueError(f"{self.rules.labelled} with a value in a row at least; got none")
        X = self.X()
        reasons = [a.why_dropped(X[rows, j], self.rules) for j, a in enumerate(self.attributes)]
        pairs = list(zip(self.attributes, reasons, strict=True))
        self.uses += [ColumnUse(a.name, "dropped", why) for a, why in pairs if why]
        self.attributes = [a for a, why in pairs if not why]
        self._check_attributes()
        columns = np.flatnonzero([not why for why in reasons])
        if self.rules.missing == "drop":
            gaps = np.zeros(len(X))
            for j in columns:
                gaps[np.isnan(X[:, j])] = np.nan
            rows = self._rows_with(rows, gaps, "with a missing value")
            if not rows.any():
                raise ValueError("missing must leave a row; got 'drop', and no row is complete")
        del X
        self.flat = _compact(self.flat, rows, columns)
        self.y, self.times = self.y[rows], self.times[rows]

    def _rows_with(
        self, rows: NDArray[np.bool_], values: NDArray[np.float64], what: str
    ) -> NDArray[np.bool_]:
        lacking = rows & np.isnan(values)
        if count := int(lacking.sum()):
            self.notes.append(f"{count} row{'s' * (count > 1)} {what} left out")
        return rows & ~lacking

    def sort(self) -> None:
        """Put the rows in the order of time; rows of the same time stay as they are."""
        if self.rules.time is not None and (self.times[1:] < self.times[:-1]).any():
            order = np.argsort(self.times, kind="stable")
            _reorder(self.X(), order)
            self.y = self.y[order]

    def arrays(self) -> Arrays:
        """The arrays, with codes in the order of the values and without missing values."""
        X, n_filled = self.X(), 0
        nominal = np.zeros(X.shape[1], np.int64)
        for j, attribute in enumerate(self.attributes):
            n_missing = int(np.isnan(X[:, j]).sum())
            values = self._fill(X[:, j], attribute)
            nominal[j], n_filled = len(values), n_filled + n_missing
            self.uses.append(attribute.use(values, n_missing, self.rules))
        labels = self.labels.sort(self.y)
        if len(labels) < 2:
            raise ValueError(f"{self.rules.labelled} of two classes or more; got {labels}")
        about = self._description(labels, n_filled)
        return Arrays(X, self.y.astype(np.int64), nominal, len(labels), self.rules.name, about)

    def _fill(self, column: NDArray[np.float64], attribute: Attribute) -> tuple[str, ...]:
        """Fill the gaps of an attribute; return the values of a nominal one, by code."""
        if attribute.codes is None:
            if attribute.from_first:
                column -= column[np.flatnonzero(~np.isnan(column))[0]]
            fill_last(column[:, np.newaxis])
            return ()
        names = attribute.codes.sort(column)
        if self.rules.missing == "own":
            column[np.isnan(column)] = len(names)
        fill_last(column[:, np.newaxis], first=len(names))
        return (*names, MISSING) if (column == len(names)).any() else names

    def _check_attributes(self) -> None:
        if not self.attributes:
            why = "; ".join(f"{use.name}: {use.text}" for use in self.uses) or "no other column"
            rule = f"{self.rules.source} must hold an attribute beside the label"
            raise ValueError(f"{rule}; got none ({why})")

    def _description(self, labels: tuple[str, ...], n_filled: int) -> Description:
        time, positions = self.rules.time, {name: i for i, name in enumerate(self.kinds)}
        text = f"{len(labels)} classes: {listed(labels)}"
        uses = [ColumnUse(self.rules.label, "label", text, labels), *self.uses]
        if time is not None:
            uses.insert(1, ColumnUse(time, "time", "the order of the rows"))
        return Description(
            self.rules.name or "table",
            "a table of one's own",
            len(self.y),
            order="as in the table" if time is None else f"by {time}",
            caveats=tuple(self.notes),
            attributes=tuple(a.name for a in self.attributes),
            labels=labels,
            n_filled=n_filled,
            columns=tuple(
                sorted(uses, key=lambda use: positions[self.columns.get(use.name, use.name)])
            ),
        )


def _times_of(column: pd.Series) -> NDArray[np.float64]:
    seconds = as_seconds(column)
    wrong = np.isnan(seconds) & column.notna().to_numpy()
    if wrong.any():
        rule = "time must name a column of numbers or of dates like 2026-01-31 23:59:59"
        raise ValueError(f"{rule}; got {shown(column[wrong].iloc[0])}")
    return seconds


def _compact(
    flat: NDArray[np.float64], rows: NDArray[np.bool_], columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The numbers of ``X[rows][:, columns]``, where `flat` holds the rows of X one by one.

    `flat` must own its memory, which is given back from the end. No other view of it may be used
    after the call.

    >>> X = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    >>> _compact(X, np.array([True, False, True]), np.array([1])).tolist()
    [1.0, 5.0]
    """
    n, end = len(rows), 0
    if rows.all() and n * len(columns) == flat.size:
        return flat
    X = flat.reshape(n, -1)
    for i in range(0, n, BLOCK):
        part = X[i : i + BLOCK][rows[i : i + BLOCK]][:, columns].ravel()  # a copy
        flat[end : end + part.size] = part
        end += part.size
    del X
    flat.resize(end, refcheck=False)
    return flat


def _reorder(X: NDArray[np.float64], order: NDArray[np.intp]) -> None:
    """Set X to ``X[order]`` in place, column by column."""
    for j in range(X.shape[1]):
        X[:, j] = X[order, j]
