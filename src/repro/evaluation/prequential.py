"""Prequential evaluation: predict each example, then learn it (interleaved test-then-train)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_flag
from repro._progress import progress
from repro.interop.adapter import Adapter, Steps
from repro.interop.adapting import adapt, check_learner
from repro.learners.learner import Learner
from repro.learners.loops import test_then_train
from repro.learners.optimal import BayesOptimal
from repro.learners.temporal import Temporal
from repro.streams.label_delay import as_waits, schedule
from repro.streams.stream import Stream, check_stream

__all__ = ["Run", "prequential"]

BLOCK = 10_000  # examples between two looks at the clock


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What came of one learner on one stream, example by example, and what it cost.

    Attributes
    ----------
    y_pred : (n,) predicted labels.
    loss : (n,) 0/1 loss of each prediction.
    proba : (n, K) votes as shares, finite and of sum 1 (equal shares where the learner gives none,
        or none that are numbers >= 0); None when they were not asked for.
    alarms : (a,) indices of the examples at whose learning a drift alarm was raised, as they came;
        none for models of other libraries.
    seconds : wall-clock time of the run, compilation excluded.
    state_bytes : memory of the learner at the end; nan for models of other libraries.
    growth : counts of "examples" learned, "state_bytes" and what the learner has to count ("nodes",
        "members", ...), each an array; None when they were not asked for.
    """

    y_pred: NDArray[np.int64]
    loss: NDArray[np.float64]
    proba: NDArray[np.float64] | None
    alarms: NDArray[np.int64]
    seconds: float
    state_bytes: float
    growth: Mapping[str, NDArray[np.float64]] | None = None

    @property
    def error(self) -> float:
        """Mean loss over the whole stream: the final average prequential error."""
        return float(self.loss.mean())

    def __repr__(self) -> str:
        return (
            f"Run(n={len(self.loss)}, error={self.error:.4f}, alarms={len(self.alarms)}, "
            f"seconds={self.seconds:.3g})"
        )


def prequential(
    learner: Any,
    stream: Stream,
    seed: int = 0,
    *,
    delay: ArrayLike = 0,
    batch: int = 1,
    proba: bool = True,
    every: int | None = None,
) -> Run:
    """Run `learner` along `stream`: predict each example, then learn it once its label is there.

    Parameters
    ----------
    learner : a learner of ours (runs compiled), a river classifier, or a scikit-learn classifier
        with `partial_fit`. Models of other libraries are copied, never changed. A model that has
        learned already is used as it is; any other predicts class 0 before its first label, as
        does one that predicts None.
    stream : the examples.
    seed : of the learner's own randomness: of each `seed` and `random_state` that is None, those of
        models inside too. What was set on purpose stays, and so does what has been drawn already:
        a model that has learned goes on with its trees, and a learner of ours that has learned
        in river's protocol also with its own random numbers.
    delay : the label of example i is learned after the prediction of example i + delay; one number,
        or one for each example (see `repro.streams.label_delay`).
    batch : predict so many examples, then learn those of them whose labels are there. 1 is the
        strict meaning of prequential. The labels of a block of b become known together, at its end:
        as with a delay of b - 1 for its first example, of b - 2 for the second, ..., of 0 for the
        last, and with `delay` each label waits for the end of the block in which it arrives. Labels
        of a last block that is not full never arrive. scikit-learn's models predict and learn each
        block in one call, which is many times as fast; all others go example by example.
    proba : whether to keep the (n, K) vote shares. They cost a learner of ours nothing, and a model
        of another library a second prediction of each example, so say False where nobody reads
        them. (`sweep` does.)
    every : look at the size of a learner of ours each time that so many examples have been
        predicted, see `Run.growth`; default not at all.

    Source: Dawid (1984); Gama, Sebastião and Rodrigues (2013), Algorithm 1.
    Raises TypeError for an object that is none of the three kinds of learner, and for a regressor
    or another model that is no classifier; ValueError for predicted labels other than 0..K-1.

    >>> from repro.learners import NoChange
    >>> run = prequential(NoChange(), Stream([[0.0]] * 4, [0, 1, 1, 0]))
    >>> run.y_pred.tolist(), run.loss.tolist()
    ([0, 0, 1, 1], [0.0, 1.0, 0.0, 1.0])
    >>> prequential(NoChange(), Stream([[0.0]] * 4, [0, 1, 1, 0]), batch=2).y_pred.tolist()
    [0, 0, 1, 1]
    """
    check_stream(stream)
    check_learner(learner)
    check_count(seed, name="seed", least=0)
    check_flag(proba, name="proba")
    if every is not None:
        check_count(every, name="every")
    block = min(check_count(batch, name="batch"), len(stream) + 1)  # no label arrives beyond n
    if block > 1:
        delay = _to_the_end(len(stream), delay, block)
    order, known = schedule(len(stream), delay)
    if isinstance(learner, BayesOptimal):
        return _optimal_run(stream)
    if isinstance(learner, Temporal):
        return _temporal_run(learner, stream, seed, delay, block, proba, every)
    if isinstance(learner, Learner):
        return _compiled_run(learner, stream, seed, order, known, proba, every)
    return _foreign_run(adapt(learner, stream.schema, seed), stream, order, known, block, proba)


