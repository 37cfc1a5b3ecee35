"""Tables of results as plain CSV files in ``data/results``.

The files hold numbers and nothing else. What they came from stands beside them, in
``NN_provenance.json``, which the runner writes once per notebook with a checksum of every file.
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
    """Write ``data/results/<name>.csv`` in the folder of the run's results; the file's path.

    Columns of floats are rounded to `decimals` places and written with exactly as many, one
    number for all or one per column; a column without one keeps every digit that matters. An
    index must have a name, or it must be the default one, which is left out. Lines end in a line
    feed on every system, missing values are empty, and equal tables give equal bytes.
    `name` is like ``01_cells``.
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

    A notebook that reads another notebook's table depends on it in a way that the runner does
    not see: keep to the tables of the same notebook.
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
    """A copy of `frame` whose floats are texts."""
    each = decimals if isinstance(decimals, Mapping) else dict.fromkeys(frame.columns, decimals)
    for places in each.values():
        if places is not None:
            check_count(places, name="decimals", least=0, most=MOST_DECIMALS)
    if unknown := set(each) - set(frame.columns):
        raise ValueError(f"decimals must name columns of frame; got {sorted(map(str, unknown))}")
    table = frame.copy()
    for column in [name for name, dtype in frame.dtypes.items() if dtype.kind == "f"]:
        values = frame[column].to_numpy(dtype=float, na_value=float("nan"))
        table[column] = [_text(float(value), each.get(column)) for value in values]
    return table


def _text(value: float, places: int | None) -> str | None:
    """`value` in decimals; None for nan, and no sign on a zero."""
    if value != value:
        return None
    text = repr(value) if places is None else f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _path(folder: Path, name: str) -> Path:
    _files.check_name(name, example="01_cells")
    return folder / "data" / "results" / f"{name}.csv"
