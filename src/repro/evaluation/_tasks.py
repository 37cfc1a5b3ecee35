"""One task of a sweep: a learner on a stream with a seed; what decides its result, and its run.

The key of a result covers the learner as it is run, the draw of the stream, the seed, the code of
this package and the versions of what it computes with. What a worker was sent it identifies again,
with the code that it has loaded itself: where the two keys differ it does not answer.
"""

from __future__ import annotations

import platform
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle
import joblib
import numpy as np

from repro import _files
from repro import seeds as _seeds
from repro._progress import progress, quiet
from repro.evaluation.prequential import prequential
from repro.interop.seeding import seeded
from repro.kernels.dispatch import implements, kernels_of_yours
from repro.kernels.identity import identify, identity
from repro.kernels.sources import (
    Unidentified,
    check_not_replaced,
    check_unchanged,
    code,
    modules_of_yours,
    versions,
)
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Stream

__all__ = [
    "ELSEWHERE",
    "Outcome",
    "Sent",
    "Task",
    "attempt",
    "attempt_sent",
    "forget_draws",
    "load",
    "plan",
    "sent",
    "store",
]

MODULE = "evaluation._tasks"  # with what it imports, all of this package that a result depends on
ELSEWHERE = "the worker has other code"  # in place of a result: run it where it was identified


class Task(NamedTuple):
    """One learner on one stream with one seed, and the file of its result."""

    number: int
    learner_name: str
    stream_name: str
    seed: int
    learner: Any
    stream: Any
    learner_key: str  # "" where it cannot be told
    draw: str  # key of the stream and the seed
    content: str  # key of the draw itself, of a stream that has code of yours
    path: Path | None  # None where it is not stored


class Sent(NamedTuple):
    """A task on its way to a worker."""

    task: Task  # without learner, and without a stream that is a description
    learner: bytes  # with the kernels that go with it
    stream: bytes
    key: str  # of this package and what it computes with


class Outcome(NamedTuple):
    """What came of a task: a result, or why there is none."""

    number: int
    result: dict[str, Any] | None
    failure: str = ""
    is_certain: bool = True  # whether a fresh run would give the same


def plan(
    learners: Mapping[str, Any], streams: Mapping[str, Any], seeds: list[int], folder: Path
) -> tuple[list[Task], list[str]]:
    """The tasks, in the order of the table, and why some results are not stored in `folder`."""
    notes: list[str] = []
    package = _noted(notes, "every learner", _certain_package_key)
    of_learner = {
        name: _noted(notes, f"learner {name!r}", partial(_learner_key, learner))
        for name, learner in learners.items()
    }
    known = {name: _stream_key(stream) for name, stream in streams.items()}
    pairs = [(name, seed) for name in streams for seed in seeds]
    drawing = progress(pairs, desc="draws", unit="draw")
    draws = {(name, s): _draw(notes, name, streams[name], s, known[name]) for name, s in drawing}
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


def _noted(notes: list[str], what: str, key: Callable[[], str]) -> str:
    try:
        return key()
    except Unidentified as reason:
        notes.append(f"{what}: {reason}")
    except Exception:  # it cannot be copied or drawn: its run will fail, and say so
        pass
    return ""


@cache
def _package_key() -> str:
    return str(joblib.hash((code(MODULE), versions(MODULE), platform.machine())))


def _certain_package_key() -> str:
    check_unchanged()
    check_not_replaced(MODULE)
    return _package_key()


def _learner_key(learner: Any) -> str:
    return identity(_as_run(learner))


def _content(stream: Any, seed: int) -> str:
    return identity(stream.sample(seed=seed))


def _as_run(learner: Any) -> Any:
    """`learner` as `prequential` takes it, with a seed of 0: the key has the seed beside it."""
    if isinstance(learner, Temporal):
        return replace(learner, base=_as_run(learner.base))  # type: ignore[type-var]
    is_model = hasattr(learner, "learn_one") or hasattr(learner, "partial_fit")
    return seeded(learner, 0) if is_model and not isinstance(learner, Learner) else learner


def _stream_key(stream: Any) -> str:
    """The key of a stream that is known by what it is; "" for a description with code of yours.

    A description of this package is known by its settings. One of yours may read a file: it is
    known by what it draws.
    """
    with suppress(Unidentified):
        found = identify(stream)
        if isinstance(stream, Stream) or not found.has_code_of_yours:
            return found.digest
    return ""


