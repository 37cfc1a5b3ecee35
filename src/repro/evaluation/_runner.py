"""The interface between evaluation and learners: one implementation for each kind of learner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._progress import progress
from repro.evaluation._schedule import Schedule
from repro.evaluation.run import Run
from repro.streams.stream import Stream

__all__ = ["BLOCK", "Runner", "block_starts", "stretches"]

BLOCK = 10_000  # examples per call of a loop, between two updates of the progress bar


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
    def check_test(self, test: Stream) -> None:
        """Raise TypeError or ValueError if the learner cannot be tested on `test`."""

    @abstractmethod
    def test_errors(
        self,
        stream: Stream,
        test: Stream,
        positions: NDArray[np.int64],
        *,
        batch: int,
        seed: int,
    ) -> NDArray[np.float64]:
        """Mean loss on `test`, shape (m,), after each number of examples in `positions` (m,).

        Parameters
        ----------
        stream : the examples to learn.
        test : the examples to predict.
        positions : increasing numbers of examples learned, at most the length of `stream`.
        batch : examples learned in one call, where the learner can.
        seed : of the learner's own randomness.
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


def stretches(positions: NDArray[np.int64], name: str) -> Iterator[tuple[int, int, int]]:
    """(number, start, stop) of the examples learned before each test, with a progress bar."""
    start = 0
    for i, stop in enumerate(progress(positions, desc=name[:40])):
        yield i, start, stop
        start = stop
