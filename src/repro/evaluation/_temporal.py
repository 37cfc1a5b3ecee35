"""Learners that use previous labels: transforms of arrays before and after another learner."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from repro.evaluation._runner import Runner, Trainee
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.learners.temporal import Temporal
from repro.streams.stream import Schema, Stream

__all__ = ["TemporalRunner"]


class TemporalRunner(Runner):
    """A `Temporal` wrapper around a learner, whose own runner is `base`."""

    def __init__(self, learner: Temporal, base: Runner) -> None:
        self.learner, self.base = learner, base

    def run(self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool) -> Run:
        learner = self.learner
        _compile(learner, stream)
        begin = time.perf_counter()
        inside = learner.before(stream, schedule.delay)
        seconds = time.perf_counter() - begin
        run = self.base.run(inside, schedule, seed=seed, proba=proba or learner.needs_proba)
        begin = time.perf_counter()
        shares, y_pred = run.proba, run.y_pred
        if learner.needs_proba and shares is not None:
            shares = learner.after(shares, stream, schedule.delay)
            y_pred = shares.argmax(axis=1)
        return run_of(
            stream,
            y_pred,
            shares if proba else None,
            run.alarms,
            seconds=seconds + run.seconds + time.perf_counter() - begin,
            state_bytes=run.state_bytes + learner.own_bytes(stream.schema),
            growth=run.growth,
        )

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        raise TypeError(f"learner must not need previous labels; got {self.learner!r}")

    def identified(self) -> Any:
        return replace(self.learner, base=self.base.identified())  # type: ignore[type-var]


def _compile(learner: Temporal, stream: Stream) -> None:
    """Run both transforms on one example, to compile their kernels before the clock starts."""
    first = stream.take([0])
    learner.before(first)
    learner.after(np.ones((1, stream.schema.n_classes)), first)
