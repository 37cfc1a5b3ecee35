"""The committed tables of the leagues, read and replaced as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from repro import _files

__all__ = ["read", "write"]

TEXTS = "learner", "stream", "detector", "losses", "version", "parameter", "failure"


def read(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """The table at `path`, empty if there is none; texts that are missing are ""."""
    if not path.is_file():
        return pd.DataFrame(columns=list(columns))
    empty = {name: "" for name in columns if name not in TEXTS}
    return pd.read_csv(path, keep_default_na=False, na_values=empty)


def write(path: Path, table: pd.DataFrame) -> None:
    """Replace the file at `path` as a whole: a kill leaves the old one."""
    text = table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    _files.write(path, text.encode())
