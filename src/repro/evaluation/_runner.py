"""The interface between evaluation and learners: one implementation for each kind of learner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._progress import progress
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run
from repro.streams.stream import Schema, Stream

__all__ = ["BLOCK", "Runner", "Trainee", "block_starts"]

BLOCK = 10_000  # examples per call of a loop, between two updates of the progress bar


class Trainee(ABC):
    """A learner that learns and predicts when it is told to, outside of a prequential run."""

    @abstractmethod
    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        """Learn the examples `X` (m, d) with the labels `y` (m,), in this order."""

    @abstractmethod
    def predict(self, test: Stream) -> NDArray[np.int64]:
        """Predicted label of each example of `test`, shape (m,); nothing is learned."""


class Runner(ABC):
    """What evaluation asks of a learner; `repro.evaluation._kinds.runner_of` finds it."""

    @abstractmethod
    def run(self, stream: Stream, schedule: Schedule, *, seed: int, proba: bool) -> Run:
        """Predict each example of `stream`, and learn labels when `schedule` lets them arrive.

        Parameters
        ----------
        stream : the examples.
        schedule : when labels arrive, for as many examples.
        seed : of the learner's own randomness.
        proba : whether to keep the vote shares (n, K).
        """

    @abstractmethod
    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        """The learner before its first example, to be taught and tested at will.

        Raises TypeError for a learner that predicts only along a stream.

        Parameters
        ----------
        schema : of the examples.
        seed : of the learner's own randomness.
        batch : examples learned in one call, where the learner can.
        """

    @abstractmethod
    def identified(self) -> Any:
        """The learner as it runs with seed 0; the key of a stored result is made from it."""


def block_starts(n: int, step: int, name: str) -> Iterable[int]:
    """First example of each block of `step`, with a progress bar labelled `name`."""
    starts = range(0, n, step)
    if len(starts) == 1:  # setting up a bar can take longer than the run
        return starts
    return progress(starts, desc=name[:40], unit_scale=step)
