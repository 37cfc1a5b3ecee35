"""Rows that go from one chunk of a stream to the next: labels to come, and incomplete blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import LONGEST
from repro.evaluation._part import Part
from repro.evaluation._schedule import blockwise
from repro.streams.label_delay import as_waits
from repro.streams.stream import Stream

__all__ = ["Carry"]


class Carry:
    """Turns chunks into parts; each has the rows of earlier chunks that may still be learned.

    The first row that is kept is at the start of a block, so that a part has the schedule of a
    whole stream of its length.
    """

    def __init__(self, delay: ArrayLike, batch: int, bar: Any) -> None:
        """`delay` is one number, `batch` that of `repro.prequential`."""
        if np.ndim(delay):
            rule = "delay must be one whole number >= 0 for a stream in chunks"
            raise ValueError(f"{rule}; got an array of shape {np.shape(delay)}")
        self.waits, self.block, self.bar = as_waits(1, delay), min(batch, LONGEST), bar
        blocks = -(-int(self.waits) // self.block)
        self.most_kept = blocks * self.block if self.waits < LONGEST else 0  # LONGEST is never
        self.rows: Stream | None = None
        self.offset, self.start = 0, 0  # of the rows, as in Part

    def add(self, chunk: Stream) -> Part | None:
        """The part to run now that `chunk` is there; None if no block is complete."""
        rows = chunk if self.rows is None else _joined(self.rows, chunk)
        return self._part(rows, len(rows) - len(rows) % self.block)

    def last(self) -> Part | None:
        """The incomplete block at the end of the stream, None if there is none."""
        return None if self.rows is None else self._part(self.rows, len(self.rows))

    def _part(self, rows: Stream, stop: int) -> Part | None:
        """The part up to the row `stop`; the rows that it leaves for later are copied."""
        part = None
        if stop > self.start:
            schedule = blockwise(stop, self.waits, self.block)
            complete = rows if stop == len(rows) else rows.take(np.arange(stop))
            part = Part(complete, schedule, self.start, self.offset, self.bar)
        first = max(0, stop - self.most_kept)
        self.rows = rows.take(np.arange(first, len(rows))) if first < len(rows) else None
        self.offset, self.start = self.offset + first, stop - first
        return part


def _joined(a: Stream, b: Stream) -> Stream:
    X, y = np.concatenate([a.X, b.X]), np.concatenate([a.y, b.y])
    optimal = None
    if a.optimal is not None and b.optimal is not None:
        optimal = np.concatenate([a.optimal, b.optimal])
    return Stream(X, y, b.nominal, b.n_classes, optimal=optimal)
