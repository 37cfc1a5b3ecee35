"""Files of users that another library reads: its errors in words that name the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

__all__ = ["exactly", "reading"]


def exactly() -> dict[str, str]:
    """The option that makes older versions of pandas read every number as the nearest float."""
    major, minor = map(int, pd.__version__.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


@contextmanager
def reading(path: Path, *, name: str, what: str) -> Iterator[None]:
    """Let errors of other libraries in a block be a ValueError: `name` must be `what`; got `path`.

    A damaged file may raise anything. Errors of this package, a missing package, and too little
    memory stay what they are.
    """
    try:
        yield
    except (ImportError, MemoryError):
        raise
    except Exception as error:
        if _is_ours(error):
            raise
        text = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{name} must be {what}; got {path}: {text[:300]}") from error


def _is_ours(error: BaseException) -> bool:
    """Whether a line of this package raised the error."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    module = str(place.tb_frame.f_globals.get("__name__", "")) if place is not None else ""
    return module.partition(".")[0] == __name__.partition(".")[0]
