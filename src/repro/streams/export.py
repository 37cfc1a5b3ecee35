"""Export of a stream with its truth to a CSV or Parquet file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from repro import _files
from repro._checks import as_path, check_choice
from repro._reading import without_pyarrow
from repro.streams.stream import Stream, check_stream

__all__ = ["export"]


def export(stream: Stream, path: str | Path) -> Path:
    """Write `stream` with its truth as CSV or Parquet, by the suffix of `path`; return the path.

    The columns are those of `Stream.to_frame`: the attributes, y, drift, and, if known, optimal and
    bayes_risk. CSV keeps 17 significant digits, so reading it gives the same numbers. If writing
    fails, no partial file is left.

    Raises TypeError unless `stream` is a Stream and `path` a path, ValueError for another suffix,
    IsADirectoryError for a folder, ImportError for Parquet without pyarrow.
    """
    check_stream(stream)
    target = as_path(path, name="path")
    if target.is_dir():
        raise IsADirectoryError(f"path must be the path of a file; got the folder {str(target)!r}")
    check_choice(target.suffix, (".csv", ".parquet"), name="suffix of path")
    frame = stream.to_frame()
    with _files.replacing(target) as temporary:
        if target.suffix == ".csv":
            frame.to_csv(temporary, index=False, float_format="%.17g", lineterminator="\n")
        else:
            _write_parquet(frame, temporary)
    return target


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    try:
        frame.to_parquet(path, index=False)
    except ImportError as error:
        raise without_pyarrow() from error
