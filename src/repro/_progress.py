"""Progress bars for work of more than a few seconds."""

from __future__ import annotations

import io
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
        return _Written(iterable, **{"mininterval": 1, "bar_format": LINE, **options})
    return tqdm(iterable, **{"disable": not wanted(), **options})


LINE = "{desc}: {n_fmt}/{total_fmt}, {remaining} left"


class _Written(tqdm):  # type: ignore[misc]  # tqdm has no types
    """A bar whose line is in a file, and nowhere else; the file is empty once it is erased."""

    def __init__(self, iterable: Any, **options: Any) -> None:
        super().__init__(iterable, **options, file=io.StringIO())

    def display(self, msg: str | None = None, pos: int | None = None) -> bool:
        """Write the line, if it is that of the outermost bar: others are parts of it."""
        if not self.pos:
            with suppress(OSError):  # a bar is worth no error
                Path(os.environ[FILE]).write_text(str(self) if msg is None else msg)
        return True
