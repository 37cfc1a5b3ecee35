"""Checks of what kind of thing an argument is: a frame, a mapping, a text, numbers of any shape.

Like those of `repro._checks`, each names the argument, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from repro._checks.arguments import shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "as_floats",
    "as_list",
    "check_frame",
    "check_kind",
    "check_mapping",
    "check_text",
    "check_values",
]

Thing = TypeVar("Thing")


def check_kind(value: Any, kind: type[Thing], *, name: str, rule: str = "") -> Thing:
    """Return `value` if it is a `kind`; `rule` says in words what that is."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {rule or f'a {kind.__name__}'}; got {shown(value)}")
    return value


def check_text(value: str, *, name: str) -> str:
    """Return `value` if it is a text."""
    return check_kind(value, str, name=name, rule="a text")


def check_mapping(value: Any, *, name: str, rule: str) -> Mapping[Any, Any]:
    """Return `value` if it is a mapping; `rule` says of what to what."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must map {rule}; got {shown(value)}")
    return value


def check_values(value: Any, kind: type, *, name: str, rule: str) -> Mapping[Any, Any]:
    """Return `value` if it maps anything to a `kind`; `rule` says of what to what."""
    for key, held in check_mapping(value, name=name, rule=rule).items():
        if not isinstance(held, kind):
            raise TypeError(f"{name} must map {rule}; got {shown(held)} for {shown(key)}")
    return value


def as_list(values: Any, kind: type[Thing] | None = None, *, name: str, rule: str) -> list[Thing]:
    """Return `values`, any iterable but a text, as a list of things of this `kind`."""
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        listed = list(values)
    except TypeError:
        raise TypeError(f"{name} must be {rule}; got {shown(values)}") from None
    for value in listed:
        if kind is not None and not isinstance(value, kind):
            raise TypeError(f"{name} must be {rule}; got {shown(value)} among them")
    return listed


def check_frame(
    value: Any,
    columns: Iterable[Hashable] = (),
    *,
    name: str,
    numbers: Iterable[Hashable] = (),
) -> pd.DataFrame:
    """Return `value` if it is a frame with these `columns`, the `numbers` of them as floats.

    Integers stay integers. Every column has a name of its own.
    """
    import pandas as pd  # here: `python -m repro` answers before pandas is loaded

    frame = check_kind(value, pd.DataFrame, name=name, rule="a DataFrame")
    if not frame.columns.is_unique:
        twice = shown(frame.columns[frame.columns.duplicated()][0])
        raise ValueError(f"{name} must have one column of each name; got several called {twice}")
    if lacking := [column for column in columns if column not in frame.columns]:
        wanted = ", ".join(map(str, lacking))
        has = shown(list(frame.columns))
        raise ValueError(f"{name} must have the columns {wanted}; got {has}")
    others = [c for c in numbers if not _is_numeric(frame[c].dtype)]
    if others:
        frame = frame.copy()
        for column in others:
            frame[column] = _floats(frame[column], column, name)
    return frame


def _is_numeric(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"  # pandas' own have NA in them


def _floats(column: pd.Series, label: Hashable, name: str) -> NDArray[np.float64]:
    try:
        if column.dtype.kind == "O" and not column.map(_may_be_number).all():
            raise TypeError
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        rule = f"numbers in the column {shown(label)}"
        raise ValueError(f"{name} must hold {rule}; got {shown(column.tolist()[:3])}") from None


def _may_be_number(value: Any) -> bool:
    is_missing = value is None or type(value).__name__ == "NAType"  # pandas' own, not imported here
    return is_missing or isinstance(value, Real | np.bool_)


def as_floats(values: Any, *, name: str) -> NDArray[np.float64]:
    """Return `values` as floats in an array of any shape, finite or not; masked ones are nan."""
    try:
        given = np.asarray(_unmasked(values))
        if given.dtype.kind not in "biufO":  # O may hold numbers; texts, dates, complex are none
            raise TypeError
        if given.dtype.kind == "O" and not all(map(_may_be_number, given.ravel().tolist())):
            raise TypeError
        with np.errstate(over="ignore"):  # a longer float may become inf
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold numbers; got {shown(values)}") from None


def _unmasked(values: Any) -> Any:
    if not isinstance(values, np.ma.MaskedArray) or values.dtype.kind not in "biuf":
        return values
    return np.ma.filled(values.astype(np.float64), np.nan)
