"""Tables of results as plain CSV files in ``data/results``.

The files hold numbers only. Their provenance is beside them in ``NN_provenance.json``, which the
runner writes for each notebook with a checksum of every file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from repro import _files, _folders
from repro._checks import MOST_DECIMALS, check_count, shown

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["read_table", "save_table"]


def save_table(
    frame: DataFrame, name: str, *, decimals: int | Mapping[str, int] | None = None
) -> Path:
    """Write the table ``data/results/<name>.csv`` of this run and return its path.

    Equal tables give equal bytes: lines end in a line feed on every system, and missing values
    are empty.

    Parameters
    ----------
    frame : the table. Its index has a name, or it is the default one, which is not written.
    name : such as ``01_cells``; by the rules of `repro.figures.save`.
    decimals : to which floats are rounded and written, one number for all columns or one per
        column. Other columns of floats keep all their digits.
    """
    from repro._checks import check_frame

    check_frame(frame, name="frame")
    path = _path(_folders.output(), name)
    if not len(frame.columns):
        raise ValueError(f"frame must have at least one column; got {shown(frame)}")
    has_index = all(label is not None for label in frame.index.names)
    if not has_index and list(frame.index) != list(range(len(frame))):
        raise ValueError(
            f"frame must have a named index or the default one; got {shown(frame.index)}"
        )
    text = _rounded(frame, decimals).to_csv(index=has_index, lineterminator="\n")
    _files.write(path, text.encode())
    return path


def read_table(name: str) -> DataFrame:
    """The table ``data/results/<name>.csv`` of this run, else the committed one.

    A notebook should read only tables that it writes itself: the runner does not see that one
    notebook depends on the table of another.
    """
    import pandas as pd

    folders = [_folders.output(), _folders.checkout() or Path.cwd()]
    for path in (_path(folder, name) for folder in folders):
        if path.is_file():
            return pd.read_csv(path)
    raise FileNotFoundError(
        f"name must be that of a table in {_path(folders[0], name).parent}; got {name!r} "
        f"(run the notebook that writes it: python -m repro run)"
    )


def _rounded(frame: DataFrame, decimals: int | Mapping[str, int] | None) -> DataFrame:
    """A copy of `frame` with its floats as texts."""
    by_column = (
        decimals if isinstance(decimals, Mapping) else dict.fromkeys(frame.columns, decimals)
    )
    for places in by_column.values():
        if places is not None:
            check_count(places, name="decimals", least=0, most=MOST_DECIMALS)
    if unknown := set(by_column) - set(frame.columns):
        raise ValueError(f"decimals must name columns of frame; got {sorted(map(str, unknown))}")
    table = frame.copy()
    for column in [name for name, dtype in frame.dtypes.items() if dtype.kind == "f"]:
        values = frame[column].to_numpy(dtype=float, na_value=float("nan"))
        table[column] = [_text(float(value), by_column.get(column)) for value in values]
    return table


def _text(value: float, places: int | None) -> str | None:
    """`value` with this number of decimals; None for nan, and no minus sign for zero."""
    if value != value:
        return None
    text = repr(value) if places is None else f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _path(folder: Path, name: str) -> Path:
    _files.check_name(name, example="01_cells")
    return folder / "data" / "results" / f"{name}.csv"
