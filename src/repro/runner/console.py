"""Lines for whoever waits: they stay, or show progress on a terminal and are gone."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

__all__ = ["clear", "is_terminal", "say", "show"]

ERASE = "\r\033[K"  # to the start of the line, and remove what is on it


def is_terminal(file: TextIO | None = None) -> bool:
    """Whether a line written to `file`, standard output by default, can be removed again."""
    return (file or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def say(text: str, *, file: TextIO | None = None) -> None:
    """Print a line that stays, in the place of a progress line.

    Under ``make -j2`` the progress line may be another process's: printed after it, "8 s" and
    "02_estimators" would become one word.
    """
    file = file or sys.stdout
    print(f"{ERASE if is_terminal(file) else ''}{text}", file=file, flush=True)


def show(text: str) -> None:
    """Write a progress line in the place of the last; cut, since a folded one would stay."""
    print(f"{ERASE}{text[: shutil.get_terminal_size().columns - 1]}", end="", flush=True)


def clear() -> None:
    """Remove the progress line."""
    print(ERASE, end="", flush=True)
