"""One task of a sweep: a learner on a stream with a seed; its file, its run and its result."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

from repro import _files
from repro import seeds as _seeds
from repro._progress import progress, quiet
from repro.evaluation._keys import (
    certain_package_key,
    draw_key,
    key_or_note,
    learner_key,
    stream_key,
)
from repro.evaluation.prequential import prequential
from repro.kernels.identity import identity
from repro.kernels.sources import Unidentified, check_unchanged
from repro.streams.stream import Stream

__all__ = [
    "Outcome",
    "Task",
    "attempt",
    "forget_draws",
    "load_cached",
    "plan",
    "store_cached",
]


class Task(NamedTuple):
    """One learner on one stream with one seed, and the file of its result."""

    number: int
    learner_name: str
    stream_name: str
    seed: int
    learner: Any
    stream: Any
    learner_key: str  # "" where it cannot be computed
    draw: str  # key of the stream and the seed
    content: str  # key of the draw itself, for a stream with code of yours
    path: Path | None  # None: the result is not stored


class Outcome(NamedTuple):
    """The result of a task, or the reason why there is none."""

    number: int
    result: dict[str, Any] | None
    failure: str = ""
    is_certain: bool = True  # whether a fresh run would give the same


def plan(
    learners: Mapping[str, Any], streams: Mapping[str, Any], seeds: list[int], folder: Path
) -> tuple[list[Task], list[str]]:
    """The tasks in the order of the table, and why some results are not stored in `folder`.

    Parameters
    ----------
    learners, streams : as in `repro.sweep`.
    seeds : of the draws.
    folder : of the stored results.
    """
    notes: list[str] = []
    package = key_or_note(notes, "every learner", certain_package_key)
    of_learner = {
        name: key_or_note(notes, f"learner {name!r}", partial(learner_key, learner))
        for name, learner in learners.items()
    }
    draws = _draws(notes, streams, seeds)
    tasks: list[Task] = []
    for a, learner in learners.items():
        for b, stream in streams.items():
            for seed in seeds:
                draw, content = draws[b, seed]
                path = None
                if package and of_learner[a] and draw:
                    key = joblib.hash((package, of_learner[a], draw, seed))
                    path = folder / key[:2] / f"{key}.joblib"
                which = len(tasks), a, b, seed, learner, stream
                tasks.append(Task(*which, of_learner[a], draw or f"{b} {seed}", content, path))
    return tasks, notes


def _draws(
    notes: list[str], streams: Mapping[str, Any], seeds: list[int]
) -> dict[tuple[str, int], tuple[str, str]]:
    """The `draw_key` of each (name of a stream, seed)."""
    known = {name: stream_key(stream) for name, stream in streams.items()}
    pairs = [(name, seed) for name in streams for seed in seeds]
    drawing = progress(pairs, desc="draws", unit="draw")
    return {(name, s): draw_key(notes, name, streams[name], s, known[name]) for name, s in drawing}


def attempt(task: Task) -> Outcome:
    """Run one task and store its result; an error becomes part of the outcome, not raised."""
    try:
        with quiet():
            stream, is_expected = _drawn(task)
            result = _run(task, stream)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = " ".join([str(error), *getattr(error, "__notes__", ())])
        text = f"{type(error).__name__}: {said} ({Path(last.filename).name}:{last.lineno})"
        return Outcome(task.number, None, text)
    try:
        check_unchanged()
    except Unidentified:
        is_expected = False
    if is_expected and task.path is not None:
        with suppress(OSError):  # another machine may lack the folder: the caller stores it too
            store_cached(task.path, result)
    return Outcome(task.number, result, is_certain=is_expected)


_last: dict[str, tuple[Stream, bool]] = {}  # the latest draw of this process, by its key


def _drawn(task: Task) -> tuple[Stream, bool]:
    """The draw of a task, and whether its content has the key that the task expects."""
    if isinstance(task.stream, Stream):
        return task.stream, True
    if task.draw not in _last:
        _last.clear()
        stream = task.stream.sample(seed=task.seed)
        _last[task.draw] = stream, not task.content or identity(stream) == task.content
    return _last[task.draw]


def forget_draws() -> None:
    """Free the memory of the latest draw."""
    _last.clear()


def _run(task: Task, stream: Stream) -> dict[str, Any]:
    run = prequential(task.learner, stream, _seeds.integer(task.seed, "learner"), proba=False)
    narrow = np.min_scalar_type(int(stream.n_classes or 1) - 1)
    return {
        "y": stream.y.astype(narrow),
        "y_pred": run.y_pred.astype(narrow),
        "n_alarms": len(run.alarms),
        "seconds": run.seconds,
        "state_bytes": run.state_bytes,
    }


def store_cached(path: Path, result: dict[str, Any]) -> None:
    """Write `result` completely or not at all: a kill at any moment leaves no partial file."""
    with _files.replacing(path) as temporary:
        joblib.dump(result, temporary, compress=1)


def load_cached(path: Path | None) -> dict[str, Any] | None:
    """The stored result; None without a file. A file that cannot be read is removed: None."""
    if path is None or not path.is_file():
        return None
    try:
        return dict(joblib.load(path))
    except Exception as error:
        print(f"repro: {path.name} cannot be read, runs again ({error})", file=sys.stderr)
        path.unlink(missing_ok=True)
        return None
