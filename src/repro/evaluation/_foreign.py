"""Models of river and scikit-learn: a copy is called from Python, see `repro.interop`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._seeding import seeded
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
from repro.interop.adapter import Adapter, Steps
from repro.interop.adapting import adapt
from repro.streams.stream import Schema, Stream

__all__ = ["ForeignRunner"]


class ForeignRunner(Runner):
    """A model of another library, through its `repro.interop.Adapter`."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        return ForeignSession(adapt(self.model, schema, seed), proba)

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return ForeignTrainee(adapt(self.model, schema, seed), batch)

    def identified(self) -> Any:
        return seeded(self.model, 0)


class ForeignSession(Session):
    """An adapted copy of a model along a stream."""

    def __init__(self, model: Adapter, proba: bool) -> None:
        self.model, self.proba, self.seconds = model, proba, 0.0

    def feed(self, part: Part) -> Outcome:
        stream, schedule, n = part.stream, part.schedule, part.schedule.n
        K, block = stream.schema.n_classes, schedule.block
        y_pred, shares = np.empty(n, np.int64), np.empty((n if self.proba else 0, K))
        arrays = stream.X, stream.y, schedule.order, schedule.arrived, y_pred, shares
        alarms: list[int] = []
        step = block * max(1, BLOCK // block)
        begin = time.perf_counter()
        for first in block_starts(part, step, str(self.model)):
            start, stop = max(first, part.start), min(first + step, n)
            alarms += self.model.along(Steps(start, stop, block, *arrays, part.offset))
        self.seconds += time.perf_counter() - begin
        positions = np.array(alarms, dtype=np.int64) + part.offset
        return Outcome(y_pred, shares if self.proba else None, positions)

    def cost(self) -> Cost:
        return Cost(self.seconds, state_bytes=float("nan"))


class ForeignTrainee(Trainee):
    """An adapted copy of a model, which learns `batch` examples in one call."""

    def __init__(self, model: Adapter, batch: int) -> None:
        self.model, self.batch = model, batch

    def learn(self, stream: Stream, rows: slice | NDArray[np.int64]) -> None:
        self.model.learn(stream.X, stream.y, np.arange(len(stream))[rows], self.batch)

    def predict(self, test: Stream) -> NDArray[np.int64]:
        return self.model.predict(test.X)
