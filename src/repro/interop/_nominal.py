"""Nominal columns as codes: texts, categories and truth values become numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import is_whole, shown

__all__ = ["AUTO", "Coding", "coding_of"]

AUTO = "auto"
LISTS = list, tuple, np.ndarray, pd.Index


class Values(NamedTuple):
    """The known values of a column: their codes are their positions, without `unknown`."""

    categories: pd.Index
    unknown: int  #: the code kept for a value that is missing or not known

    def codes(self, column: Any) -> NDArray[np.int64]:
        """The codes of the values in `column`."""
        # Its type does not matter, since values decide: a category may be a text.
        positions = self.categories.get_indexer(np.asarray(column))
        return np.where(positions < 0, self.unknown, positions + (positions >= self.unknown))

    def extended(self, column: pd.Series) -> Values:
        """These values, then the other ones of `column`."""
        others = _values(column)
        return Values(self.categories.append(others[~others.isin(self.categories)]), self.unknown)


@dataclass(frozen=True, eq=False)
class Coding:
    """The values of the nominal columns by position; other columns are numeric."""

    values: dict[int, Values]

    def nominal(self, n_features: int) -> tuple[int, ...]:
        """Number of codes of each column, 0 for a numeric one, as in a `Schema`."""
        sizes = {j: len(values.categories) + 1 for j, values in self.values.items()}
        return tuple(sizes.get(j, 0) for j in range(n_features))

    def codes(self, X: Any) -> Any:
        """The columns of `X` with codes in place of values; `X` itself if all are numeric."""
        frame = _as_frame(X) if self.values else None
        if frame is None:
            return X
        columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
        return pd.DataFrame(
            {
                j: self.values[j].codes(column) if j in self.values else column.array
                for j, column in enumerate(columns)
            }
        )

    def extended(self, X: Any) -> Coding:
        """The coding that also knows the values in `X`."""
        frame = _as_frame(X) if self.values else None
        if frame is None:
            return self
        return Coding({j: old.extended(frame.iloc[:, j]) for j, old in self.values.items()})


def coding_of(X: Any, nominal: str | Sequence[Any]) -> Coding:
    """The coding of the values in `X` (n, d).

    Parameters
    ----------
    X : table or array.
    nominal : names or positions of the nominal columns; "auto" are those of a table that hold
        texts, categories, truth values or other objects, and none of an array.

    Raises ValueError for other values of `nominal`, for a column that `X` does not have, and for
    times, which are neither numbers nor nominal.
    """
    is_auto = isinstance(nominal, str) and nominal == AUTO
    if not is_auto and (isinstance(nominal, str) or not isinstance(nominal, LISTS)):
        rule = 'nominal must be "auto" or a list of names or positions of columns'
        raise ValueError(f"{rule}; got {shown(nominal)}")
    frame = None if is_auto and not _is_table(X) else _as_frame(X)
    if frame is None:
        return Coding({})
    if is_auto:
        columns = [j for j, dtype in enumerate(frame.dtypes) if _is_nominal(dtype)]
    else:
        columns = [_position(frame, column) for column in nominal]
    for j, dtype in enumerate(frame.dtypes):
        if j not in columns and dtype.kind in "mM":
            rule = "X must hold numbers, texts, categories or truth values"
            raise ValueError(f"{rule}; got {dtype} in column {frame.columns[j]!r}")
    categories = {j: _values(frame.iloc[:, j]) for j in columns}
    return Coding({j: Values(index, len(index)) for j, index in categories.items()})


def _is_table(X: Any) -> bool:
    return isinstance(X, pd.DataFrame) or hasattr(X, "to_pandas")


def _as_frame(X: Any) -> pd.DataFrame | None:
    """`X` as a table of pandas; None unless it has rows and columns."""
    if _is_table(X):
        return X if isinstance(X, pd.DataFrame) else X.to_pandas()
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different length
        return None
    if array.ndim != 2:
        return None
    native = array.dtype.newbyteorder("=")
    return pd.DataFrame(X if isinstance(X, list) else array.astype(native, copy=False))


def _position(frame: pd.DataFrame, column: Any) -> int:
    d = frame.shape[1]
    if is_whole(column) and 0 <= column < d:
        return int(column)
    matches = np.flatnonzero(frame.columns == column) if isinstance(column, str) else np.empty(0)
    if matches.size != 1:
        rule = f"nominal must hold names of columns or positions 0..{d - 1}"
        raise ValueError(f"{rule}; got {shown(column)}")
    return int(matches[0])


def _is_nominal(dtype: Any) -> bool:
    kinds = pd.api.types
    is_text = kinds.is_string_dtype(dtype) or kinds.is_object_dtype(dtype)
    return is_text or kinds.is_bool_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype)


def _values(column: pd.Series) -> pd.Index:
    """The values of a column: all its categories, or those that occur."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Index(np.asarray(column.cat.categories))
    return pd.Index(np.asarray(column.dropna().unique()))
