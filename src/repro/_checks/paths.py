"""Checks of paths that users give."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from repro._checks.numbers import shown

__all__ = ["as_folder", "as_new_folder", "as_path", "check_no_file"]

LONGEST_NAME = 255  # bytes of a file's name on the usual file systems


def as_path(value: Any, *, name: str, what: str = "the path of a file") -> Path:
    """Return `value` as a path; TypeError for another kind, ValueError for an impossible path."""
    if not isinstance(value, str | Path):
        raise TypeError(f"{name} must be {what}; got {shown(value)}")
    if "\0" in str(value) or not str(value):
        raise ValueError(f"{name} must be {what}; got {shown(value)}")
    path = Path(value)
    try:
        longest = max((len(os.fsencode(part)) for part in path.parts), default=0)
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be {what}; got {shown(value)}") from None
    if longest > LONGEST_NAME:
        rule = f"{name} must be {what}, with names of at most {LONGEST_NAME} bytes"
        raise ValueError(f"{rule}; got one of {longest}")
    return path


def as_folder(value: Any, *, name: str) -> Path:
    """Return the path of a folder that is there; NotADirectoryError for another."""
    path = as_path(value, name=name, what="the path of a folder")
    if not path.is_dir():
        raise NotADirectoryError(f"{name} must be a folder that is there; got {str(value)!r}")
    return path


def as_new_folder(value: Any, *, name: str) -> Path:
    """Return the path of a folder, which need not be there; NotADirectoryError for a file."""
    path = as_path(value, name=name, what="the path of a folder")
    check_no_file(path, name=name, rule="be a folder")
    return path


def check_no_file(path: Path, *, name: str, rule: str) -> None:
    """Raise NotADirectoryError if `path`, or a folder above it, is a file."""
    for folder in (path, *path.parents):
        if folder.is_dir():
            return
        if folder.exists():
            raise NotADirectoryError(f"{name} must {rule}; got the file {shown(str(folder))}")
