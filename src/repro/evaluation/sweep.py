"""Learners x streams x seeds: in parallel, stored, resumable, on one machine or many.

A task is one learner on one stream with one seed. Its labels are stored as soon as it is finished,
under a hash of everything that decides them: a killed sweep resumes, and after a change only the
tasks that the change affects run again.
"""

from __future__ import annotations

import sys
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import _folders
from repro._checks import as_seeds, check_flag
from repro.evaluation._arguments import (
    MEASURES,
    NO_MEASURES,
    Measures,
    as_jobs,
    as_measures,
    check_models,
    model_part,
)
from repro.evaluation._kinds import runner_of
from repro.evaluation._prequential_task import (
    FIELDS,
    Settings,
    forget_draws,
    labels_in,
    n_bytes,
    run_task,
    values_of,
)
from repro.streams.stream import Stream
from repro.studies.engine import perform
from repro.studies.identity import identify
from repro.studies.task import Part, Task
from repro.studies.versions import NO_KEYS, as_keys

__all__ = ["sweep"]

MOST_STORED = 64_000_000  # bytes of the labels of a run; of a longer one the measures are stored


def sweep(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: int | Iterable[int] = 10,
    *,
    jobs: int = 1,
    measures: Measures = MEASURES,
    label_measures: Measures = NO_MEASURES,
    backend: str = "processes",
    scheduler: str | None = None,
    cache: str | Path | None = None,
    fresh: bool = False,
    keys: Mapping[str, str] = NO_KEYS,
) -> pd.DataFrame:
    """Run every learner on every stream with every seed; one row for each.

    Parameters
    ----------
    learners : name -> anything that `prequential` takes.
    streams : name -> a description with ``sample(seed)`` (all learners get the same draw for the
        same seed), or a `Stream`.
    seeds : a number n stands for 0..n-1; or integers. Each also seeds the learner's own
        randomness, independently of the stream's.
        A model of another library keeps a seed that was set.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    measures : name -> function of the loss array (n,); each gives a column. Measures are computed
        from stored predictions, so a new measure needs no new run.
    label_measures : name -> function of the labels and the predictions, (n,) each, such as
        `repro.metrics.kappa`; each gives a column.
    backend : "processes", or "dask" to send the same tasks to the cluster at `scheduler`. One
        without a worker is waited for, as long as Dask's setting
        ``distributed.scheduler.no-workers-timeout`` says.
    cache : folder of stored results; default the cache of the checkout.
    fresh : run all tasks again, and replace their stored results.
    keys : name of a learner or stream with user code -> version of that code, such as
        ``{"mine": "v3"}``; see Notes.

    Returns a frame with the columns learner, stream, seed, n, one per measure, n_alarms, seconds,
    state_bytes and failure (the error message of a task that failed, else ""). A task that fails
    gives a warning and measures of nan; the other tasks go on.

    Notes
    -----
    A result is stored, and not made again, if all that decides it is known: data, descriptions of
    this package, and models whose classes all come from installed packages that are unchanged in
    memory and on disk. Its key covers their settings and what they have learned, the seed, the code
    of this package that they reach (without comments and docstrings), and the versions of Python
    and of the packages; with a model of another package all installed ones count.

    **User code runs each time**, since it could read anything: a line on stderr says of which name.
    With ``keys={"mine": "v3"}`` the runs of the learner or stream "mine" are stored under that
    version and its settings, and a killed sweep resumes. Change the version with the code, and with
    the files that it reads.

    What is stored are labels, a byte or less each. Runs of more than 64 MB of labels are too long:
    a line says so, and the values of the measures are stored in their place. A model of another
    package sees numpy's warnings and the shared random generators as a fresh Python has them.

    >>> from repro import TESTBED
    >>> from repro.learners import Majority, NoChange
    >>> table = sweep({"M": Majority(), "N": NoChange()}, {"NSGT": TESTBED["NSGT"]}, range(2))
    >>> table[["learner", "stream", "seed", "n"]].head(2)
      learner stream  seed      n
    0       M   NSGT     0  10001
    1       M   NSGT     1  10001
    """
    check_models(learners, streams)
    numbers = as_seeds(seeds)
    jobs = as_jobs(jobs, backend)
    check_flag(fresh, name="fresh")
    both = as_measures(measures, label_measures)
    versions = as_keys(keys, {"learners": learners, "streams": streams})
    tasks = [*_tasks(learners, streams, numbers, both, versions)]
    # Learners on the same draw run one after the other: a worker keeps its latest draw.
    by_draw = sorted(range(len(tasks)), key=lambda i: i % (len(streams) * len(numbers)))
    how: dict[str, Any] = {"jobs": jobs, "backend": backend, "scheduler": scheduler, "fresh": fresh}
    how |= {"batches": [[i] for i in by_draw], "desc": "sweep", "unit": "task"}
    rows: list[dict[str, Any]] = [{}] * len(tasks)
    try:
        for outcome in perform(tasks, cache or _folders.cache() / "sweep", **how):
            failure = outcome.failure
            text = "" if failure is None else f"{failure.text} ({failure.place})"
            if failure is not None:
                warnings.warn(
                    f"task failed: {tasks[outcome.number].name}: {text}",
                    RuntimeWarning,
                    stacklevel=2,
                )
            rows[outcome.number] = _row(outcome.result, both, text)
    finally:
        forget_draws()
    names = [(a, b, seed) for a in learners for b in streams for seed in numbers]
    columns = "learner", "stream", "seed"
    return pd.DataFrame(
        dict(zip(columns, name, strict=True)) | row for name, row in zip(names, rows, strict=True)
    )