def _to_the_end(n: int, delay: ArrayLike, block: int) -> NDArray[np.int64]:
    """The delays of `n` labels that arrive only at the end of a block."""
    index = np.arange(n)
    arrival = index + np.minimum(as_waits(n, delay), n)
    return arrival + block - 1 - arrival % block - index


def _optimal_run(stream: Stream) -> Run:
    if stream.optimal is None:
        raise ValueError("stream must know its optimal labels for BayesOptimal; got None")
    return _as_run(stream, stream.optimal, None, np.zeros(0, np.int64), 0.0, 0.0)


def _temporal_run(
    learner: Temporal,
    stream: Stream,
    seed: int,
    delay: ArrayLike,
    block: int,
    proba: bool,
    every: int | None,
) -> Run:
    wanted = proba or learner.needs_proba
    first = stream.take([0])  # compiles, so that the clock does not see it
    learner.before(first)
    learner.after(np.ones((1, stream.schema.n_classes)), first)
    begin = time.perf_counter()
    inside = learner.before(stream, delay)
    before = time.perf_counter() - begin
    run = prequential(
        learner.base, inside, seed, delay=delay, batch=block, proba=wanted, every=every
    )
    begin = time.perf_counter()
    shares, y_pred = run.proba, run.y_pred
    if learner.needs_proba and shares is not None:
        shares = learner.after(shares, stream, delay)
        y_pred = shares.argmax(axis=1)
    seconds = before + run.seconds + time.perf_counter() - begin
    size = run.state_bytes + learner.own_bytes(stream.schema)
    return _as_run(stream, y_pred, shares if proba else None, run.alarms, seconds, size, run.growth)


def _compiled_run(
    learner: Learner,
    stream: Stream,
    seed: int,
    order: NDArray[np.int64],
    known: NDArray[np.int64],
    proba: bool,
    every: int | None,
) -> Run:
    n, K = len(stream), stream.schema.n_classes
    y_pred, fired = np.empty(n, np.int64), np.zeros(n, np.bool_)
    shares = np.empty((n if proba else 0, K))
    # A run over no examples compiles, so that the clock does not see it.
    state, room = learner.start(stream.schema, seed), np.zeros(K)
    arrays = order, known, y_pred, room, shares, fired
    test_then_train(state, stream.X, stream.y, 0, 0, *arrays)
    sizes: list[dict[str, float]] = []
    begin, looking = time.perf_counter(), 0.0
    step = every or BLOCK
    for start in _blocks(n, step, str(learner)):
        stop = min(start + step, n)
        test_then_train(state, stream.X, stream.y, start, stop, *arrays)
        if every is not None and stop == start + step:
            since = time.perf_counter()
            counts = {"examples": stop, "state_bytes": learner.state_bytes(state)}
            sizes.append({**counts, **learner.census(state)})
            looking += time.perf_counter() - since
    seconds = time.perf_counter() - begin - looking
    alarms = order[fired[: known[-1]].nonzero()[0]]
    size = float(learner.state_bytes(state))
    growth = None if every is None else _as_arrays(sizes)
    return _as_run(stream, y_pred, shares if proba else None, alarms, seconds, size, growth)


def _as_arrays(rows: list[dict[str, float]]) -> dict[str, NDArray[np.float64]]:
    names = rows[0] if rows else ()
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in names}


def _foreign_run(
    model: Adapter,
    stream: Stream,
    order: NDArray[np.int64],
    known: NDArray[np.int64],
    block: int,
    proba: bool,
) -> Run:
    n, K = len(stream), stream.schema.n_classes
    y_pred, shares = np.empty(n, np.int64), np.empty((n if proba else 0, K))
    fired: list[int] = []
    begin = time.perf_counter()
    step = block * max(1, BLOCK // block)
    for start in _blocks(n, step, str(model)):
        stretch = start, min(start + step, n), block
        steps = Steps(*stretch, stream.X, stream.y, order, known, y_pred, shares)
        fired += model.along(steps)
    seconds = time.perf_counter() - begin
    alarms = np.array(fired, dtype=np.int64)
    return _as_run(stream, y_pred, shares if proba else None, alarms, seconds, float("nan"))


def _as_run(
    stream: Stream,
    y_pred: NDArray[np.int64],
    proba: NDArray[np.float64] | None,
    alarms: NDArray[np.int64],
    seconds: float,
    state_bytes: float,
    growth: Mapping[str, NDArray[np.float64]] | None = None,
) -> Run:
    loss = (y_pred != stream.y).astype(np.float64)
    return Run(y_pred, loss, proba, alarms, seconds, state_bytes, growth)


def _blocks(n: int, step: int, name: str) -> Iterable[int]:
    """Starts of the blocks, with a progress bar when they take more than a few seconds."""
    starts = range(0, n, step)
    if len(starts) == 1:  # setting up a bar takes longer than many a run
        return starts
    return progress(starts, desc=name[:40], unit_scale=step)
