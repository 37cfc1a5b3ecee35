"""Learners of this package, and of yours with kernels: the stream runs in compiled loops."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import BLOCK, Runner, block_starts, stretches
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.learners.learner import Learner
from repro.learners.loops import count_errors, learn_block, test_then_train
from repro.streams.stream import Stream

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
        arrays = schedule.order, schedule.known, y_pred, np.zeros(K), shares, is_alarm
        # A run over no examples compiles the loop before the clock starts.
        test_then_train(state, stream.X, stream.y, 0, 0, *arrays)
        sizes: list[dict[str, float]] = []
        begin, paused = time.perf_counter(), 0.0
        step = schedule.every or BLOCK
        for start in block_starts(n, step, str(self.learner)):
            stop = min(start + step, n)
            test_then_train(state, stream.X, stream.y, start, stop, *arrays)
            if schedule.every is not None and stop == start + step:
                since = time.perf_counter()
                sizes.append(self._size(state, stop))
                paused += time.perf_counter() - since
        seconds = time.perf_counter() - begin - paused
        alarms = schedule.order[is_alarm[: schedule.known[-1]].nonzero()[0]]
        size = float(self.learner.state_bytes(state))
        growth = None if schedule.every is None else _columns(sizes)
        kept = shares if proba else None
        return run_of(
            stream, y_pred, kept, alarms, seconds=seconds, state_bytes=size, growth=growth
        )

    def check_test(self, test: Stream) -> None:
        """Any test set will do."""

    def test_errors(
        self,
        stream: Stream,
        test: Stream,
        positions: NDArray[np.int64],
        *,
        batch: int,
        seed: int,
    ) -> NDArray[np.float64]:
        state = self.learner.start(stream.schema, seed)
        error, scratch = np.empty(positions.size), np.zeros(stream.schema.n_classes)
        for i, start, stop in stretches(positions, str(self.learner)):
            learn_block(state, stream.X, stream.y, start, stop)
            error[i] = count_errors(state, test.X, test.y, scratch) / len(test)
        return error

    def identified(self) -> Any:
        return self.learner

    def _size(self, state: Any, examples: int) -> dict[str, float]:
        size = {"examples": examples, "state_bytes": self.learner.state_bytes(state)}
        return {**size, **self.learner.counts(state)}


def _columns(rows: list[dict[str, float]]) -> dict[str, NDArray[np.float64]]:
    names = rows[0] if rows else ()
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in names}