def _tasks(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: list[int],
    measures: tuple[Measures, Measures],
    versions: Mapping[str, str],
) -> Iterator[Task]:
    """The tasks in the order of the table."""
    call = uuid.uuid4().hex
    drawn = {name: s for name, s in streams.items() if not isinstance(s, Stream)}
    identities = {name: identify(stream) for name, stream in drawn.items()}
    long = {name for name, stream in streams.items() if _is_long(stream)}
    for name in long:
        print(
            f"repro: runs on {name!r} are too long to be stored; their measures are",
            file=sys.stderr,
        )
    for a, learner in learners.items():
        runner = runner_of(learner)
        model = model_part(a, runner, versions)
        for b, stream in streams.items():
            of_stream = Part(f"stream {b!r}", stream, versions.get(b, ""))
            is_data = b not in drawn  # which is the same for all seeds, and identified once
            draw = call + b if is_data or identities[b].user_code else identities[b].digest
            asked = measures if b in long else None
            named = [Part(f"measure {n!r}", f) for part in asked or () for n, f in part.items()]
            for seed in seeds:
                settings = Settings(
                    runner, None if is_data else stream, f"{draw} {seed}", seed, asked
                )
                parts = model, of_stream, Part("", seed), *named
                text = f"learner={a!r}, stream={b!r}, seed={seed}"
                fields = (*FIELDS[:2], *(("values",) if asked else FIELDS[2:4]), *FIELDS[4:])
                yield Task(text, run_task, settings, stream if is_data else None, parts, fields)


def _is_long(stream: Any) -> bool:
    """Whether the labels of a run on `stream` are too many to be stored."""
    try:
        n = len(stream) if isinstance(stream, Stream) else int(stream.n)
        return 2 * n_bytes(n, stream.schema.n_classes) > MOST_STORED
    except Exception:  # a stream of the user's may not know its size
        return False


def _row(
    result: Mapping[str, Any] | None, measures: tuple[Measures, Measures], failure: str
) -> dict[str, Any]:
    result = result or {}
    names = [name for part in measures for name in part]
    if "values" in result:
        values = dict(zip(names, result["values"], strict=True))
    else:
        values = values_of(labels_in(result), *measures) if result else dict.fromkeys(names, np.nan)
    return {
        "n": result.get("n", 0),
        **values,
        "n_alarms": result.get("n_alarms", 0),
        "seconds": result.get("seconds", np.nan),
        "state_bytes": result.get("state_bytes", np.nan),
        "failure": failure,
    }
