"""Faults of the machine while something runs, and what a run makes of them."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from torturing.kills import UNFINISHED
from torturing.runs import LIBRARY, PATIENCE, Prepared, finish, start

#: Starts a command whose files cannot grow beyond so many bytes, and that has no rights of a
#: superuser to write where the mode of a folder forbids it.
HINDERED = """
import ctypes, os, resource, sys
most, command = int(sys.argv[1]), sys.argv[2:]
if most:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
for right in (1, 2, 3):
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
os.execv(command[0], command)
"""
Fault = Callable[[Prepared, Path, random.Random, str], AbstractContextManager[list[str]]]


def hindered(most: int = 0) -> list[str]:
    return [sys.executable, "-c", HINDERED, str(most)]


@contextmanager
def full_disk(prepared: Prepared, root: Path, rng: random.Random, mark: str) -> Iterator[list[str]]:
    yield hindered(most=rng.choice([4_000, 40_000, 400_000]))


@contextmanager
def no_cache(prepared: Prepared, root: Path, rng: random.Random, mark: str) -> Iterator[list[str]]:
    """A file where the folder of the cache should be."""
    cache, kept = root / "cache", root / "kept"
    cache.mkdir(exist_ok=True)
    cache.rename(kept)
    cache.write_text("no folder")
    yield []
    cache.unlink()
    kept.rename(cache)


@contextmanager
def read_only_cache(
    prepared: Prepared, root: Path, rng: random.Random, mark: str
) -> Iterator[list[str]]:
    with read_only([root / "cache"]):
        yield hindered()


@contextmanager
def read_only_results(
    prepared: Prepared, root: Path, rng: random.Random, mark: str
) -> Iterator[list[str]]:
    (root / "results").mkdir(exist_ok=True)
    with read_only([root / name for name in ("results", "figures", "data", "notebooks")]):
        yield hindered()


@contextmanager
def read_only(folders: list[Path]) -> Iterator[None]:
    every = [p for f in folders if f.is_dir() for p in (f, *f.rglob("*")) if p.is_dir()]
    for path in every:
        path.chmod(0o500)
    try:
        yield
    finally:
        for path in every:
            path.chmod(0o700)


@contextmanager
def two_at_once(
    prepared: Prepared, root: Path, rng: random.Random, mark: str
) -> Iterator[list[str]]:
    other = start(prepared.work, root, mark)
    yield []
    other.wait(PATIENCE)


@contextmanager
def other_clock(
    prepared: Prepared, root: Path, rng: random.Random, mark: str
) -> Iterator[list[str]]:
    """All files are of another time, some of one to come."""
    finish(prepared.work, root, mark)
    for path in root.rglob("*"):
        when = rng.choice([3e8, 4e9])  # 1979 and 2096
        os.utime(path, (when, when))
    yield []


@contextmanager
def other_version(
    prepared: Prepared, root: Path, rng: random.Random, mark: str
) -> Iterator[list[str]]:
    """A cache that another version has filled, with other draws from each seed."""
    library = root / "other"
    shutil.copytree(LIBRARY / "repro", library / "repro")
    seeds = library / "repro" / "seeds.py"
    text = seeds.read_text(encoding="utf-8")
    if (changed := text.replace("SeedSequence(check", "SeedSequence(1 + check")) == text:
        raise RuntimeError("seeds.py must check the seed of its SeedSequence")
    seeds.write_text(changed, encoding="utf-8")
    start(prepared.work, root, mark, library=library).wait(PATIENCE)
    yield []


FAULTS: dict[str, Fault] = {
    "disk full": full_disk,
    "no folder for the cache": no_cache,
    "cache read-only": read_only_cache,
    "results read-only": read_only_results,
    "two at once": two_at_once,
    "another clock": other_clock,
    "another version's cache": other_version,
}


def faulty(
    prepared: Prepared, fault: str, folder: Path, rng: random.Random, mark: str
) -> Counter[str]:
    """Run with a fault, then without; how often each thing was seen."""
    work, root = prepared.work, folder / "trial"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(prepared.before, root)
    with FAULTS[fault](prepared, root, rng, mark) as prefix:
        earlier = work.results(root)
        code, said = finish(work, root, mark, prefix)
    now, known = work.results(root), [earlier, prepared.after]
    seen = Counter({"faults": 1, "refused": int(bool(code))})
    seen["wrong, and not refused"] += not code and now != prepared.after
    seen["half files"] += any(all(k.get(n) != part for k in known) for n, part in now.items())
    seen["tracebacks"] += "Traceback" in said and work.is_ours()
    code, said = finish(work, root, mark)
    seen["next run fails"] += bool(code)
    seen["next run differs"] += work.results(root) != prepared.after
    seen["files left"] += any(UNFINISHED.search(p.name) for p in root.rglob("*") if p.is_file())
    return seen
