"""Learners that use previous labels: transforms of arrays before and after another learner."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from repro.evaluation._runner import Cost, Outcome, Part, Runner, Session, Trainee
from repro.learners.temporal import Temporal
from repro.streams.stream import Schema, Stream

__all__ = ["TemporalRunner"]


class TemporalRunner(Runner):
    """A `Temporal` wrapper around a learner, whose own runner is `base`."""

    def __init__(self, learner: Temporal, base: Runner) -> None:
        self.learner, self.base = learner, base

    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        return TemporalSession(self.learner, self.base, seed, proba, every)

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        raise TypeError(f"learner must not need previous labels; got {self.learner!r}")

    def identified(self) -> Any:
        return replace(self.learner, base=self.base.identified())  # type: ignore[type-var]


class TemporalSession(Session):
    """A `Temporal` wrapper along a whole stream: its transforms need all labels at once."""

    def __init__(
        self, learner: Temporal, base: Runner, seed: int, proba: bool, every: int | None
    ) -> None:
        self.learner, self.base, self.seed = learner, base, seed
        self.proba, self.every = proba, every
        self.known_cost = Cost(0.0, 0.0)

    def feed(self, part: Part) -> Outcome:
        learner, stream, delay = self.learner, part.stream, part.schedule.delay
        if part.bar is not None:
            rule = "learner must not need previous labels when the stream comes in chunks"
            raise TypeError(f"{rule}; got {learner!r}")
        _compile(learner, stream)
        begin = time.perf_counter()
        inside = learner.before(stream, delay)
        seconds = time.perf_counter() - begin
        kept = self.proba or learner.needs_proba
        run = self.base.run(inside, part.schedule, seed=self.seed, proba=kept, every=self.every)
        begin = time.perf_counter()
        shares, y_pred = run.proba, run.y_pred
        if learner.needs_proba and shares is not None:
            shares = learner.after(shares, stream, delay)
            y_pred = shares.argmax(axis=1)
        seconds += run.seconds + time.perf_counter() - begin
        size = run.state_bytes + learner.own_bytes(stream.schema)
        self.known_cost = Cost(seconds, size, run.growth)
        return Outcome(y_pred, shares if self.proba else None, run.alarms)

    def cost(self) -> Cost:
        return self.known_cost


def _compile(learner: Temporal, stream: Stream) -> None:
    """Run both transforms on one example, to compile their kernels before the clock starts."""
    first = stream.take([0])
    learner.before(first)
    learner.after(np.ones((1, stream.schema.n_classes)), first)
