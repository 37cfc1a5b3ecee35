"""What a report on a stream is about: the examples, and the names of what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro._checks import shown
from repro._reading import as_frame, open_parquet
from repro.judge.section import Section
from repro.streams.read_csv import read_csv
from repro.streams.stream import Stream

__all__ = ["Source", "read_source", "source_section"]

ROWS = 100_000  # whose times are looked at


@dataclass(frozen=True, eq=False)
class Source:
    """A stream, with names for its classes and attributes, and what was made of each column."""

    stream: Stream
    name: str
    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    columns: pd.DataFrame
    notes: tuple[str, ...] = ()
    step: float = float("nan")  # seconds between two examples, if they are equally spaced
    order: str = "in the order of the stream"

    @property
    def counts(self) -> np.ndarray:
        """Number of examples of each class, (K,)."""
        return np.bincount(self.stream.y, minlength=self.stream.schema.n_classes)

    @property
    def varies(self) -> bool:
        """Whether there are labels of two classes."""
        return int((self.counts > 0).sum()) > 1


def read_source(
    source: Any,
    *,
    label: str | int | None,
    time: str | int | None,
    nominal: tuple[str | int, ...],
    missing: str | None,
) -> Source:
    """The examples of a file, a DataFrame or a `Stream`."""
    if isinstance(source, Stream):
        arguments = {"label": label, "time": time, "nominal": nominal or None, "missing": missing}
        for name, value in arguments.items():
            if value is not None:
                raise ValueError(f"{name} must not be given with a Stream; got {shown(value)}")
        return _named(source)
    if not isinstance(source, str | Path | pd.DataFrame):
        rule = "source must be the path of a CSV or Parquet file, a DataFrame or a Stream"
        raise TypeError(f"{rule}; got {shown(source)}")
    if label is None:
        raise ValueError("label must name the column to predict; got None")
    kept: dict[str, Any] = {} if missing is None else {"missing": missing}
    make = Stream.from_frame if isinstance(source, pd.DataFrame) else read_csv
    named = _named(make(source, label, time=time, nominal=nominal, **kept))
    if time is not None:
        return replace(named, step=_step(source, time), order=f"in the order of {time}")
    return replace(
        named,
        order="in the order of the rows, which is taken for that of time",
        notes=(*named.notes, *_out_of_order(source, named.columns)),
    )


def _out_of_order(source: str | Path | pd.DataFrame, columns: pd.DataFrame) -> Iterator[str]:
    """Columns of timestamps that are not used and say that the rows are in another order."""
    is_time = (columns["used as"] == "dropped") & columns["how"].str.startswith("a timestamp")
    for name in columns.loc[is_time, "column"]:
        times = pd.to_datetime(_head(source, name), errors="coerce", utc=True).dropna()
        if not times.is_monotonic_increasing:
            yield (
                f"the timestamps of {name} are not in the order of the rows: if they are the time, "
                f"judge again with time={name!r}"
            )


def _head(source: str | Path | pd.DataFrame, name: str | int) -> pd.Series:
    """The first values of a column."""
    if isinstance(source, pd.DataFrame):
        return source[name].head(ROWS)
    if Path(source).suffix == ".parquet":
        with open_parquet(Path(source)) as file:
            return as_frame(file.read([str(name)])).iloc[:ROWS, 0]
    how: dict[str, Any] = {"skipinitialspace": True, "index_col": False, "nrows": ROWS}
    return pd.read_csv(source, usecols=[str(name)], **how).iloc[:, 0]


def _step(source: str | Path | pd.DataFrame, time: str | int) -> float:
    """Median time between rows in seconds; nan if rows are not at equal distances, or have none."""
    column = _head(source, time)
    if column.dtype.kind in "iuf":
        return float("nan")
    gaps = pd.to_datetime(column, errors="coerce", utc=True).sort_values().diff().dropna()
    usual = gaps.median()
    return usual.total_seconds() if len(gaps) and (gaps == usual).mean() > 0.9 else float("nan")


def _named(stream: Stream) -> Source:
    about, schema = stream.provenance, stream.schema
    labels = about.labels if about and len(about.labels) == schema.n_classes else None
    names = about.attributes if about and len(about.attributes) == schema.n_features else None
    labels = labels or tuple(str(k) for k in range(schema.n_classes))
    names = names or tuple(f"x{j}" for j in range(schema.n_features))
    uses = getattr(about, "columns", ())
    rows = [(use.name, use.kind, use.text) for use in uses]
    if not rows:
        kinds = (
            ("nominal", f"{v} values") if v else ("number", "as it is") for v in schema.nominal
        )
        rows = [(name, *kind) for name, kind in zip(names, kinds, strict=True)]
    columns = pd.DataFrame(rows, columns=["column", "used as", "how"])
    notes = about.caveats if about else ()
    return Source(stream, stream.name or "your stream", labels, names, columns, tuple(notes))


def source_section(source: Source) -> Section:
    """What was read: the columns, and the classes with their shares."""
    n, K = len(source.stream), source.stream.schema.n_classes
    shares = [
        f"{name} ({count:,}; {count / n:.1%})"
        for name, count in sorted(
            zip(source.labels, source.counts, strict=True), key=lambda pair: -pair[1]
        )
    ]
    more = f" and {K - 10} more" if K > 10 else ""
    text = (
        f"{n:,} examples with {len(source.attributes)} attributes were read, {source.order}. "
        f"Their labels are of {K} class{'es' * (K > 1)}: {', '.join(shares[:10])}{more}."
    )
    filled = source.stream.provenance.n_filled if source.stream.provenance else 0
    if filled:
        text += f" {filled:,} missing values were replaced."
    if source.notes:
        text += "\n\nNotes: " + " ".join(f"{note.rstrip('.')}." for note in source.notes)
    return Section("read", "What was read", text, source.columns.set_index("column"))
