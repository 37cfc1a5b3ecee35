"""Paths that users give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from repro._checks import shown

__all__ = ["as_folder", "as_path"]


def as_path(value: Any, *, name: str) -> Path:
    """Return `value` as a path; TypeError for another kind, ValueError for an impossible path."""
    if not isinstance(value, str | Path):
        raise TypeError(f"{name} must be a path; got {shown(value)}")
    if "\0" in str(value):
        raise ValueError(f"{name} must be a path without NUL characters; got {shown(value)}")
    return Path(value)


def as_folder(value: Any, *, name: str) -> Path:
    """Return the path of a folder that is there; NotADirectoryError for another."""
    path = as_path(value, name=name)
    if not path.is_dir():
        raise NotADirectoryError(f"{name} must be one that is there; got {str(value)!r}")
    return path
