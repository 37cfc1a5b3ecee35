"""The interface between evaluation and learners, one implementation for each kind of learner.

A session of a learner is fed parts of a stream; the schedule of a part says when labels arrive, and
which examples go together.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._progress import progress
from repro.evaluation.run import Run, run_of
from repro.streams.label_delay import as_waits, schedule
from repro.streams.stream import Schema, Stream

__all__ = [
    "BLOCK",
    "Cost",
    "Outcome",
    "Part",
    "Runner",
    "Session",
    "Trainee",
    "block_starts",
    "blockwise",
    "schedule_of",
]

WAIT = 3.0  # seconds
BLOCK = 10_000  # examples per call of a loop, between two updates of the progress bar


@dataclass(frozen=True, eq=False)
class Schedule:
    """When the labels of n examples arrive, and what happens between predictions."""

    n: int  #: number of examples
    delay: ArrayLike  #: of the labels, as `repro.streams.label_delay` takes it
    block: int  #: examples that are predicted before any of them is learned

    @property
    def prompt(self) -> bool:
        """Whether each label arrives right after the prediction of its own example."""
        return np.ndim(self.delay) == 0 and self.delay == 0

    @property
    def order(self) -> NDArray[np.int64]:
        """(n,) the examples in the order in which their labels arrive."""
        return self._arrivals[0]

    @property
    def arrived(self) -> NDArray[np.int64]:
        """(n,) how many labels have arrived after each prediction."""
        return self._arrivals[1]

    @cached_property
    def _arrivals(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return schedule(self.n, self.delay)


def schedule_of(n: int, delay: ArrayLike, batch: int) -> Schedule:
    """The schedule of `n` examples.

    Parameters
    ----------
    n : length of the stream.
    delay, batch : as in `repro.prequential`.

    Raises ValueError unless the delays are whole numbers >= 0, one or `n`.
    """
    return blockwise(n, as_waits(n, delay), min(batch, n + 1))  # no label arrives beyond n


def blockwise(n: int, waits: NDArray[np.int64], block: int) -> Schedule:
    """The schedule of `n` examples in blocks of `block`; `waits` is made by `as_waits`."""
    return Schedule(n, delay_to_block_end(n, waits, block) if block > 1 else waits, block)


def delay_to_block_end(n: int, delay: ArrayLike, block: int) -> NDArray[np.int64]:
    """The delays (n,) of labels that arrive only at the end of a block of `block` examples."""
    index = np.arange(n)
    arrival = index + np.minimum(as_waits(n, delay), n)
    return arrival + block - 1 - arrival % block - index


class Part(NamedTuple):
    """A whole stream, or examples of a longer one after those whose labels may still arrive.

    Rows before `start` have been predicted, and the session has learned as many of them as
    `schedule` lets arrive until then.
    """

    stream: Stream
    schedule: Schedule  #: of the rows
    start: int = 0  #: first row to predict
    offset: int = 0  #: index of the first row in the whole stream, a multiple of the block
    bar: Any = None  #: progress bar of the whole run; None for a whole stream


def block_starts(part: Part, step: int, name: str) -> Iterable[int]:
    """First row of each block of `step`, with a progress bar labelled `name`.

    Blocks are counted along the whole stream, so the first one of a part may begin before its
    `start`, and before its first row.
    """
    n, start = part.schedule.n, part.start
    starts = range(start - (part.offset + start) % step, n, step)
    if part.bar is not None:
        return _counted(starts, part, step, name)
    return _watched(starts, step, name)


def _watched(starts: range, step: int, name: str) -> Iterator[int]:
    """With a bar after `WAIT` seconds: to set one up can take longer than the run."""
    begin = time.monotonic()
    for done, first in enumerate(starts):
        if time.monotonic() - begin > WAIT:
            options = {"initial": done, "total": len(starts), "unit_scale": step, "delay": 0}
            yield from progress(starts[done:], desc=name[:40], **options)
            return
        yield first


def _counted(starts: range, part: Part, step: int, name: str) -> Iterator[int]:
    part.bar.set_description(name[:40], refresh=False)
    for first in starts:
        yield first
        part.bar.update(min(first + step, part.schedule.n) - max(first, part.start))


class Trainee(ABC):
    """A learner that learns and predicts when it is told to, outside of a prequential run."""

    @abstractmethod
    def learn(self, stream: Stream, rows: slice | NDArray[np.int64]) -> None:
        """Learn the examples `rows` of `stream`, in this order."""

    @abstractmethod
    def predict(self, test: Stream) -> NDArray[np.int64]:
        """Predicted label of each example of `test`, shape (m,); nothing is learned."""


class Outcome(NamedTuple):
    """What a learner said about the n rows of a `Part`; rows before its start are undefined."""

    y_pred: NDArray[np.int64]  #: (n,)
    proba: NDArray[np.float64] | None  #: (n, K), None if not asked for
    alarms: NDArray[np.int64]  #: indices in the whole stream, in the order of the alarms


class Cost(NamedTuple):
    """Time and memory of a session so far, as in `repro.evaluation.run.Run`."""

    seconds: float
    state_bytes: float
    growth: Mapping[str, NDArray[np.float64]] | None = None


class Session(ABC):
    """A learner on its way along one stream, whose parts it is fed one after the other."""

    @abstractmethod
    def feed(self, part: Part) -> Outcome:
        """Predict the rows of `part` from its start, and learn labels as they arrive.

        Raises TypeError for a learner that needs the whole stream at once and gets a part.
        """

    @abstractmethod
    def cost(self) -> Cost:
        """What the parts fed so far have cost."""


class Runner(ABC):
    """What evaluation asks of a learner; `repro.evaluation._kinds.runner_of` finds it."""

    @abstractmethod
    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        """The learner before the first example of a prequential run.

        Parameters
        ----------
        schema : of the stream.
        seed : of the learner's own randomness.
        proba : whether to keep the vote shares.
        every : examples between two readings of the learner's size; None: no readings.
        """

    def run(
        self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool, every: int | None
    ) -> Run:
        """A session that is fed the whole `stream`, whose labels arrive as `schedule` says."""
        session = self.session(stream.schema, seed=seed, proba=proba, every=every)
        y_pred, shares, alarms = session.feed(Part(stream, schedule))
        seconds, size, growth = session.cost()
        return run_of(
            stream, y_pred, shares, alarms, seconds=seconds, state_bytes=size, growth=growth
        )

    @abstractmethod
    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        """The learner before its first example, to be taught and tested at will.

        Raises TypeError for a learner that predicts only along a stream.

        Parameters
        ----------
        schema : of the examples.
        seed : of the learner's own randomness.
        batch : examples learned in one call, where the learner can.
        """

    @abstractmethod
    def identified(self) -> Any:
        """The learner as it runs with seed 0; the key of a stored result is made from it."""
