"""Locks between processes; the system releases a lock when the process that holds it ends."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from repro import _folders

__all__ = ["alone", "lock_of", "try_to_keep"]


def lock_of(path: Path) -> Path:
    """The lock of a file or folder of the user's: in the cache, or beside it without a cache."""
    path = path.resolve()
    lock = _folders.cache() / "locks" / hashlib.sha256(str(path).encode()).hexdigest()[:16]
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with lock.open("a"):
            return lock
    except OSError:
        return path.with_name(f".{path.name}.lock")


@contextmanager
def alone(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock `path` in a block; if another process holds it, call `waiting` and wait.

    A system without such locks, as Windows, goes on without.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            import fcntl
        except ImportError:
            pass
        else:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def try_to_keep(path: Path) -> bool:
    """Take the lock `path` until this process ends; False if another process holds it.

    A program that this process becomes through ``exec`` keeps the lock.
    """
    try:
        import fcntl
    except ImportError:
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
    os.set_inheritable(descriptor, True)  # for `exec`; spawned children do not get it
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    return True
