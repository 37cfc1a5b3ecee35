"""The table of a log of predictions: read, complete, in the order of time, a row per example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro._checks import shown
from repro._reading import (
    as_frame,
    exactly,
    names_in_csv,
    names_in_parquet,
    open_parquet,
    reading,
    separated_by,
)

__all__ = ["as_times", "complete_rows", "in_order", "side_by_side", "table_of"]

Roles = list[tuple[str, Any]]  # what a column is for, and its name


def table_of(
    source: Any, roles: Roles, text: list[str], separator: str
) -> tuple[pd.DataFrame, str]:
    """The columns that are asked for, and a name for the log."""
    wanted = [column for _, column in roles]
    how = separated_by(separator)
    if isinstance(source, pd.DataFrame):
        _check_columns(roles, list(source.columns))
        return source[[*dict.fromkeys(wanted)]].reset_index(drop=True), "the log"
    if not isinstance(source, str | Path):
        rule = "source must be the path of a CSV or Parquet file, or a DataFrame"
        raise TypeError(f"{rule}; got {shown(source)}")
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"source must be a CSV or Parquet file; got {str(source)!r}")
    stem = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    is_parquet = path.suffix == ".parquet"
    what = "a Parquet file" if is_parquet else "a CSV file with a header"
    with reading(path, name="source", what=what):
        if is_parquet:
            with open_parquet(path) as file:
                _check_columns(roles, names_in_parquet(file))
                return as_frame(file.read([*dict.fromkeys(wanted)])), stem
        names = names_in_csv(path, **how)
        hint = " (separator says what stands between columns)" if len(names) == 1 else ""
        _check_columns(roles, names, hint)
        how |= {"usecols": [*dict.fromkeys(wanted)], "dtype": dict.fromkeys(text, "category")}
        how |= {"encoding": "utf-8-sig", "low_memory": False, **exactly()}
        return pd.read_csv(path, **how), stem


def _check_columns(roles: Roles, there: list[Any], hint: str = "") -> None:
    used: dict[Any, str] = {}
    for role, column in roles:
        if column not in there:
            listed = ", ".join(map(str, there[:20])) + (" ..." if len(there) > 20 else "")
            raise ValueError(f"{role} must name a column of {listed}{hint}; got {shown(column)}")
        if (count := there.count(column)) > 1:
            raise ValueError(
                f"{role} must name one column; got {shown(column)}, the name of {count}"
            )
        other = used.setdefault(column, role)
        if role != other and "groups" not in (role, other):
            raise ValueError(f"{role} must be another column than {other}; got {shown(column)}")


def complete_rows(frame: pd.DataFrame, roles: Roles, notes: list[str]) -> pd.DataFrame:
    """The rows that have all they need."""
    kept = np.ones(len(frame), dtype=bool)
    for role, column in roles:
        missing = frame[column].isna().to_numpy()
        if missing.any():
            notes.append(f"{missing.sum():,} rows without {role} ({column}) were left out")
        kept &= ~missing
    if not kept.any():
        raise ValueError(
            f"source must have rows with all of {', '.join(r for r, _ in roles)}; got 0"
        )
    return frame if kept.all() else frame[kept].reset_index(drop=True)


def as_times(column: pd.Series, name: str) -> pd.Series:
    """Numbers as they are, dates as times: texts in the form of ISO 8601, as in `read_csv`.

    Other texts are refused: 01/02/2026 is a day of January here and of February there.
    """
    if pd.api.types.is_numeric_dtype(column):
        return column.astype(np.float64) if column.dtype == np.float16 else column
    if pd.api.types.is_datetime64_any_dtype(column):
        return column
    try:
        times = pd.to_datetime(column, utc=True, format="ISO8601", errors="coerce")
    except (TypeError, ValueError):
        times = pd.Series(pd.NaT, index=column.index)
    if (wrong := times.isna().to_numpy()).any():
        rule = f"{name} must hold numbers or dates like 2026-01-31 23:59:59"
        raise ValueError(f"{rule}; got {shown(column.iloc[int(wrong.argmax())])}")
    return times


def in_order(frame: pd.DataFrame, time: str, notes: list[str]) -> pd.DataFrame:
    """The rows in the order of `time`; equal times keep theirs."""
    times = as_times(frame[time], "time")
    frame = frame.assign(**{time: times})
    if not times.is_monotonic_increasing:
        frame = frame.sort_values(time, kind="stable", ignore_index=True)
        notes.append("the rows were not in the order of time and were put in it")
    ties = int(frame[time].duplicated().sum())
    if ties:
        notes.append(f"{ties:,} rows have the time of an earlier one; they keep their order")
    return frame


def side_by_side(
    frame: pd.DataFrame, label: str, predicted: str, scored: list[str], time: str | None, model: str
) -> tuple[pd.DataFrame, list[str], list[str]]:
    """A row per example from a row per model and example."""
    parts = {
        str(k): p.reset_index(drop=True) for k, p in frame.groupby(model, sort=False, observed=True)
    }
    first, *others = parts
    base = parts[first]
    shared = [label] + ([time] if time else [])
    for other in others:
        part = parts[other]
        if len(part) != len(base) or not all(
            (part[c].astype(str) == base[c].astype(str)).all() for c in shared
        ):
            rule = f"the rows of each model must have the same {' and '.join(shared)} in one order"
            sizes = f"{len(base):,} rows of {first} and {len(part):,} of {other}"
            raise ValueError(f"{rule} (judge models with other examples alone); got {sizes}")
    table = base.drop(columns=[predicted, model, *scored])
    names = [f"score of {m}" for m in parts] if scored else []
    if taken := [name for name in (*parts, *names) if name in table.columns]:
        raise ValueError(f"model must hold names that no column has; got {shown(taken[0])}")
    for i, (m, part) in enumerate(parts.items()):
        table[m] = part[predicted]
        if scored:
            table[names[i]] = part[scored[0]]
    return table, list(parts), names
