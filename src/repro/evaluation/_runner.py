"""The interface between evaluation and learners: one implementation for each kind of learner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._part import Part
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.streams.stream import Schema, Stream

__all__ = ["BLOCK", "Cost", "Outcome", "Runner", "Session", "Trainee"]

BLOCK = 10_000  # examples per call of a loop, between two updates of the progress bar


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
