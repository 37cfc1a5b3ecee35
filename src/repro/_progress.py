"""Progress bars for what takes more than a few seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

__all__ = ["progress", "quiet", "wanted"]

VARIABLE = "REPRO_PROGRESS"


def wanted() -> bool:
    """False where ``REPRO_PROGRESS=0``: the runner says so, lest a bar end up in a notebook."""
    return os.environ.get(VARIABLE) != "0"


@contextmanager
def quiet() -> Iterator[None]:
    """No bars within: there is one around all of it."""
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
    """`tqdm`, shown only once it has lasted three seconds, and gone when it is done."""
    return tqdm(iterable, delay=3, leave=False, disable=not wanted(), **options)
