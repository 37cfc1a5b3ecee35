"""Tables in CSV and Parquet files as streams, read in parts."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from repro._checks import as_path
from repro._progress import progress
from repro._reading import (
    as_frame,
    exactly,
    names_in_csv,
    names_in_parquet,
    open_parquet,
    reading,
    separated_by,
)
from repro.streams._column_codes import kind_of, kinds_of
from repro.streams._column_plan import ColumnRules
from repro.streams._columns import Arrays, arrays_of
from repro.streams.stream import Stream

__all__ = ["read_csv"]

CELLS = 2_000_000  # values read at once


def read_csv(
    path: str | Path,
    label: str | int,
    *,
    time: str | int | None = None,
    nominal: Iterable[str | int] = (),
    drop: Iterable[str | int] = (),
    missing: str = "last",
    timestamps: str = "drop",
    max_values: int = 100,
    name: str | None = None,
    separator: str = ",",
) -> Stream:
    """The rows of a CSV or Parquet file as a stream; the options are those of `Stream.from_frame`.

    The file is read in parts, twice if it is text: to learn the kinds of its columns, and to fill
    the arrays of the stream, which are held once. Nothing is sent anywhere.

    Parameters
    ----------
    path : a file with the suffix .parquet, or a text with a header line, also as .gz.
    label, time, nominal, drop, missing, timestamps, max_values : see `Stream.from_frame`. A
        missing value of a text file is an empty field, ``?``, or one that pandas takes as missing,
        such as ``NA``.
    name : name of the stream; default the name of the file.
    separator : what stands between the fields of a text, one character.

    Raises FileNotFoundError if there is no file, ImportError for Parquet without pyarrow, and the
    errors of `Stream.from_frame`; ValueError for a file of another kind or a damaged one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prices.csv"
    ...     _ = path.write_text("day,price,move\\n2026-01-02,2,UP\\n2026-01-01,1,DOWN\\n")
    ...     stream = read_csv(path, "move", time="day")
    >>> stream
    Stream('prices', n=2, n_features=1, n_classes=2)
    >>> stream.X.ravel().tolist(), stream.provenance.labels
    ([1.0, 2.0], ('DOWN', 'UP'))
    """
    source = as_path(path, name="path")
    stem = source.name.removesuffix(".gz").rpartition(".")[0]
    title = stem if name is None else name
    rules = ColumnRules(
        label, time, nominal, drop, missing, timestamps, max_values, title, source="path"
    )
    fields = separated_by(separator)
    is_parquet = source.suffix == ".parquet"
    what = "a Parquet file" if is_parquet else "a CSV file with a header"
    with reading(source, name="path", what=what), warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        arrays = _parquet(source, rules) if is_parquet else _text(source, rules, fields)
    return Stream._adopt(arrays)


def _text(path: Path, rules: ColumnRules, fields: dict[str, Any]) -> Arrays:
    how = fields | {"index_col": False}
    names = names_in_csv(path, **how)
    rules.check_names(names)
    how |= {"na_values": ["?"], "low_memory": False, "encoding": "utf-8-sig"}
    how |= {"header": 0, "names": names, "chunksize": max(1, CELLS // len(names))}
    with pd.read_csv(path, **how) as parts:
        n, kinds = kinds_of(progress(parts, desc=f"columns of {path.name}", unit=" parts"), names)
    dtypes = {name: float if kind == "number" else str for name, kind in kinds.items()}
    total = -(-n // how["chunksize"])
    with pd.read_csv(path, **how, dtype=dtypes, **exactly()) as parts:
        shown_parts = progress(parts, total=total, desc=path.name, unit=" parts")
        return arrays_of(_all_rows(shown_parts, n), kinds, n, rules)


def _parquet(path: Path, rules: ColumnRules) -> Arrays:
    with open_parquet(path) as file:
        columns = names_in_parquet(file)
        rules.check_names(columns)
        n = file.metadata.num_rows
        batches = file.iter_batches(max(1, CELLS // max(1, len(columns))), columns=columns)
        parts = map(as_frame, batches)
        first = next(parts, pd.DataFrame(columns=columns))
        kinds = {column: kind_of(first[column]) for column in columns}
        every = progress(itertools.chain([first], parts), desc=path.name)
        return arrays_of(_all_rows(every, n), kinds, n, rules)


def _all_rows(parts: Iterable[pd.DataFrame], n: int) -> Iterator[pd.DataFrame]:
    """The parts; ValueError unless they have `n` rows, as was counted or is noted in the file."""
    rows = 0
    for part in parts:
        if (rows := rows + len(part)) <= n:
            yield part
    if rows != n:
        raise ValueError(
            f"path must be a file with {n:,} rows, as counted before or noted in it; got {rows:,}"
        )
