"""Paths that a report is written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from repro._checks import as_path, check_choice, shown

__all__ = ["as_file", "as_folder"]


def as_file(value: Any, *suffixes: str) -> Path:
    """Return `value` as the path of a file with one of the `suffixes`."""
    path = as_path(value, name="path")
    check_choice(path.suffix.lower(), suffixes, name="suffix of path")
    if path.is_dir():
        raise IsADirectoryError(f"path must be the path of a file; got the folder {shown(path)}")
    _check_folder(path.parent, name="path")
    return path


def as_folder(value: Any) -> Path:
    """Return `value` as the path of a folder, which need not be there."""
    path = as_path(value, name="folder", what="the path of a folder")
    _check_folder(path, name="folder")
    return path


def _check_folder(path: Path, *, name: str) -> None:
    """Raise NotADirectoryError if `path`, or a folder above it, is a file."""
    for folder in (path, *path.parents):
        if folder.is_dir():
            return
        if folder.exists():
            rule = f"{name} must be in a folder" if name == "path" else f"{name} must be a folder"
            raise NotADirectoryError(f"{rule}; got the file {shown(str(folder))}")
