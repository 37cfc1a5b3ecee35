"""All runs of this package: read where they are stored, or made by workers and stored.

What comes in is a list of tasks, what goes out is the outcome of each as soon as it is there. A
call that is killed loses the tasks that were running: the next one finds what had finished.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from repro._progress import progress
from repro.studies.cluster import run_on_cluster
from repro.studies.job import Batch, Job, run_here, run_in_threads
from repro.studies.keys import Keys
from repro.studies.processes import run_in_processes
from repro.studies.store import Result, Store
from repro.studies.task import Outcome, Task

__all__ = ["perform"]


def perform(
    tasks: Sequence[Task],
    folder: str | Path,
    *,
    batches: Sequence[Sequence[int]] | None = None,
    jobs: int = 1,
    backend: str = "processes",
    scheduler: str | None = None,
    fresh: bool = False,
    raises: bool = False,
    desc: str = "runs",
    unit: str = "run",
) -> Iterator[Outcome]:
    """Yield the outcome of each of the `tasks`, in the order in which they finish.

    Parameters
    ----------
    tasks : what is computed.
    folder : of the stored results.
    batches : the numbers of the tasks that one worker does one after the other; by default each
        task is a batch of its own.
    jobs : number of processes or threads.
    backend : "processes", "threads", or "dask".
    scheduler : address of the cluster, for "dask".
    fresh : run all tasks, and replace their stored results.
    raises : raise the error of the first task that fails, and show the bars of the tasks; else a
        failure is an outcome.
    desc, unit : of the progress bar.
    """
    keys, store = Keys(), Store(folder)
    all_jobs = [Job(i, task, keys.of(task), store) for i, task in enumerate(tasks)]
    for note in keys.notes:
        print(f"repro: {note}", file=sys.stderr)
    stored: set[int] = set()

    def outcomes() -> Iterator[Outcome]:
        for job in () if fresh else all_jobs:
            if job.key.text and (result := store.load(job.key.text, job.task.fields)) is not None:
                stored.add(job.number)
                yield Outcome(job.number, result, None, True)
        listed = batches or [[job.number] for job in all_jobs]
        waiting = [[all_jobs[i] for i in batch if i not in stored] for batch in listed]
        yield from _run([batch for batch in waiting if batch], backend, scheduler, jobs, raises)

    n_lost = 0
    for outcome in progress(outcomes(), desc=desc, unit=unit, total=len(tasks)):
        job, failure = all_jobs[outcome.number], outcome.failure
        if failure is not None and raises:
            raise failure.error or RuntimeError(f"{job.task.name}: {failure.text}")
        if outcome.is_certain and job.number not in stored:
            is_kept = job.key.text in store
            if backend == "dask" and (fresh or not is_kept):  # it comes from another machine
                _keep(store, job.key.text, outcome.result or {})
                is_kept = job.key.text in store
            n_lost += not is_kept
        yield outcome
    if n_lost:
        text = f"{n_lost} of {len(tasks)} results could not be stored in {store.folder}"
        print(f"repro: {text}; the next call computes them again", file=sys.stderr)


def _run(
    batches: Sequence[Batch], backend: str, scheduler: str | None, jobs: int, raises: bool
) -> Iterator[Outcome]:
    if backend == "dask":
        return run_on_cluster(batches, scheduler)
    if jobs == 1:
        return run_here(batches, is_quiet=not raises)
    if backend == "threads":
        return run_in_threads(batches, jobs, until_failure=raises)
    return run_in_processes(batches, jobs)


def _keep(store: Store, key: str, result: Result) -> None:
    """Store `result`; where that fails it is only slower the next time."""
    with suppress(OSError, TypeError):
        store.save(key, result)
