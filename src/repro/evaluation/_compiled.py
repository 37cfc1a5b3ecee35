"""Learners of this package, and of yours with kernels: the stream runs in compiled loops."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import BLOCK, Runner, Trainee, block_starts
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
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


class CompiledRunner(Runner):
    """A `Learner`: its state goes through `test_then_train` block by block."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def run(self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool) -> Run:
        n, K = len(stream), stream.schema.n_classes
        y_pred, is_alarm = np.empty(n, np.int64), np.zeros(n, np.bool_)
        shares = np.empty((n if proba else 0, K))
        state = self.learner.start(stream.schema, seed)
        arrays = [y_pred, np.zeros(K), shares, is_alarm]
        if not schedule.prompt:
            arrays = [schedule.order, schedule.known, *arrays]
        # A run over no examples compiles the loop before the clock starts.
        loop = runnable(test_then_train if schedule.prompt else test_then_train_delayed, state)
        loop(state, stream.X, stream.y, 0, 0, *arrays)
        sizes: list[dict[str, float]] = []
        begin, paused = time.perf_counter(), 0.0
        step = schedule.every or BLOCK
        for start in block_starts(n, step, str(self.learner)):
            stop = min(start + step, n)
            loop(state, stream.X, stream.y, start, stop, *arrays)
            if schedule.every is not None and stop == start + step:
                since = time.perf_counter()
                sizes.append(self._size(state, stop))
                paused += time.perf_counter() - since
        seconds = time.perf_counter() - begin - paused
        alarms = is_alarm.nonzero()[0]
        if not schedule.prompt:
            alarms = schedule.order[alarms[alarms < schedule.known[-1]]]
        size = float(self.learner.state_bytes(state))
        growth = None if schedule.every is None else _columns(sizes)
        kept = shares if proba else None
        return run_of(
            stream, y_pred, kept, alarms, seconds=seconds, state_bytes=size, growth=growth
        )

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return CompiledTrainee(self.learner.start(schema, seed), np.zeros(schema.n_classes))

    def identified(self) -> Any:
        return self.learner

    def _size(self, state: Any, examples: int) -> dict[str, float]:
        size = {"examples": examples, "state_bytes": self.learner.state_bytes(state)}
        return {**size, **self.learner.counts(state)}


class CompiledTrainee(Trainee):
    """The state of a `Learner`, and scratch of shape (K,) for its votes."""

    def __init__(self, state: Any, scratch: NDArray[np.float64]) -> None:
        self.state, self.scratch = state, scratch

    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        runnable(learn_block, self.state)(self.state, X, y)

    def predict(self, test: Stream) -> NDArray[np.int64]:
        y_pred = np.empty(len(test), np.int64)
        runnable(predict_block, self.state)(self.state, test.X, y_pred, self.scratch)
        return y_pred


def _columns(rows: list[dict[str, float]]) -> dict[str, NDArray[np.float64]]:
    names = rows[0] if rows else ()
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in names}
