"""Checks of the type of an argument: a frame, a mapping, a text, numbers of any shape.

Each names the argument, the rule and the value, as all of `repro._checks`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from repro._checks.numbers import check_count, is_whole, shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "as_floats",
    "as_list",
    "as_seeds",
    "check_frame",
    "check_kind",
    "check_mapping",
    "check_text",
    "check_values",
]

Thing = TypeVar("Thing")
MOST_SEEDS = 10_000_000


def check_kind(value: Any, kind: type[Thing], *, name: str, rule: str = "") -> Thing:
    """Return `value` if it is an instance of `kind`, else raise TypeError.

    Parameters
    ----------
    value : the value to check
    kind : the type asked for
    name : the name of the argument, for the message
    rule : the type in words, as in "a text"; by default its name
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {rule or f'a {kind.__name__}'}; got {shown(value)}")
    return value


def check_text(value: str, *, name: str) -> str:
    """Return `value` if it is a text."""
    return check_kind(value, str, name=name, rule="a text")


def check_mapping(value: Any, *, name: str, rule: str) -> Mapping[Any, Any]:
    """Return `value` if it is a mapping; `rule` names its keys and values, for the message."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must map {rule}; got {shown(value)}")
    return value


def check_values(value: Any, kind: type[Any], *, name: str, rule: str) -> Mapping[Any, Any]:
    """Return `value` if it is a mapping whose values are instances of `kind`.

    Parameters
    ----------
    value : the value to check
    kind : the type of the mapping's values
    name : the name of the argument, for the message
    rule : keys and values in words, as in "names to learners"
    """
    for key, held in check_mapping(value, name=name, rule=rule).items():
        if not isinstance(held, kind):
            raise TypeError(f"{name} must map {rule}; got {shown(held)} for {shown(key)}")
    return value


def as_list(values: Any, kind: type[Thing] | None = None, *, name: str, rule: str) -> list[Thing]:
    """Return `values`, any iterable but a text, as a list.

    Parameters
    ----------
    values : the iterable; a text is refused
    kind : the type that every element must have; None for any
    name : the name of the argument, for the message
    rule : the whole argument in words, as in "a list of streams"
    """
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
    """Return `value` if it is a frame with these `columns`, each under a unique name.

    Parameters
    ----------
    value : the frame
    columns : columns that it must have
    name : the name of the argument, for the message
    numbers : columns that must hold numbers; they become floats, and integers stay integers
    """
    import pandas as pd  # here: `python -m repro` answers without loading pandas

    frame = check_kind(value, pd.DataFrame, name=name, rule="a DataFrame")
    if not frame.columns.is_unique:
        twice = shown(frame.columns[frame.columns.duplicated()][0])
        raise ValueError(f"{name} must have one column of each name; got several called {twice}")
    if lacking := [column for column in columns if column not in frame.columns]:
        missing = ", ".join(map(str, lacking))
        has = shown(list(frame.columns))
        raise ValueError(f"{name} must have the columns {missing}; got {has}")
    others = [c for c in numbers if not _is_numeric(frame[c].dtype)]
    if others:
        frame = frame.copy()
        for column in others:
            frame[column] = _floats(frame[column], column, name)
    return frame


def _is_numeric(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"  # pandas' own types may hold NA


def _floats(column: pd.Series, label: Hashable, name: str) -> NDArray[np.float64]:
    try:
        if column.dtype.kind == "O" and not column.map(_may_be_number).all():
            raise TypeError
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        rule = f"numbers in the column {shown(label)}"
        raise ValueError(f"{name} must hold {rule}; got {shown(column.tolist()[:3])}") from None


def _may_be_number(value: Any) -> bool:
    is_missing = value is None or type(value).__name__ == "NAType"  # pandas' missing value
    return is_missing or isinstance(value, Real | np.bool_)


def as_floats(values: Any, *, name: str) -> NDArray[np.float64]:
    """Return `values` as a float array of any shape, finite or not; masked values become nan."""
    try:
        array = np.asarray(_unmasked(values))
        if array.dtype.kind not in "biufO":  # O may hold numbers; others are texts, dates ...
            raise TypeError
        if array.dtype.kind == "O" and not all(map(_may_be_number, array.ravel().tolist())):
            raise TypeError
        with np.errstate(over="ignore"):  # a longdouble may become inf
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold numbers; got {shown(values)}") from None


def _unmasked(values: Any) -> Any:
    if not isinstance(values, np.ma.MaskedArray) or values.dtype.kind not in "biuf":
        return values
    return np.ma.filled(values.astype(np.float64), np.nan)


def as_seeds(seeds: int | Iterable[int]) -> list[int]:
    """Return `seeds` as a list: 0..n-1 for a number n >= 1, or different integers >= 0.

    >>> as_seeds(3), as_seeds([7, 5])
    ([0, 1, 2], [7, 5])
    """
    if is_whole(seeds):
        n = check_count(seeds, name="seeds", most=MOST_SEEDS)  # type: ignore[arg-type]
        return list(range(n))
    rule = "a number of seeds, or different integers >= 0"
    listed: list[int] = as_list(seeds, name="seeds", rule=rule)
    numbers = [check_count(seed, name="seeds", least=0) for seed in listed]
    if not numbers or len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds must be {rule}, at least one; got {shown(seeds)}")
    return numbers
