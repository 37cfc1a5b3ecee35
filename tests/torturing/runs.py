"""One run in a folder: its variables, its processes, what it said."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import repro

if TYPE_CHECKING:
    from torturing.works import Work

MARK = "REPRO_TORTURE"  # a variable that the processes of a trial inherit
PATIENCE = 300.0  # seconds for a run
LIBRARY = Path(repro.__file__).parents[1]


def environment(root: Path, mark: str, library: Path = LIBRARY) -> dict[str, str]:
    """The variables of a run: a cache of its own, the library under test, a mark to find it by."""
    ours = {"REPRO_CACHE": str(root / "cache"), "PYTHONPATH": str(library), "OMP_NUM_THREADS": "1"}
    kept = {k: v for k, v in os.environ.items() if k not in {"REPRO_OUTPUT", "NUMBA_CACHE_DIR"}}
    return kept | ours | {MARK: mark, "REPRO_PROGRESS": "0", "PYTHONHASHSEED": "0"}


def said_in(root: Path) -> Path:
    """The file with what a run said on stderr."""
    return root / "stderr.txt"


def start(
    work: Work, root: Path, mark: str, prefix: Sequence[str] = (), library: Path = LIBRARY
) -> subprocess.Popen[bytes]:
    # Not a pipe, which the other processes of a killed run would hold open.
    with said_in(root).open("ab") as said:
        return subprocess.Popen(
            [*prefix, *work.command(root)],
            cwd=root,
            env=environment(root, mark, library),
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )


def finish(work: Work, root: Path, mark: str, prefix: Sequence[str] = ()) -> tuple[int, str]:
    """Run to the end, by the command `prefix` if there is one; the exit code, and its stderr."""
    said_in(root).unlink(missing_ok=True)
    code = start(work, root, mark, prefix).wait(PATIENCE)
    return code, said_in(root).read_text(encoding="utf-8", errors="replace")


def processes_of(mark: str) -> list[int]:
    """The processes that inherited the mark."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in path.read_bytes().split(b"\0") and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:  # it has ended
            continue
    return found


def stored_in(root: Path) -> int:
    return sum(1 for _ in (root / "cache").rglob("*.run"))


@dataclass
class Prepared:
    """A work before its run and after it, in two folders, and how long the run takes."""

    work: Work
    before: Path
    after: dict[str, bytes]
    seconds: float
    tasks: int

    @classmethod
    def made(cls, work: Work, folder: Path) -> Prepared:
        """The work, run once without a cache of compiled code and once with it."""
        before, scratch = folder / "before", folder / "scratch"
        before.mkdir(parents=True)
        work.prepare(before)
        for _ in range(2):
            shutil.rmtree(scratch, ignore_errors=True)
            shutil.copytree(before, scratch)
            begin = time.monotonic()
            code, said = finish(work, scratch, "made")
            seconds = time.monotonic() - begin
            if code:
                raise RuntimeError(f"{work.name} fails undisturbed: {said[-2000:]}")
            for kernels in (scratch / "cache").glob("kernels-*"):
                shutil.copytree(kernels, before / "cache" / kernels.name, dirs_exist_ok=True)
        return cls(work, before, work.results(scratch), seconds, stored_in(scratch))
