"""Models of river and scikit-learn: a copy is called from Python, see `repro.interop`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import BLOCK, Runner, block_starts, stretches
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.interop.adapter import Steps
from repro.interop.adapting import adapt
from repro.interop.seeding import seeded
from repro.streams.stream import Stream

__all__ = ["ForeignRunner"]


class ForeignRunner(Runner):
    """A model of another library, through its `repro.interop.Adapter`."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def run(self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool) -> Run:
        model = adapt(self.model, stream.schema, seed)
        n, K = len(stream), stream.schema.n_classes
        y_pred, shares = np.empty(n, np.int64), np.empty((n if proba else 0, K))
        arrays = stream.X, stream.y, schedule.order, schedule.known, y_pred, shares
        alarms: list[int] = []
        step = schedule.block * max(1, BLOCK // schedule.block)
        begin = time.perf_counter()
        for start in block_starts(n, step, str(model)):
            alarms += model.along(Steps(start, min(start + step, n), schedule.block, *arrays))
        seconds = time.perf_counter() - begin
        kept = shares if proba else None
        indices = np.array(alarms, dtype=np.int64)
        return run_of(stream, y_pred, kept, indices, seconds=seconds, state_bytes=float("nan"))

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
        model, error = adapt(self.model, stream.schema, seed), np.empty(positions.size)
        for i, start, stop in stretches(positions, str(model)):
            model.learn(stream.X[start:stop], stream.y[start:stop], batch)
            error[i] = np.mean(model.predict(test.X) != test.y)
        return error

    def identified(self) -> Any:
        return seeded(self.model, 0)
