"""Learners of this package, and your own with kernels: the stream runs in compiled loops."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import (
    BLOCK,
    Cost,
    Outcome,
    Part,
    Runner,
    Session,
    Trainee,
    block_starts,
)
from repro.kernels.dispatch import runnable
from repro.learners.learner import Learner
from repro.learners.loops import (
    learn_block,
    predict_block,
    test_then_train,
    test_then_train_delayed,
)
from repro.streams.stream import Schema, Stream

__all__ = ["CompiledRunner"]

Loop = Callable[[int, int], None]  # over the examples from the first number to the second


class CompiledRunner(Runner):
    """A `Learner`: its state goes through `test_then_train` block by block."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        state = self.learner.start(schema, seed)
        return CompiledSession(self.learner, state, schema.n_classes, proba, every)

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return CompiledTrainee(self.learner.start(schema, seed), np.zeros(schema.n_classes))

    def identified(self) -> Any:
        return self.learner


class CompiledSession(Session):
    """The state of a `Learner` along a stream, and its size every so many examples."""

    def __init__(
        self, learner: Learner, state: Any, n_classes: int, proba: bool, every: int | None
    ) -> None:
        self.learner, self.state, self.proba, self.every = learner, state, proba, every
        self.scratch = np.zeros(n_classes)
        self.seconds = 0.0
        self.sizes: list[dict[str, float]] = []

    def feed(self, part: Part) -> Outcome:
        stream, schedule, n = part.stream, part.schedule, part.schedule.n
        y_pred, is_alarm = np.empty(n, np.int64), np.zeros(n, np.bool_)
        shares = np.empty((n if self.proba else 0, self.scratch.size))
        said = (y_pred, shares, is_alarm)
        run = self._prompt(stream, *said) if schedule.prompt else self._delayed(part, *said)
        run(0, 0)  # over no examples: compiles the loop before the clock starts
        begin, paused, step = time.perf_counter(), 0.0, self.every or BLOCK
        for first in block_starts(part, step, str(self.learner)):
            start, stop = max(first, part.start), min(first + step, n)
            run(start, stop)
            if self.every is not None and stop == first + step:
                since = time.perf_counter()
                self.sizes.append(self._size(part.offset + stop))
                paused += time.perf_counter() - since
        self.seconds += time.perf_counter() - begin - paused
        alarms = is_alarm.nonzero()[0]
        if not schedule.prompt:
            alarms = schedule.order[alarms[alarms < schedule.arrived[-1]]]
        if part.offset:
            alarms += part.offset
        return Outcome(y_pred, shares if self.proba else None, alarms)

    def _prompt(self, stream: Stream, y_pred: Any, shares: Any, is_alarm: Any) -> Loop:
        loop, state, scratch = runnable(test_then_train, self.state), self.state, self.scratch

        def run(start: int, stop: int) -> None:
            at = slice(start, stop)
            X, y = stream.X[at], stream.y[at]
            loop(state, X, y, y_pred[at], scratch, shares[at], is_alarm[at])

        return run

    def _delayed(self, part: Part, y_pred: Any, shares: Any, is_alarm: Any) -> Loop:
        loop, state = runnable(test_then_train_delayed, self.state), self.state
        X, y, schedule = part.stream.X, part.stream.y, part.schedule
        order, arrived = schedule.order, schedule.arrived
        said = (y_pred, self.scratch, shares, is_alarm)

        def run(start: int, stop: int) -> None:
            loop(state, X, y, start, stop, order, arrived, *said)

        return run

    def cost(self) -> Cost:
        size = float(self.learner.state_bytes(self.state))
        return Cost(self.seconds, size, None if self.every is None else _columns(self.sizes))

    def _size(self, examples: int) -> dict[str, float]:
        size = {"examples": examples, "state_bytes": self.learner.state_bytes(self.state)}
        return {**size, **self.learner.counts(self.state)}


class CompiledTrainee(Trainee):
    """The state of a `Learner`, and scratch of shape (K,) for its votes."""

    def __init__(self, state: Any, scratch: NDArray[np.float64]) -> None:
        self.state, self.scratch = state, scratch

    def learn(self, stream: Stream, rows: slice | NDArray[np.int64]) -> None:
        runnable(learn_block, self.state)(self.state, stream.X[rows], stream.y[rows])

    def predict(self, test: Stream) -> NDArray[np.int64]:
        y_pred = np.empty(len(test), np.int64)
        runnable(predict_block, self.state)(self.state, test.X, y_pred, self.scratch)
        return y_pred


def _columns(rows: list[dict[str, float]]) -> dict[str, NDArray[np.float64]]:
    names = rows[0] if rows else ()
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in names}