def _draw(notes: list[str], name: str, stream: Any, seed: int, known: str) -> tuple[str, str]:
    """The key of a draw; and of its content, where code of yours makes it."""
    if known:
        return (known if isinstance(stream, Stream) else str(joblib.hash((known, seed)))), ""
    content = _noted(notes, f"stream {name!r}", partial(_content, stream, seed))
    return content, content


def sent(tasks: list[Task]) -> list[tuple[Task, Sent | None]]:
    """Each task with what to send of it; None where its learner or stream cannot be pickled.

    Code of yours is sent as it is here: a worker would import what lies on the disk by now.
    """
    packed: dict[int, bytes] = {}

    def pack(thing: Any, whole: Any) -> bytes:
        if id(thing) not in packed:
            packed[id(thing)] = b""
            with suppress(Exception):
                packed[id(thing)] = cloudpickle.dumps(whole)
        return packed[id(thing)]

    kernels, pairs = kernels_of_yours(), []
    with _modules_by_value():
        for task in tasks:
            learner = pack(task.learner, (task.learner, kernels))
            is_data = isinstance(task.stream, Stream)
            stream = b"" if is_data else pack(task.stream, task.stream)
            bare = task._replace(learner=None, stream=task.stream if is_data else None)
            can_be_sent = learner and (is_data or stream)
            one = Sent(bare, learner, stream, _package_key()) if can_be_sent else None
            pairs.append((task, one))
    return pairs


@contextmanager
def _modules_by_value() -> Iterator[None]:
    """Within, cloudpickle takes your modules by value, as it does with a notebook's code."""
    known = cloudpickle.list_registry_pickle_by_value()
    added = [module for module in modules_of_yours() if module.__name__ not in known]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


def attempt_sent(sent: Sent) -> Outcome:
    """Run a task in a worker, unless the worker would run other code."""
    task = sent.task
    try:
        _stay()
        check_unchanged()
        learner, key = _unpacked(sent.learner)
        stream = cloudpickle.loads(sent.stream) if sent.stream else task.stream
        is_same = sent.key == _package_key() and key == task.learner_key
    except Exception:
        is_same = False
    if not is_same:
        return Outcome(task.number, None, ELSEWHERE)
    return attempt(task._replace(learner=learner, stream=stream))


@lru_cache(maxsize=100)
def _unpacked(content: bytes) -> tuple[Any, str]:
    learner, kernels = cloudpickle.loads(content)
    for verb, state, kernel in kernels:
        with suppress(ValueError):  # registered by an earlier task
            implements(verb, state)(kernel)
    return learner, _noted([], "", partial(_learner_key, learner))


def _stay() -> None:
    """joblib ends workers that grow by 300 MB, as for a leak; a data set is larger than that."""
    with suppress(ImportError, AttributeError):
        from joblib.externals.loky import process_executor

        process_executor._MAX_MEMORY_LEAK_SIZE = 4_000_000_000


def attempt(task: Task) -> Outcome:
    """Run one task and store its result; nothing is raised, the others go on."""
    try:
        with quiet():
            stream, is_expected = _drawn(task)
            result = _run(task, stream)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        return Outcome(task.number, None, text)
    try:
        check_unchanged()
    except Unidentified:
        is_expected = False
    if is_expected and task.path is not None:
        with suppress(OSError):  # another machine may lack the folder: the caller stores it too
            store(task.path, result)
    return Outcome(task.number, result, is_certain=is_expected)


_last: dict[str, tuple[Stream, bool]] = {}  # the draw that this process used last, under its key


def _drawn(task: Task) -> tuple[Stream, bool]:
    """The draw of a task, and whether it is the one that its key is of."""
    if isinstance(task.stream, Stream):
        return task.stream, True
    if task.draw not in _last:
        _last.clear()
        stream = task.stream.sample(seed=task.seed)
        _last[task.draw] = stream, not task.content or identity(stream) == task.content
    return _last[task.draw]


def forget_draws() -> None:
    """Give back the memory of the last draw."""
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


def store(path: Path, result: dict[str, Any]) -> None:
    """Write `result` whole or not at all: a kill at any moment leaves no half a file."""
    with _files.replacing(path) as temporary:
        joblib.dump(result, temporary, compress=1)


def load(path: Path) -> dict[str, Any] | None:
    """The stored result, or None where there is no file. Raises for one that cannot be read."""
    return dict(joblib.load(path)) if path.is_file() else None
