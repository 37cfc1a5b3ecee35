"""Progress bars for work of more than a few seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

__all__ = ["progress", "quiet", "wanted"]

VARIABLE = "REPRO_PROGRESS"


def wanted() -> bool:
    """False if ``REPRO_PROGRESS=0``, which the runner sets to keep bars out of notebooks."""
    return os.environ.get(VARIABLE) != "0"


@contextmanager
def quiet() -> Iterator[None]:
    """Show no bars in the block, since an outer bar covers it."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def progress(iterable: Any, **options: Any) -> Any:
    """`tqdm`, shown after three seconds and erased at the end."""
    return tqdm(iterable, **{"delay": 3, "leave": False, "disable": not wanted(), **options})
