"""Progress bars for work of more than a few seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from tqdm import tqdm

__all__ = ["progress", "quiet", "wanted"]

VARIABLE = "REPRO_PROGRESS"
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
    return tqdm(iterable, **{"delay": 3, "leave": False, "disable": not wanted(), **options})
