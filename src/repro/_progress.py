"""Progress bars for what takes more than a few seconds."""

from __future__ import annotations

import os
from typing import Any

from tqdm import tqdm

__all__ = ["progress", "wanted"]


def wanted() -> bool:
    """False where ``REPRO_PROGRESS=0``: the runner says so, lest a bar end up in a notebook."""
    return os.environ.get("REPRO_PROGRESS") != "0"


def progress(iterable: Any, **options: Any) -> Any:
    """`tqdm`, shown only once it has lasted three seconds, and gone when it is done."""
    return tqdm(iterable, delay=3, leave=False, disable=not wanted(), **options)
