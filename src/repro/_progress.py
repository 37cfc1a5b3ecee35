"""Progress bars for work of more than a few seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from tqdm import tqdm

__all__ = ["FILE", "progress", "quiet", "wanted"]

VARIABLE = "REPRO_PROGRESS"
FILE = "REPRO_PROGRESS_FILE"  # where the runner reads how far a cell is
_is_quiet: ContextVar[bool] = ContextVar("is_quiet", default=False)  # one per thread


def wanted() -> bool:
    """False if ``REPRO_PROGRESS=0``, which keeps bars out of notebooks, and in a `quiet` block."""
    return os.environ.get(VARIABLE) != "0" and not _is_quiet.get()


@contextmanager
def quiet() -> Iterator[None]:
    """Show no bars in the block, since an outer bar covers it."""
    token = _is_quiet.set(True)
    try:
        yield
    finally:
        _is_quiet.reset(token)


def progress(iterable: Any, **options: Any) -> Any:
    """`tqdm`, shown after three seconds and erased at the end."""
    options = {"delay": 3, "leave": False, **options}
    if FILE in os.environ and not _is_quiet.get():
        line = _Line(Path(os.environ[FILE]))
        return tqdm(iterable, **{"mininterval": 1, "bar_format": LINE, **options}, file=line)
    return tqdm(iterable, **{"disable": not wanted(), **options})


LINE = "{desc}: {n_fmt}/{total_fmt}, {remaining} left"
UP = "\x1b[A"


class _Line:
    """Where a bar writes, whose line is in a file, and nowhere else; "" once it is erased.

    Not a kind of `tqdm`, which writes into its own class: the class would no longer be that of a
    fresh Python, and results would not be stored.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.below = path, 0

    def write(self, text: str) -> None:
        """Keep the line, if it is that of the outermost bar: those below it are parts of it."""
        self.below += text.count("\n") - text.count(UP)
        if "\r" in text and not self.below:
            with suppress(OSError):  # a bar is worth no error
                self.path.write_text(text.strip(), encoding="utf-8")

    def flush(self) -> None:
        """Nothing waits."""
