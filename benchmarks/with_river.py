"""river's side: its users' loop, over dictionaries made before the clock starts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from timing import Timed

from repro import Stream

PILOT = 20  # examples that say how many the time allows


class RiverRun:
    """Times a river model on `stream`, or on a part of its examples when it is slow.

    Where all examples would take longer than `seconds`, predicting and learning is timed at every
    s-th example only, from the first to the last; the others are learned with the clock stopped.
    So a window is as full as it would be, and the rate is that of the whole stream.
    """

    def __init__(self, make: Callable[[Stream], Any], stream: Stream, seconds: float) -> None:
        self.make, self.stream = make, stream
        columns = [int if values else float for values in stream.schema.nominal]
        self.rows = [
            {j: kind(v) for j, (kind, v) in enumerate(zip(columns, row, strict=True))}
            for row in stream.X.tolist()
        ]
        self.labels = stream.y.tolist()
        pilot = self.run(max(1, len(self.labels) // PILOT))
        expected = pilot.seconds / pilot.examples * len(self.labels)
        self.step = max(1, min(round(expected / seconds), len(self.labels) // PILOT))

    def __call__(self) -> Timed:
        return self.run(self.step)

    def run(self, step: int) -> Timed:
        model = self.make(self.stream)
        pairs = list(zip(self.rows, self.labels, strict=True))
        if step == 1:
            return _whole(model, pairs)
        return _part(model, pairs, step)


def _whole(model: Any, pairs: list) -> Timed:
    wrong, begin = 0, time.perf_counter()
    for x, y in pairs:
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
    return Timed(time.perf_counter() - begin, len(pairs), wrong / len(pairs))


def _part(model: Any, pairs: list, step: int) -> Timed:
    wrong, examples, seconds = 0, 0, 0.0
    for i, (x, y) in enumerate(pairs):
        if i % step != step // 2:
            model.learn_one(x, y)
            continue
        begin = time.perf_counter()
        y_pred = model.predict_one(x)
        model.learn_one(x, y)
        seconds += time.perf_counter() - begin
        wrong, examples = wrong + (y_pred != y), examples + 1
    return Timed(seconds, examples, wrong / examples)
