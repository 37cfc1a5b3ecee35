"""Paths that a report is written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from repro._checks import as_path, check_choice, check_no_file, shown

__all__ = ["as_file"]


def as_file(value: Any, *suffixes: str) -> Path:
    """Return `value` as the path of a file with one of the `suffixes`."""
    path = as_path(value, name="path")
    check_choice(path.suffix.lower(), suffixes, name="suffix of path")
    if path.is_dir():
        raise IsADirectoryError(f"path must be the path of a file; got the folder {shown(path)}")
    check_no_file(path.parent, name="path", rule="be in a folder")
    return path
