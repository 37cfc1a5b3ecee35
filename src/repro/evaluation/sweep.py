"""Learners x streams x seeds: in parallel, cached by content, resumable, on one machine or many.

A task is one learner on one stream with one seed. Its result is stored as soon as it is finished,
under a hash of everything that decides it: a killed sweep resumes, and after a change only the
tasks that the change affects run again.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import _folders
from repro._checks import check_flag, shown
from repro._progress import progress
from repro.evaluation._arguments import as_jobs, as_seeds, check_learners, check_named
from repro.evaluation._tasks import Outcome, Task, load_cached, plan, store_cached
from repro.evaluation._workers import pool_of, run_here, run_in_workers
from repro.streams.stream import Stream

__all__ = ["sweep"]

MEASURES: Mapping[str, Callable[..., Any]] = {"error": np.mean}
LABEL_MEASURES: Mapping[str, Callable[..., Any]] = {}


def sweep(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: Iterable[int] = range(10),
    *,
    jobs: int = 1,
    measures: Mapping[str, Callable[..., Any]] = MEASURES,
    label_measures: Mapping[str, Callable[..., Any]] = LABEL_MEASURES,
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
        A model of another library keeps a seed that was set.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    measures : name -> function of the loss array (n,); each gives a column. Measures are computed
        from stored predictions, so a new measure needs no new run.
    label_measures : name -> function of the labels and the predictions, (n,) each, such as
        `repro.metrics.kappa`; each gives a column.
    backend : "processes", or "dask" to send the same tasks to the cluster at `scheduler`.
    cache : folder of stored results; default the cache of the checkout.
    fresh : run all tasks again, and replace their stored results.

    Returns a frame with the columns learner, stream, seed, n, one per measure, n_alarms, seconds,
    state_bytes and failure (the error message of a task that failed, else ""). A task that fails
    gives a warning and measures of nan; the other tasks go on.

    Notes
    -----
    A result is stored under a hash of

    * the learner: its settings and what it has learned, the code of its class, and of every
      function, class, module, global value and compiled kernel of yours that this code uses;
    * the draw: the settings of a description of this package; else the arrays that are drawn;
    * the seed, the code of this package, and the versions of Python and of the packages it uses.

    The code in memory counts, also in workers; a model of an installed package counts by its
    version. If the hash cannot be computed with certainty, the task runs each time, its result is
    not stored, and a line on stderr says why: an object that cannot be pickled, code that opens
    files, a compiled function whose helpers changed after it was compiled, an edit of this package
    since Python started. The hash does not see what a model reads outside of Python, such as a
    clock, a network, or a file that C code opens: use ``fresh=True`` for such models.

    >>> from repro import TESTBED
    >>> from repro.learners import Majority, NoChange
    >>> table = sweep({"M": Majority(), "N": NoChange()}, {"NSGT": TESTBED["NSGT"]}, range(2))
    >>> table[["learner", "stream", "seed", "n"]].head(2)
      learner stream  seed      n
    0       M   NSGT     0  10001
    1       M   NSGT     1  10001
    """
    check_learners(learners)
    _check_streams(streams)
    numbers = as_seeds(seeds)
    jobs = as_jobs(jobs, backend)
    check_flag(fresh, name="fresh")
    for name, given in (("measures", measures), ("label_measures", label_measures)):
        if not isinstance(given, Mapping) or not all(map(callable, given.values())):
            raise ValueError(f"{name} must map names to functions; got {shown(given)}")
    folder = Path(cache or _folders.cache() / "sweep")
    folder.mkdir(parents=True, exist_ok=True)
    tasks, notes = plan(learners, streams, numbers, folder)
    for note in dict.fromkeys(notes):
        print(f"repro: a sweep stores no results of {note}", file=sys.stderr)
    waiting = [task for task in tasks if fresh or load_cached(task.path) is None]
    # Learners on the same draw run one after the other: a worker keeps its latest draw.
    order = {task.draw: i for i, task in reversed(list(enumerate(tasks)))}
    waiting.sort(key=lambda task: order[task.draw])
    locations = {task.number: task.path for task in tasks}
    failures: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as scratch, pool_of(backend, scheduler, jobs) as pool:
        is_here = backend == "processes" and jobs == 1
        outcomes = run_here(waiting) if is_here else run_in_workers(waiting, pool)
        counts = {"total": len(tasks), "initial": len(tasks) - len(waiting)}
        for outcome in progress(outcomes, desc="sweep", unit="task", **counts):
            number = outcome.number
            if outcome.result is None:
                locations[number], failures[number] = None, outcome.failure
                _warn(tasks[number], outcome.failure)
            else:
                locations[number] = _kept(outcome, locations[number], Path(scratch))
        both = measures, label_measures
        return pd.DataFrame(
            _row(task, *both, load_cached(locations[task.number]), failures.get(task.number, ""))
            for task in tasks
        )


def _kept(outcome: Outcome, path: Path | None, scratch: Path) -> Path:
    """Where the result was stored: at `path`, or in the folder `scratch` if it may not be reused.

    The worker has stored it already, but perhaps on another machine.
    """
    if path is None or not outcome.is_certain:
        path = scratch / f"{outcome.number}.joblib"
    store_cached(path, outcome.result or {})
    return path


def _check_streams(streams: Any) -> None:
    check_named(streams, name="streams")
    for name, stream in streams.items():
        if not isinstance(stream, Stream) and not hasattr(stream, "sample"):
            rule = "must be a description with sample(seed), or a Stream"
            raise TypeError(f"streams[{name!r}] {rule}; got {shown(stream)}")


def _row(
    task: Task,
    measures: Mapping[str, Callable[..., Any]],
    label_measures: Mapping[str, Callable[..., Any]],
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


def _warn(task: Task, failure: str) -> None:
    warnings.warn(
        f"task failed: learner={task.learner_name!r}, stream={task.stream_name!r}, "
        f"seed={task.seed}: {failure}",
        RuntimeWarning,
        stacklevel=3,
    )
