"""Batches on their way to workers, and what a worker does with them.

A worker looks whether it has the sender's code; if not, it runs nothing and the tasks come back, to
run in the sender's process. User code is sent by value.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import cloudpickle

from repro.kernels.dispatch import implements, kernels_of_yours
from repro.kernels.sources import check_unchanged
from repro.studies.installed import is_installed
from repro.studies.job import Batch, Job, run_here
from repro.studies.keys import Key, package_digest
from repro.studies.store import Store
from repro.studies.task import Failure, Outcome, Task

__all__ = ["Message", "Returned", "Sent", "messages_of", "work"]

OTHER_CODE = Failure("the worker has other code", "", None)  # reported in place of a result


class Sent(NamedTuple):
    """A job on its way to a worker: its task as bytes, with the kernels that belong to it."""

    number: int
    name: str
    content: bytes
    data: Any
    key: Key
    store: Store
    fields: tuple[str, ...]

    def stored(self) -> Outcome | None:
        """The outcome that a killed worker has stored; None if it has not."""
        result = self.store.load(self.key.text, self.fields) if self.key.text else None
        return None if result is None else Outcome(self.number, result, None, True)


class Message(NamedTuple):
    """A batch on its way to a worker."""

    jobs: tuple[Sent, ...]
    package: str  # all code of the sender
    marks: Path | None = None  # folder with a file for each task that runs


class Returned(NamedTuple):
    """Jobs that run in this process after all, by number, and why."""

    jobs: dict[int, Job]
    unsent: list[int]
    other_code: list[int]

    def sorted_out(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """The `outcomes`, without those of workers that have other code."""
        for outcome in outcomes:
            if outcome.failure == OTHER_CODE:
                self.other_code.append(outcome.number)
            else:
                yield outcome

    def outcomes(self) -> Iterator[Outcome]:
        """Run them here, and say why."""
        whys = {
            "workers have other code or versions than this process": self.other_code,
            "their learner or stream cannot be pickled": self.unsent,
        }
        for why, numbers in whys.items():
            if numbers:
                print(f"repro: {len(numbers)} tasks run here, one by one: {why}", file=sys.stderr)
        yield from run_here([[self.jobs[n] for n in (*self.other_code, *self.unsent)]])


def messages_of(batches: Sequence[Batch]) -> tuple[list[Message], Returned]:
    """What is sent to workers, and what cannot be."""
    returned = Returned({job.number: job for batch in batches for job in batch}, [], [])
    packed: dict[int, bytes] = {}
    messages, package = [], package_digest()
    with _by_value():
        for batch in batches:
            sent = []
            for job in batch:
                task = job.task
                if id(task.settings) not in packed:
                    packed[id(task.settings)] = _packed(task.function, task.settings)
                if content := packed[id(task.settings)]:
                    about = task.data, job.key, job.store, task.fields
                    sent.append(Sent(job.number, task.name, content, *about))
                else:
                    returned.unsent.append(job.number)
            if sent:
                messages.append(Message(tuple(sent), package))
    return messages, returned


def _packed(function: Callable[..., Any], settings: Any) -> bytes:
    """A function and its settings as bytes; none if they cannot be pickled.

    User code is sent by value: a worker that imports it could find an edited file.
    """
    with suppress(Exception):
        return bytes(cloudpickle.dumps((function, settings, kernels_of_yours())))
    return b""


@contextmanager
def _by_value() -> Iterator[None]:
    """Let cloudpickle send the user's modules by value, as it does with a notebook's code."""
    by_value = cloudpickle.list_registry_pickle_by_value()
    loaded = [(n, m) for n, m in list(sys.modules.items()) if n not in by_value and n != "__main__"]
    modules = [m for n, m in loaded if isinstance(m, ModuleType) and m.__name__ == n]
    mine = [m for m in modules if not (m.__name__.startswith("repro.") or m.__name__ == "repro")]
    added = [module for module in mine if not is_installed(module.__name__)]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


def work(message: Message) -> list[Outcome]:
    """Run a batch in a worker, unless the worker has other code than the sender."""
    _allow_growth()
    outcomes = []
    for sent in message.jobs:
        job = _received(sent, message.package)
        if job is None:
            outcomes.append(Outcome(sent.number, None, OTHER_CODE))
        else:
            with _marked(message.marks, sent.number):
                outcomes.append(_sendable(job.run()))
    return outcomes


@contextmanager
def _marked(folder: Path | None, number: int) -> Iterator[None]:
    """A block during which `folder` has a file of this name; a killed worker leaves it."""
    if folder is None:
        yield
        return
    mark = folder / str(number)
    mark.touch()
    yield
    mark.unlink(missing_ok=True)


def _received(sent: Sent, package: str) -> Job | None:
    """The job that was sent; None if this worker would not run it as the sender."""
    try:
        function, settings, kernels = cloudpickle.loads(sent.content)
        if sent.key.reach is None:
            check_unchanged()
        is_same = sent.key.reach.is_here() if sent.key.reach else package_digest() == package
    except Exception:
        return None
    for verb, state, kernel in kernels:
        with suppress(ValueError):  # registered by an earlier task
            implements(verb, state)(kernel)
    task = Task(sent.name, function, settings, sent.data, (), sent.fields)
    return Job(sent.number, task, sent.key, sent.store) if is_same else None


def _sendable(outcome: Outcome) -> Outcome:
    """`outcome` with an error that can be sent to the caller."""
    failure = outcome.failure
    if failure is not None and failure.error is not None:
        try:
            cloudpickle.loads(cloudpickle.dumps(failure.error))
        except Exception:
            failure = failure._replace(error=RuntimeError(failure.text))
    return outcome._replace(failure=failure)


def _allow_growth() -> None:
    """Raise loky's limit: it ends workers that grow by 300 MB, and a data set may be larger."""
    with suppress(ImportError, AttributeError):
        from joblib.externals.loky import process_executor

        process_executor._MAX_MEMORY_LEAK_SIZE = 4_000_000_000
