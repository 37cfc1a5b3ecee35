"""Streams that come in chunks: one chunk in memory at a time, and the state carried on."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._progress import progress
from repro.evaluation._carry import Carry
from repro.evaluation._chunk_checks import Coding, check_coding, coding_of
from repro.evaluation._part import Part
from repro.evaluation._runner import Runner, Session
from repro.evaluation.run import Run
from repro.streams.stream import Stream, check_stream

__all__ = ["run_chunks"]


def run_chunks(
    runner: Runner, chunks: Iterable[Stream], delay: ArrayLike, batch: int, **options: Any
) -> Run:
    """The run over the examples of all `chunks`, equal to that of one stream.

    Parameters
    ----------
    runner : of the learner.
    chunks : at least one; all are coded alike.
    delay, batch : as in `repro.prequential`; one delay for all examples.
    options : of `Runner.session`.
    """
    n_chunks = len(chunks) if isinstance(chunks, Sized) else None
    with progress(None, unit=" examples", unit_scale=True) as bar:
        run = _ChunkedRun(runner, Carry(delay, batch, bar), options)
        for chunk in chunks:
            run.add(chunk)
            del chunk  # or it would be in memory while the next one is made
            if n_chunks is not None:
                bar.total = round(bar.n * n_chunks / run.n_chunks)
        return run.result()


class _ChunkedRun:
    """A session, and what it has said about the chunks so far."""

    def __init__(self, runner: Runner, carry: Carry, options: dict[str, Any]) -> None:
        self.runner, self.carry, self.options = runner, carry, options
        self.session: Session | None = None
        self.coding: Coding | None = None  # of the first chunk
        self.n_chunks = 0
        self.y_pred, self.loss = list[NDArray[np.signedinteger]](), list[NDArray[np.int8]]()
        self.proba, self.alarms = list[NDArray[np.float64]](), list[NDArray[np.int64]]()

    def add(self, chunk: Any) -> None:
        """Run the next chunk; an incomplete block at its end waits for the chunk after it."""
        name = f"chunk {self.n_chunks} of stream"
        coding = coding_of(check_stream(chunk, name=name))
        if self.session is None or self.coding is None:
            self.coding, self.session = coding, self.runner.session(chunk.schema, **self.options)
        check_coding(coding, self.coding, name=name)
        self.n_chunks += 1
        self._feed(self.session, self.carry.add(chunk))

    def result(self) -> Run:
        """The run over all chunks; raises ValueError if there was none."""
        if self.session is None:
            raise ValueError("stream must hold at least one chunk; got none")
        self._feed(self.session, self.carry.last())
        y_pred, loss, alarms = map(np.concatenate, (self.y_pred, self.loss, self.alarms))
        proba = np.concatenate(self.proba) if self.proba else None
        return Run(y_pred, loss, proba, alarms, *self.session.cost())

    def _feed(self, session: Session, part: Part | None) -> None:
        if part is None:
            return
        outcome, new = session.feed(part), slice(part.start, None)
        wrong = outcome.y_pred[new] != part.stream.y[new]
        self.loss.append(wrong.astype(np.int8))
        narrow = np.min_scalar_type(-part.stream.schema.n_classes)
        self.y_pred.append(outcome.y_pred[new].astype(narrow))
        self.alarms.append(outcome.alarms)
        if outcome.proba is not None:
            self.proba.append(outcome.proba[new].copy())
