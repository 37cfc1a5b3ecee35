"""river's side: its users' loop, over dictionaries made before the clock starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from timing import Timed, now

from repro import Stream

LEAST = 200  # examples that are timed, however slow the model is


class RiverRun:
    """Times a river model on `stream`, or on a part of its examples when it is slow.

    Where all examples would take longer than `seconds`, there are two ways. If learning alone is
    quick (nearest neighbours), every s-th example from the first to the last is timed, the others
    being learned with the clock stopped: a window is as full as it would be. Else only the first
    examples are run, as many as `seconds` allow.
    """

    def __init__(self, make: Callable[[Stream], Any], stream: Stream, seconds: float) -> None:
        self.make, self.stream = make, stream
        columns = [int if values else float for values in stream.schema.nominal]
        self.rows = [
            {j: kind(v) for j, (kind, v) in enumerate(zip(columns, row, strict=True))}
            for row in stream.X.tolist()
        ]
        self.labels = stream.y.tolist()
        self.bytes = float("nan")
        self.step, self.n = self._plan(seconds)

    def __call__(self) -> Timed:
        model = self.make(self.stream)
        pairs = list(zip(self.rows[: self.n], self.labels[: self.n], strict=True))
        timed = _whole(model, pairs) if self.step == 1 else _part(model, pairs, self.step)
        if self.bytes != self.bytes:
            self.bytes = float(model._raw_memory_usage)
        return timed._replace(bytes=self.bytes)

    def _plan(self, seconds: float) -> tuple[int, int]:
        """(step, examples), from a pilot that takes a fifth of the time."""
        model, n, total = self.make(self.stream), len(self.labels), 0.0
        learning, done = 0.0, 0
        for x, y in zip(self.rows, self.labels, strict=True):
            begin = now()
            model.predict_one(x)
            middle = now()
            model.learn_one(x, y)
            end = now()
            total, learning, done = total + end - begin, learning + end - middle, done + 1
            if total > seconds / 5 and done >= LEAST:
                break
        total, learning = total / done * n, learning / done * n
        if total <= seconds:
            return 1, n
        if learning <= seconds / 2:
            return max(1, min(round(total / seconds), n // LEAST)), n
        return 1, min(n, max(LEAST, int(n * seconds / total)))


def _whole(model: Any, pairs: list) -> Timed:
    wrong, begin = 0, now()
    for x, y in pairs:
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
    return Timed(now() - begin, len(pairs), wrong / len(pairs))


def _part(model: Any, pairs: list, step: int) -> Timed:
    wrong, examples, seconds = 0, 0, 0.0
    for i, (x, y) in enumerate(pairs):
        if i % step != step // 2:
            model.learn_one(x, y)
            continue
        begin = now()
        y_pred = model.predict_one(x)
        model.learn_one(x, y)
        seconds += now() - begin
        wrong, examples = wrong + (y_pred != y), examples + 1
    return Timed(seconds, examples, wrong / examples)
