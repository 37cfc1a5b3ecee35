"""Learners x streams x seeds: in parallel, cached by content, resumable, on one machine or many.

A task is one learner on one stream with one seed. Its result is stored as soon as it is finished,
under a hash of all that decides it, so a sweep that was killed goes on where it was, and a changed
learner runs alone.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

from repro import _folders
from repro._checks import check_choice, check_count, check_flag, shown
from repro._folders import install_command
from repro._progress import progress
from repro.evaluation._tasks import (
    ELSEWHERE,
    Outcome,
    Task,
    attempt,
    attempt_sent,
    forget_draws,
    load,
    plan,
    sent,
    store,
)
from repro.interop.adapting import check_learner
from repro.streams.stream import Stream

__all__ = ["sweep"]

MEASURES: Mapping[str, Callable] = {"error": np.mean}
LABEL_MEASURES: Mapping[str, Callable] = {}


def sweep(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: Iterable[int] = range(10),
    *,
    jobs: int = 1,
    measures: Mapping[str, Callable] = MEASURES,
    label_measures: Mapping[str, Callable] = LABEL_MEASURES,
    backend: str = "processes",
    scheduler: str | None = None,
    cache: str | Path | None = None,
    fresh: bool = False,
) -> pd.DataFrame:
    """Run every learner on every stream with every seed; one row for each.

    Parameters
    ----------
    learners : name -> anything that `prequential` takes.
    streams : name -> a description with ``sample(seed)`` (all learners get the same draw for the
        same seed), or a `Stream`.
    seeds : integers; each also seeds the learner's own randomness, independently of the stream's.
        A model of another library whose seed was set on purpose keeps it.
    jobs : processes, -1 for one per core; results do not depend on it.
    measures : name -> function of the loss array (n,); each gives a column. They are computed from
        the stored predictions, so a new measure runs nothing again.
    label_measures : name -> function of the labels and the predictions, (n,) each, such as
        `repro.metrics.kappa`; each gives a column.
    backend : "processes", or "dask" to send the same tasks to the cluster at `scheduler`.
    cache : folder of stored results; default the cache of the checkout.
    fresh : run all again, and replace what is stored.

    Returns a frame with the columns learner, stream, seed, n, one per measure, n_alarms, seconds,
    state_bytes and failure (the error message of a task that failed, else ""). A failing task is
    reported with a warning, its measures are nan, and the others go on.

    Notes
    -----
    A result is stored under a hash of

    * the learner: its settings and what it has learned, the code of its class, and of every
      function, class, module, global value and compiled kernel of yours that this code uses;
    * the draw: the settings of a description of this package; else the arrays that are drawn;
    * the seed, the code of this package, and the versions of Python and of the packages it uses.

    What counts is the code in memory, in workers as well; a model of an installed package counts by
    its version. Where this cannot be told with certainty, the task is run each time, nothing is
    stored, and a line on stderr says why: an object that cannot be pickled, code that opens files,
    a compiled function whose helpers were changed after it was compiled, an edit of this package
    since Python started. Not seen is what a model does outside of Python, such as a clock, a
    network, or a file that C code reads: use ``fresh=True``.

    >>> from repro import TESTBED
    >>> from repro.learners import Majority, NoChange
    >>> table = sweep({"M": Majority(), "N": NoChange()}, {"NSGT": TESTBED["NSGT"]}, range(2))
    >>> table[["learner", "stream", "seed", "n"]].head(2)
      learner stream  seed      n
    0       M   NSGT     0  10001
    1       M   NSGT     1  10001
    """
    numbers = _check(learners, streams, seeds)
    if jobs != -1:
        check_count(jobs, name="jobs")
    check_choice(backend, ("processes", "dask"), name="backend")
    check_flag(fresh, name="fresh")
    for name, given in (("measures", measures), ("label_measures", label_measures)):
        if not isinstance(given, Mapping) or not all(map(callable, given.values())):
            raise ValueError(f"{name} must map names to functions; got {shown(given)}")
    folder = Path(cache or _folders.cache() / "sweep")
    folder.mkdir(parents=True, exist_ok=True)
    tasks, notes = plan(learners, streams, numbers, folder)
    for note in dict.fromkeys(notes):
        print(f"repro: a sweep stores no results of {note}", file=sys.stderr)
    # Learners on the same draw run one after the other: a worker keeps the last one.
    order = {task.draw: i for i, task in reversed(list(enumerate(tasks)))}
    waiting = [task for task in tasks if fresh or _stored(task.path) is None]
    waiting.sort(key=lambda task: order[task.draw])
    places = {task.number: task.path for task in tasks}
    failures: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as scratch, _workers(backend, scheduler, jobs) as parallel:
        is_here = backend == "processes" and jobs == 1
        outcomes = _here(waiting) if is_here else _in_workers(waiting, parallel)
        counts = {"total": len(tasks), "initial": len(tasks) - len(waiting)}
        for outcome in progress(outcomes, desc="sweep", unit="task", **counts):
            task, place = tasks[outcome.number], places[outcome.number]
            if outcome.result is None:
                places[task.number], failures[task.number] = None, outcome.failure
                _report(task, outcome.failure)
                continue
            if place is None or not outcome.is_certain:
                place = places[task.number] = Path(scratch) / f"{task.number}.joblib"
            # A worker on another machine stored it there; once more here costs nothing.
            store(place, outcome.result)
        both = measures, label_measures
        return pd.DataFrame(
            _row(task, *both, _stored(places[task.number]), failures.get(task.number, ""))
            for task in tasks
        )


def _check(learners: Any, streams: Any, seeds: Iterable[int]) -> list[int]:
    for name, given in (("learners", learners), ("streams", streams)):
        if not isinstance(given, Mapping) or not given:
            raise ValueError(f"{name} must map names to {name}, at least one; got {given!r}")
    if not isinstance(seeds, Iterable) or isinstance(seeds, str | bytes):
        raise ValueError(f"seeds must be integers, such as range(10); got {shown(seeds)}")
    numbers = list(seeds)
    if not numbers:
        raise ValueError("seeds must hold at least one integer; got none")
    for number in numbers:
        check_count(number, name="seeds", least=0)
    for name, learner in learners.items():
        try:
            check_learner(learner)
        except TypeError as error:
            raise TypeError(f"learners[{name!r}]: {error}") from None
    for stream in streams.values():
        if not isinstance(stream, Stream) and not hasattr(stream, "sample"):
            rule = "streams must hold descriptions with sample(seed), or Streams"
            raise TypeError(f"{rule}; got {stream!r}")
    return numbers


def _here(tasks: Iterable[Task]) -> Iterator[Outcome]:
    try:
        yield from map(attempt, tasks)
    finally:
        forget_draws()


def _in_workers(tasks: list[Task], parallel: joblib.Parallel) -> Iterator[Outcome]:
    """What came of `tasks`; those that workers cannot run as they are here, run here at the end."""
    here, pairs = [], sent(tasks)
    by_number = {task.number: task for task in tasks}
    for outcome in parallel(joblib.delayed(attempt_sent)(one) for _, one in pairs if one):
        if outcome.failure == ELSEWHERE:
            here.append(by_number[outcome.number])
        else:
            yield outcome
    if here:
        why = "workers have other code or versions than this process"
        print(f"repro: {len(here)} tasks run here, one by one: {why}", file=sys.stderr)
    unsent = [task for task, one in pairs if one is None]
    if unsent:
        why = "their learner or stream cannot be pickled"
        print(f"repro: {len(unsent)} tasks run here, one by one: {why}", file=sys.stderr)
    yield from _here([*here, *unsent])


@contextmanager
def _workers(backend: str, scheduler: str | None, jobs: int) -> Iterator[joblib.Parallel]:
    if backend == "processes":
        # Streams of more than a megabyte are shared. Workers get them as arrays that can be written
        # to, in copies of their own: read-only ones would be another type, with kernels of its own.
        yield joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", mmap_mode="c")
        return
    try:
        from distributed import Client
    except ImportError as error:
        how = install_command("dask")
        raise ImportError(f'backend="dask" needs distributed, not installed: {how}') from error
    if scheduler is None:
        raise ValueError('scheduler must be the address of a Dask scheduler for "dask"; got None')
    with (
        Client(scheduler, set_as_default=False) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        yield joblib.Parallel(return_as="generator_unordered")


def _row(
    task: Task,
    measures: Mapping[str, Callable],
    label_measures: Mapping[str, Callable],
    stored: dict[str, Any] | None,
    failure: str,
) -> dict[str, Any]:
    result = stored or {}
    values = dict.fromkeys([*measures, *label_measures], np.nan)
    if result:
        labels = [result[name].astype(np.int64) for name in ("y", "y_pred")]
        loss = (labels[0] != labels[1]).astype(np.float64)
        values = {name: measure(loss) for name, measure in measures.items()}
        values |= {name: measure(*labels) for name, measure in label_measures.items()}
    return {
        "learner": task.learner_name,
        "stream": task.stream_name,
        "seed": task.seed,
        "n": len(result.get("y", ())),
        **values,
        "n_alarms": result.get("n_alarms", 0),
        "seconds": result.get("seconds", np.nan),
        "state_bytes": result.get("state_bytes", np.nan),
        "failure": failure,
    }


def _report(task: Task, failure: str) -> None:
    warnings.warn(
        f"cell failed: learner={task.learner_name!r}, stream={task.stream_name!r}, "
        f"seed={task.seed}: {failure}",
        RuntimeWarning,
        stacklevel=3,
    )


def _stored(path: Path | None) -> dict[str, Any] | None:
    """The stored result, or None when there is none that can be read."""
    if path is None:
        return None
    try:
        return load(path)
    except Exception as error:
        print(f"repro: {path.name} cannot be read, runs again ({error})", file=sys.stderr)
        path.unlink(missing_ok=True)
        return None
