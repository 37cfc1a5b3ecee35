"""The Bayes-optimal reference: its predictions travel with the stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import Runner, Trainee
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run, run_of
from repro.learners.optimal import BayesOptimal
from repro.streams.stream import Schema, Stream

__all__ = ["OptimalRunner"]


class OptimalRunner(Runner):
    """`BayesOptimal`: learns nothing, takes no time and no memory."""

    def __init__(self, learner: BayesOptimal) -> None:
        self.learner = learner

    def run(self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool) -> Run:
        optimal, alarms = _optimal_labels(stream, "stream"), np.zeros(0, np.int64)
        return run_of(stream, optimal, None, alarms, seconds=0.0, state_bytes=0.0)

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return OptimalTrainee()

    def identified(self) -> Any:
        return self.learner


class OptimalTrainee(Trainee):
    """Predicts the optimal labels that the test set knows."""

    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        """Nothing to learn."""

    def predict(self, test: Stream) -> NDArray[np.int64]:
        return _optimal_labels(test, "test")


def _optimal_labels(stream: Stream, name: str) -> NDArray[np.int64]:
    if stream.optimal is None:
        raise ValueError(f"{name} must know its optimal labels for BayesOptimal; got None")
    return stream.optimal
