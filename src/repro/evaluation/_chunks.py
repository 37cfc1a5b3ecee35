"""Streams that come in chunks: one chunk in memory at a time, and the state carried on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import LONGEST, shown
from repro._progress import progress
from repro.evaluation._runner import Part, Runner, Session, blockwise
from repro.evaluation.run import Run
from repro.streams.label_delay import as_waits
from repro.streams.stream import Schema, Stream, check_stream

__all__ = ["check_chunks", "run_chunks"]


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


class Coding(NamedTuple):
    """What the numbers in a chunk mean; the names are empty where they are not known."""

    schema: Schema
    attributes: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]  #: (name, values) of the nominal attributes


def coding_of(chunk: Stream) -> Coding:
    """The coding of `chunk`, with the names in its description."""
    about = chunk.provenance
    if about is None:
        return Coding(chunk.schema, (), (), ())
    values = tuple((use.name, use.values) for use in about.columns if use.values)
    return Coding(chunk.schema, about.attributes, about.labels, values)


def check_coding(coding: Coding, first: Coding, *, name: str) -> None:
    """Raise ValueError unless the chunk called `name` is coded like the `first` one.

    Names are compared where both know them.
    """
    new, old = coding.schema, first.schema
    if new.n_features != old.n_features:
        rule = f"{name} must have {old.n_features} attributes, as chunk 0"
        raise ValueError(f"{rule}; got {new.n_features}")
    for j, (size, first_size) in enumerate(zip(new.nominal, old.nominal, strict=True)):
        if size != first_size:
            raise ValueError(
                f"{name} must have nominal[{j}] = {first_size}, as chunk 0; got {size}"
            )
    if new.n_classes != old.n_classes:
        rule = f"{name} must have n_classes = {old.n_classes}, as chunk 0"
        raise ValueError(f"{rule}; got {new.n_classes} (Stream takes n_classes as an argument)")
    for what in ("attributes", "labels", "values"):
        names, first_names = getattr(coding, what), getattr(first, what)
        if names and first_names and names != first_names:
            rule = f"{name} must have the {what} of chunk 0, {shown(first_names)}, in this order"
            raise ValueError(f"{rule}; got {shown(names)}")


def check_chunks(stream: Any) -> None:
    """Raise TypeError unless `stream` is an iterable that may hold chunks."""
    no_chunks = (str, bytes, Mapping, np.ndarray)
    is_pair = isinstance(stream, list | tuple) and stream and not isinstance(stream[0], Stream)
    is_other = isinstance(stream, no_chunks) or hasattr(stream, "sample")
    if is_pair or is_other or not isinstance(stream, Iterable):
        check_stream(stream)
