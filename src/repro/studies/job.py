"""A job: a task that is to be run, and what comes of it; run in this process or in threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import nullcontext, suppress
from threading import Event
from typing import Any, NamedTuple

import cloudpickle
import numpy as np

from repro import seeds
from repro._progress import quiet
from repro.studies.keys import USER_CODE_RAN, Key
from repro.studies.store import Result, Store
from repro.studies.task import Outcome, Task, failure_of

__all__ = ["Batch", "Job", "run_here", "run_in_threads"]

#: What numpy does with errors in a fresh Python.
WARNINGS: Any = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


class Job(NamedTuple):
    """A task to be run: its number, its key, and the folder in which its result is stored."""

    number: int
    task: Task
    key: Key
    store: Store

    def run(self, *, is_quiet: bool = True) -> Outcome:
        """Run the task and store its result; an error becomes part of the outcome, not raised."""
        task, key = self.task, self.key
        if key.reach is None or key.reach.is_whole:
            USER_CODE_RAN.set()
        is_foreign = key.reach is not None and bool(key.reach.tops)
        try:
            with quiet() if is_quiet else nullcontext():
                result = _as_fresh(task) if is_foreign else task.function(task.settings, task.data)
        except Exception as error:
            return Outcome(self.number, None, failure_of(error))
        is_certain = key.reach is not None and key.reach.is_unchanged()
        if is_certain:
            with suppress(OSError, TypeError):  # no folder here, or a value that cannot be stored
                self.store.save(key.text, result)
        return Outcome(self.number, result, None, is_certain)


Batch = Sequence[Job]  #: jobs that one worker does one after the other


def _as_fresh(task: Task) -> Result:
    """The result of `task` as in a fresh Python, which is where a worker starts.

    A model of another package is used as its pickle holds it, which is what the key covers. The
    user may have set numpy to raise errors, and a model may draw from the generators that all of
    Python shares: a stored result must not depend on that.
    """
    settings = cloudpickle.loads(cloudpickle.dumps(task.settings))
    with seeds.shared_as_new(), np.errstate(**WARNINGS):
        return task.function(settings, task.data)


def run_here(batches: Iterable[Batch], *, is_quiet: bool = True) -> Iterator[Outcome]:
    """Run the tasks one by one in this process."""
    for batch in batches:
        for job in batch:
            yield job.run(is_quiet=is_quiet)


def run_in_threads(
    batches: Sequence[Batch], threads: int, *, until_failure: bool = False
) -> Iterator[Outcome]:
    """Run the tasks in so many threads of this process; with `until_failure` until one fails.

    A thread cannot be ended from outside. After an error or Ctrl-C it ends after its present task,
    for which nobody waits.
    """
    # Python waits for these threads at its end. joblib's it would end, and JAX aborts in them.
    stop, pool = Event(), ThreadPoolExecutor(threads)

    def work(batch: Batch) -> list[Outcome]:
        outcomes = []
        for job in batch:
            if not stop.is_set():
                outcomes.append(job.run())
                if until_failure and outcomes[-1].failure is not None:
                    stop.set()
        return outcomes

    try:
        for future in as_completed([pool.submit(work, batch) for batch in batches]):
            yield from future.result()
        pool.shutdown()
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
