"""Lines on the console: lines that stay, and progress lines that the next line replaces."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

__all__ = ["clear", "is_terminal", "say", "show"]

ERASE = "\r\033[K"  # go to the start of the line and erase it


def is_terminal(file: TextIO | None = None) -> bool:
    """Whether a line written to `file`, standard output by default, can be erased."""
    return (file or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def say(text: str, *, file: TextIO | None = None) -> None:
    """Print a line that stays, over a progress line if there is one.

    Under ``make -j2`` that progress line may be another process's: without erasing it, "8 s" and
    "02_estimators" would run together.
    """
    file = file or sys.stdout
    print(f"{ERASE if is_terminal(file) else ''}{text}", file=file, flush=True)


def show(text: str) -> None:
    """Write a progress line over the last one, cut to the width: a wrapped line would stay."""
    print(f"{ERASE}{text[: shutil.get_terminal_size().columns - 1]}", end="", flush=True)


def clear() -> None:
    """Erase the progress line."""
    print(ERASE, end="", flush=True)
