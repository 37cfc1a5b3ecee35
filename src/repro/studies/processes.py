"""Tasks in processes of this machine, of which any may be killed."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

import joblib

from repro.studies.job import Batch
from repro.studies.messages import Message, Sent, messages_of, work
from repro.studies.task import Failure, Outcome

__all__ = ["run_in_processes"]

TRIES = 2  # a task that killed so many workers is not run again
LOST = 3  # workers that were killed while they ran nothing, until the call gives up


def run_in_processes(batches: Sequence[Batch], jobs: int) -> Iterator[Outcome]:
    """Run the tasks in so many processes.

    A worker that is killed takes the others with it. The tasks that ran then are run once more,
    each alone; one that kills its worker again has failed. The other tasks go on.
    """
    messages, returned = messages_of(batches)
    with tempfile.TemporaryDirectory(prefix="repro-") as folder:
        yield from returned.sorted_out(_Processes(messages, jobs, Path(folder)).outcomes())
    yield from returned.outcomes()


class _Processes:
    """Messages on their way through a pool of processes that may break."""

    def __init__(self, messages: Sequence[Message], jobs: int, marks: Path) -> None:
        self.waiting = [message._replace(marks=marks) for message in messages]
        self.alone: list[Message] = []
        self.jobs, self.marks = jobs, marks
        self.kills: dict[int, int] = {}
        self.lost = 0

    def outcomes(self) -> Iterator[Outcome]:
        while self.waiting or self.alone:
            messages = self.waiting or [self.alone.pop(0)]
            left = {job.number: job for message in messages for job in message.jobs}
            try:
                for outcomes in self._pool()(joblib.delayed(_work)(m) for m in messages):
                    for outcome in outcomes:
                        del left[outcome.number]
                        yield outcome
            except BrokenProcessPool:
                yield from self._after_a_kill(messages, left)
            else:
                self.waiting = self.waiting if messages is not self.waiting else []

    def _pool(self) -> joblib.Parallel:
        # Streams of more than a megabyte are shared. "c" gives each worker writable copies: arrays
        # that are read-only have another type, for which all kernels would be compiled again.
        # A single process would be this one.
        options = {"return_as": "generator_unordered", "mmap_mode": "c"}
        return joblib.Parallel(n_jobs=max(self.jobs, 2), **options)

    def _after_a_kill(
        self, messages: Sequence[Message], left: dict[int, Sent]
    ) -> Iterator[Outcome]:
        """Sort the tasks that are `left`: stored already, to be run alone, to wait, or failed."""
        running = {int(path.name) for path in self.marks.iterdir()} & left.keys()
        for path in self.marks.iterdir():
            path.unlink()
        self.lost += not running
        if self.lost > LOST:
            raise RuntimeError("workers are killed before they run a task; is memory short?")
        names = ", ".join(left[number].name for number in sorted(running)) or "no task"
        print(f"repro: a worker was killed; running then: {names}", file=sys.stderr)
        self.waiting = [] if messages is self.waiting else self.waiting
        for message in messages:
            again = []
            for sent in message.jobs:
                if sent.number not in left:
                    continue
                if (outcome := sent.stored()) is not None:
                    yield outcome
                elif sent.number not in running:
                    again.append(sent)
                elif self._killed(sent) < TRIES:
                    self.alone.append(message._replace(jobs=(sent,)))
                else:
                    text = f"its worker was killed {TRIES} times, the last time while it ran alone"
                    yield Outcome(sent.number, None, Failure(text, "", None))
            if again:
                self.waiting.append(message._replace(jobs=tuple(again)))

    def _killed(self, sent: Sent) -> int:
        self.kills[sent.number] = self.kills.get(sent.number, 0) + 1
        return self.kills[sent.number]


def _work(message: Message) -> list[Outcome]:
    _end_with_parent()
    return work(message)


@cache
def _end_with_parent() -> None:
    """Let this worker end with the process that started it.

    A worker whose parent was killed would finish its tasks, and then wait five minutes for more:
    it holds both ends of its queue, and so never sees that it has ended.
    """
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="repro: end with parent", daemon=True).start()
