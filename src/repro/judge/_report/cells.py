"""Tables as texts: a number and its standard error in one cell, rounded as the error allows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from repro._rounding import without_rounding

__all__ = ["MISSING", "Column", "columns_of", "raw", "with_error"]

SE = " ± s.e."
MISSING = "–"
MOST = 6  # decimals; what needs more is written with a power of ten


class Column(NamedTuple):
    """A column of a table in words."""

    name: str
    is_number: bool
    cells: list[str]


def columns_of(table: pd.DataFrame) -> list[Column]:
    """The columns of `table` as texts, a column ``X`` and ``X ± s.e.`` as one.

    A standard error has one or two digits, as many decimals as the largest of its column leaves,
    and its number has as many. A standard error that is missing or 0 is left out: values that are
    all equal do not show how far off their mean is, and an exact number has none. The index comes
    first unless it only counts the rows.

    >>> table = pd.DataFrame({"error": [0.12345, 0.5], "error ± s.e.": [0.0042, 0.0123]})
    >>> columns_of(table)[0].cells
    ['0.123 ± 0.004', '0.500 ± 0.012']
    """
    frame = raw(table)
    places = {name: i for i, name in enumerate(frame.columns)}
    columns = []
    for i, name in enumerate(frame.columns):
        values = list(frame.iloc[:, i])
        if name.endswith(SE) and name.removesuffix(SE) in places:
            continue
        error = places.get(name + SE)
        errors = [None] * len(values) if error is None else list(frame.iloc[:, error])
        columns.append(Column(name, _are_numbers(values), _texts(values, errors)))
    return columns


def with_error(name: str, estimate: Iterable[Any]) -> dict[str, Any]:
    """The columns `name` and ``name ± s.e.`` of an `estimate`, a value and its standard error.

    >>> with_error("error", (0.12, 0.01))
    {'error': 0.12, 'error ± s.e.': 0.01}
    """
    value, error, *_ = estimate
    return {name: value, name + SE: error}


def raw(table: pd.DataFrame) -> pd.DataFrame:
    """`table` with its index as columns, unless it only counts the rows, and texts as names."""
    index = table.index
    counts = isinstance(index, pd.RangeIndex) and index.name is None
    levels = [] if counts else [index.get_level_values(i) for i in range(index.nlevels)]
    names = [*(_name(level.name) for level in levels), *map(_name, table.columns)]
    values = [list(level) for level in levels]
    values += [list(table.iloc[:, i]) for i in range(table.shape[1])]
    frame = pd.DataFrame(dict(enumerate(values)), index=range(len(table)))
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _name(name: Any) -> str:
    if isinstance(name, tuple):
        return ", ".join(str(part) for part in name if part not in ("", None))
    return "" if name is None else str(name)


def _number(value: Any) -> float | None:
    """`value` as a number, None for what is none."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    return float(value) if is_number else None


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value  # nan


def _are_numbers(values: Sequence[Any]) -> bool:
    there = [value for value in values if not _is_missing(value)]
    return bool(there) and all(_number(value) is not None for value in there)


def _texts(values: Sequence[Any], errors: Sequence[Any]) -> list[str]:
    numbers = [_number(value) for value in values]
    spreads = [
        _spread(number, _number(error)) for number, error in zip(numbers, errors, strict=True)
    ]
    # Two digits of the largest standard error; without one, three digits of the largest number.
    if (widest := _largest(spreads)) is not None:
        common = 1 - _power(widest, 2)
    elif all(number is None or not math.isfinite(number) or not number % 1 for number in numbers):
        common = 0
    else:
        common = max(0, 2 - _power(_largest(numbers) or 1.0, 3))
    texts = []
    for value, number, spread in zip(values, numbers, spreads, strict=True):
        if number is None:
            texts.append(_word(value))
        elif spread is None or not math.isfinite(spread):
            texts.append(_alone(number, max(common, 0)))
        else:
            texts.append(_pair(number, spread, common))
    return texts


def _spread(number: float | None, error: float | None) -> float | None:
    if number is None or error is None:
        return error
    return float(without_rounding(error, number))


def _word(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return MISSING if _is_missing(value) else str(value)


def _alone(number: float, decimals: int) -> str:
    """A number with at least `decimals`, and at least two digits of it."""
    if not math.isfinite(number):
        return MISSING if math.isnan(number) else f"{number}".replace("inf", "∞")
    needed = decimals
    if number and number % 1:
        needed = max(decimals, 1 - _power(abs(number), 2))
    return f"{number:.1e}" if needed > MOST else f"{number:.{needed}f}"


def _pair(number: float, spread: float, decimals: int) -> str:
    if not math.isfinite(number):
        return _alone(number, 0)
    if spread:
        decimals = max(decimals, -math.floor(math.log10(spread)))  # .97 is no 1: it hides less
    if decimals > MOST:
        return f"{number:.1e}" + f" ± {spread:.0e}" * (spread > 0)
    shown = max(decimals, 0)
    left, right = (f"{round(n, decimals) + 0.0:.{shown}f}" for n in (number, spread))  # no -0.0
    return f"{left} ± {right}" if spread else left


def _largest(numbers: Iterable[float | None]) -> float | None:
    sizes = [abs(n) for n in numbers if n is not None and n and math.isfinite(n)]
    return max(sizes, default=None)


def _power(value: float, digits: int) -> int:
    """The power of ten of the first digit of `value`, rounded to `digits` digits."""
    return int(f"{value:.{digits - 1}e}".partition("e")[2])
