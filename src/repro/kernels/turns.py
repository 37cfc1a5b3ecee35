"""Processes that need the same compiled code take turns: one compiles it, the others load it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import monotonic, sleep

__all__ = ["turn"]

LONGEST = 60.0  # seconds to wait: a process that was suspended keeps its turn
STEP = 0.02


@contextmanager
def turn(folder: Path, name: str) -> Iterator[None]:
    """Be the only process of those that share `folder` which is in a block of this `name`.

    The system ends the turn of a process that ends. Where it knows no such locks, as Windows or a
    folder that cannot be written to, nobody waits.
    """
    place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")
    try:
        import fcntl

        file = _file(folder)
    except (ImportError, OSError):
        yield
        return
    end = monotonic() + LONGEST
    while monotonic() < end:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            break
        except OSError:
            sleep(STEP)
    try:
        yield
    finally:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


@cache
def _file(folder: Path) -> int:
    """A file whose bytes are the locks. It stays open: closing it would end every turn."""
    folder.mkdir(0o755, parents=True, exist_ok=True)
    return os.open(folder / "turns", os.O_RDWR | os.O_CREAT, 0o666)
