"""The Bayes-optimal reference: its predictions travel with the stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.evaluation._runner import Cost, Outcome, Part, Runner, Session, Trainee
from repro.learners.baselines import BayesOptimal
from repro.streams.stream import Schema, Stream

__all__ = ["OptimalRunner"]


class OptimalRunner(Runner):
    """`BayesOptimal`: learns nothing, takes no time and no memory."""

    def __init__(self, learner: BayesOptimal) -> None:
        self.learner = learner

    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        return OptimalSession()

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return OptimalTrainee()

    def identified(self) -> Any:
        return self.learner


class OptimalSession(Session):
    """Repeats the optimal labels that each part knows."""

    def feed(self, part: Part) -> Outcome:
        return Outcome(_optimal_labels(part.stream, "stream"), None, np.zeros(0, np.int64))

    def cost(self) -> Cost:
        return Cost(seconds=0.0, state_bytes=0.0)


class OptimalTrainee(Trainee):
    """Predicts the optimal labels that the test set knows."""

    def learn(self, stream: Stream, rows: slice | NDArray[np.int64]) -> None:
        """Nothing to learn."""

    def predict(self, test: Stream) -> NDArray[np.int64]:
        return _optimal_labels(test, "test of holdout, or tasks of evaluate_scenario,")


def _optimal_labels(stream: Stream, name: str) -> NDArray[np.int64]:
    if stream.optimal is None:
        raise ValueError(f"{name} must know its optimal labels for BayesOptimal; got None")
    return stream.optimal
