"""Folders that the course makes anew: only those that it made itself, and empty ones."""

from __future__ import annotations

import shutil
from pathlib import Path

__all__ = ["MARK", "make_anew", "refuse_others"]

MARK = ".made-by-repro"
SAYS = "Made by the exercises of repro, which empties this folder when it makes it again.\n"
# Folders that an earlier version made without a mark: a file in them, and how it starts.
UNMARKED = {
    "nbgrader_config.py": '"""Settings of this course folder for nbgrader; written by `make exe',
    "environment.yml": "name: exercises\n",
}


def refuse_others(*folders: Path) -> None:
    """Raise FileExistsError if one of the `folders` holds anything and was not made here."""
    for folder in folders:
        if folder.is_dir() and any(folder.iterdir()) and not _is_ours(folder):
            rule = "the folder holds files that were not made here, and would be emptied"
            raise FileExistsError(f"{rule}; move it away or choose another place: {folder}")


def make_anew(folder: Path) -> None:
    """Make `folder` empty, but for the file `MARK`; see `refuse_others`."""
    refuse_others(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(SAYS, encoding="utf-8")  # first: this may be interrupted
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != MARK:
            path.unlink()


def _is_ours(folder: Path) -> bool:
    if (folder / MARK).is_file():
        return True
    found = (folder / name for name in UNMARKED if (folder / name).is_file())
    return any(
        path.read_text(encoding="utf-8", errors="replace").startswith(UNMARKED[path.name])
        for path in found
    )
