"""Files of users that another library reads: its errors in words that name the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from repro._checks import check_text, shown
from repro._folders import install_command

__all__ = ["as_frame", "exactly", "names_in_csv", "names_in_parquet", "open_parquet", "reading"]
__all__ += ["separated_by", "without_pyarrow"]


def exactly() -> dict[str, str]:
    """The option that makes older versions of pandas read every number as the nearest float."""
    major, minor = map(int, pd.__version__.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def separated_by(separator: Any) -> dict[str, Any]:
    """The options of pandas for a CSV file; ValueError unless `separator` is one character.

    Blanks after it are no part of a field; where it is a blank, two of them have nothing between.
    """
    if not check_text(separator, name="separator") or len(separator) > 1:
        raise ValueError(f"separator must be one character; got {shown(separator)}")
    return {"sep": separator, "skipinitialspace": separator != " "}


def names_in_csv(path: Path, **how: Any) -> list[str]:
    """The names of the columns as they stand: pandas would call a second `y` y.1."""
    how |= {"header": None, "nrows": 1, "dtype": str, "keep_default_na": False, "na_values": None}
    names = pd.read_csv(path, encoding="utf-8-sig", **how).iloc[0]
    return [name or f"Unnamed: {i}" for i, name in enumerate(names)]


def open_parquet(path: Path) -> Any:
    """The `ParquetFile` of pyarrow. Raises ImportError that says how to install it."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise without_pyarrow() from error
    return parquet.ParquetFile(path)


def without_pyarrow() -> ImportError:
    """The error of Parquet files where pyarrow is not installed; it says how to install it."""
    how = install_command("data")
    return ImportError(f"Parquet needs pyarrow, which is not installed: {how}")


def names_in_parquet(file: Any) -> list[str]:
    """The names of the columns of a `ParquetFile`, without an index that had no name."""
    return [n for n in file.schema_arrow.names if not re.fullmatch(r"__index_level_\d+__", n)]


def as_frame(table: Any) -> pd.DataFrame:
    """A table or batch of pyarrow as a frame; an index that pandas has written is a column."""
    import pyarrow as pa

    table.validate(full=True)  # else a damaged text raises where it is first looked at
    # As floats, which gaps would make of them, times in nanoseconds would lose their last digits.
    exact = {pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}
    has_gaps = any(column.null_count for column in table.columns)
    return table.to_pandas(ignore_metadata=True, types_mapper=exact.get if has_gaps else None)


@contextmanager
def reading(path: Path, *, name: str, what: str) -> Iterator[None]:
    """Let errors of other libraries in a block be a ValueError: `name` must be `what`; got `path`.

    A damaged file may raise anything. Errors of this package, a missing package, and too little
    memory stay what they are.
    """
    try:
        yield
    except (ImportError, MemoryError):
        raise
    except Exception as error:
        if _is_ours(error):
            raise
        text = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{name} must be {what}; got {path}: {text[:300]}") from error


def _is_ours(error: BaseException) -> bool:
    """Whether a line of this package raised the error."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    module = str(place.tb_frame.f_globals.get("__name__", "")) if place is not None else ""
    return module.partition(".")[0] == __name__.partition(".")[0]
