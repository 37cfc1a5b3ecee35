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
#: The variable with the path of a file that holds the bar of now, for a program that shows it.
FILE = "REPRO_PROGRESS_FILE"
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
    settings = {"delay": 3, "leave": False, **options}
    if wanted() or _is_quiet.get() or FILE not in os.environ:
        return tqdm(iterable, **{"disable": not wanted(), **settings})
    short = {"mininterval": 1, "bar_format": "{desc} {n_fmt} of {total_fmt}, {remaining} left"}
    return tqdm(iterable, file=_LastLine(Path(os.environ[FILE])), **{**short, **settings})


class _LastLine:
    """A file that has the last line written to it, and nothing where that is blank."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, text: str) -> None:
        with suppress(OSError):  # of a folder that is gone
            self._path.write_text(text.strip(), encoding="utf-8")

    def flush(self) -> None:
        pass
