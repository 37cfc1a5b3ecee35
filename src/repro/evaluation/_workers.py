"""Where the tasks of a sweep run: in this process, in other processes, or on a Dask cluster.

A worker identifies again what it was sent, with the code that it has loaded itself. Where its keys
differ from the sender's, it runs nothing and the task comes back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, NamedTuple

import cloudpickle
import joblib

from repro._folders import install_command
from repro.evaluation._keys import key_or_note, learner_key, package_key
from repro.evaluation._tasks import Outcome, Task, attempt, forget_draws
from repro.kernels.dispatch import implements, kernels_of_yours
from repro.kernels.sources import check_unchanged, modules_of_yours
from repro.streams.stream import Stream

__all__ = ["allow_growth", "packed", "pool_of", "run_here", "run_in_workers", "unpacked"]

OTHER_CODE = "the worker has other code"  # reported in place of a result


class Message(NamedTuple):
    """A task on its way to a worker."""

    task: Task  # without its learner; without its stream where that is a description
    learner: bytes  # with the kernels that belong to it
    stream: bytes
    key: str  # of this package and the packages that it computes with


@contextmanager
def pool_of(backend: str, scheduler: str | None, jobs: int) -> Iterator[joblib.Parallel]:
    """A pool of `jobs` processes, or the Dask cluster at the address `scheduler`.

    Parameters
    ----------
    backend : "processes" or "dask".
    scheduler : address, for "dask".
    jobs : number of processes, for "processes".

    Raises ImportError and ValueError where "dask" lacks its package or the address.
    """
    if backend == "processes":
        # Streams of more than a megabyte are shared. "c" gives each worker writable copies: arrays
        # that are read-only have another type, for which all kernels would be compiled again.
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


def run_here(tasks: Iterable[Task]) -> Iterator[Outcome]:
    """Run `tasks` one by one in this process."""
    try:
        yield from map(attempt, tasks)
    finally:
        forget_draws()


def run_in_workers(tasks: list[Task], pool: joblib.Parallel) -> Iterator[Outcome]:
    """Run `tasks` in `pool`; tasks that workers cannot run as this process would run here."""
    here, pairs = [], _messages(tasks)
    by_number = {task.number: task for task in tasks}
    for outcome in pool(joblib.delayed(_attempt_sent)(message) for _, message in pairs if message):
        if outcome.failure == OTHER_CODE:
            here.append(by_number[outcome.number])
        else:
            yield outcome
    if here:
        why = "workers have other code or versions than this process"
        print(f"repro: {len(here)} tasks run here, one by one: {why}", file=sys.stderr)
    unsent = [task for task, message in pairs if message is None]
    if unsent:
        why = "their learner or stream cannot be pickled"
        print(f"repro: {len(unsent)} tasks run here, one by one: {why}", file=sys.stderr)
    yield from run_here([*here, *unsent])


def _messages(tasks: list[Task]) -> list[tuple[Task, Message | None]]:
    """Each task with its message; None where its learner or stream cannot be pickled.

    Code of yours is sent by value: a worker that imports it could find an edited file.
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
            message = Message(bare, learner, stream, package_key()) if can_be_sent else None
            pairs.append((task, message))
    return pairs


@contextmanager
def _modules_by_value() -> Iterator[None]:
    """Let cloudpickle send your modules by value, as it does with a notebook's code."""
    known = cloudpickle.list_registry_pickle_by_value()
    added = [module for module in modules_of_yours() if module.__name__ not in known]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


def _attempt_sent(message: Message) -> Outcome:
    """Run a task in a worker, unless the worker has other code than the sender."""
    task = message.task
    try:
        allow_growth()
        check_unchanged()
        learner, key = _unpacked(message.learner)
        stream = cloudpickle.loads(message.stream) if message.stream else task.stream
        is_same = message.key == package_key() and key == task.learner_key
    except Exception:
        is_same = False
    if not is_same:
        return Outcome(task.number, None, OTHER_CODE)
    return attempt(task._replace(learner=learner, stream=stream))


@lru_cache(maxsize=100)
def _unpacked(content: bytes) -> tuple[Any, str]:
    """The learner in `content`, whose kernels are registered, and its key."""
    learner = unpacked(content)
    return learner, key_or_note([], "", partial(learner_key, learner))


def packed(thing: Any) -> bytes:
    """`thing` on its way to a worker, with the kernels of yours that it may need.

    Code of yours goes by value: a worker that imports it could find an edited file.
    """
    with _modules_by_value():
        return bytes(cloudpickle.dumps((thing, kernels_of_yours())))


def unpacked(content: bytes) -> Any:
    """What was `packed`, in a worker, where its kernels are then registered."""
    thing, kernels = cloudpickle.loads(content)
    for verb, state, kernel in kernels:
        with suppress(ValueError):  # registered by an earlier task
            implements(verb, state)(kernel)
    return thing


def allow_growth() -> None:
    """Raise loky's limit: it ends workers that grow by 300 MB, and a data set may be larger."""
    with suppress(ImportError, AttributeError):
        from joblib.externals.loky import process_executor

        process_executor._MAX_MEMORY_LEAK_SIZE = 4_000_000_000
