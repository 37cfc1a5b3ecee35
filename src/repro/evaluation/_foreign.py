"""Models of river and scikit-learn: a copy is called from Python, see `repro.interop`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import BLOCK, Runner, Trainee, block_starts
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.interop.adapter import Adapter, Steps
from repro.interop.adapting import adapt
from repro.interop.seeding import seeded
from repro.streams.stream import Schema, Stream

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

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return ForeignTrainee(adapt(self.model, schema, seed), batch)

    def identified(self) -> Any:
        return seeded(self.model, 0)


class ForeignTrainee(Trainee):
    """An adapted copy of a model, which learns `batch` examples in one call."""

    def __init__(self, model: Adapter, batch: int) -> None:
        self.model, self.batch = model, batch

    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        self.model.learn(X, y, self.batch)

    def predict(self, test: Stream) -> NDArray[np.int64]:
        return self.model.predict(test.X)
