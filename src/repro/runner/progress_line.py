"""The line on a terminal that says which cell of a notebook runs, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from repro._progress import FILE
from repro.runner import console
from repro.runner import notebook as nb
from repro.runner.job import Job

__all__ = ["progress_line"]


@contextmanager
def progress_line(job: Job) -> Iterator[tuple[Callable[[int], None], dict[str, str]]]:
    """Show on a terminal which cell runs, and the progress bar in it; a log has no such line.

    Yields what to call with the number of each cell that begins, and variables for the kernel.
    """
    if not console.is_terminal():
        yield lambda count: None, {}
        return
    cells = [cell for cell in job.notebook.code if nb.source(cell).strip()]
    n_cells, start = len(cells) + bool(job.changed), time.perf_counter()
    bar, cell, ended = job.path(".progress"), [""], Event()

    def begin(count: int) -> None:
        minutes, seconds = divmod(int(time.perf_counter() - start), 60)
        cell[0] = f"{job.name}: cell {count} of {n_cells} (began at {minutes}:{seconds:02} min)"
        console.show(cell[0])

    def follow() -> None:
        shown = ""
        while not ended.wait(1):
            now = bar.read_text(encoding="utf-8") if bar.exists() else ""
            if now != shown:
                console.show(f"{cell[0]}, {now}" if now else cell[0])
                shown = now

    follower = Thread(target=follow, daemon=True)
    follower.start()
    try:
        yield begin, {FILE: str(bar.absolute())}
    finally:
        ended.set()
        follower.join()
        bar.unlink(missing_ok=True)
        console.clear()
