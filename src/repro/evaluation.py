"""Prequential evaluation: predict each example, then learn it (interleaved test-then-train)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count
from repro._compiled import kernel
from repro._progress import progress
from repro.interop import Adapter, adapt
from repro.learners.learner import Learner, as_shares
from repro.learners.optimal import BayesOptimal
from repro.learners.verbs import alarmed, learn, votes
from repro.streams.stream import Stream

__all__ = ["Run", "prequential"]

BLOCK = 10_000  # examples between two looks at the clock


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What came of one learner on one stream, example by example, and what it cost.

    Attributes
    ----------
    y_pred : (n,) predicted labels.
    loss : (n,) 0/1 loss of each prediction.
    proba : (n, K) votes as shares (equal shares without any); None when they were not asked for.
    alarms : (a,) indices of the examples at whose learning a drift alarm was raised.
    seconds : wall-clock time of the run, compilation excluded.
    state_bytes : memory of the learner at the end; nan for models of other libraries.
    """

    y_pred: NDArray[np.int64]
    loss: NDArray[np.float64]
    proba: NDArray[np.float64] | None
    alarms: NDArray[np.int64]
    seconds: float
    state_bytes: float

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
    learner: Any, stream: Stream, seed: int = 0, *, delay: int = 0, proba: bool = True
) -> Run:
    """Run `learner` along `stream`: predict each example, then learn it once its label is there.

    Parameters
    ----------
    learner : a learner of ours (runs compiled), a river classifier, or a scikit-learn classifier
        with `partial_fit`. Models of other libraries are copied, never changed. Before its first
        label every learner predicts class 0.
    stream : the examples.
    seed : of the learner's own randomness.
    delay : the label of example i is learned after the prediction of example i + delay.
    proba : whether to keep the (n, K) vote shares.

    Source: Dawid (1984); Gama, Sebastião and Rodrigues (2013), Algorithm 1.
    Raises TypeError for an object that is none of the three kinds of learner.

    >>> from repro.learners import NoChange
    >>> run = prequential(NoChange(), Stream([[0.0]] * 4, [0, 1, 1, 0]))
    >>> run.y_pred.tolist(), run.loss.tolist()
    ([0, 0, 1, 1], [0.0, 1.0, 0.0, 1.0])
    """
    if not isinstance(stream, Stream):
        raise TypeError(f"stream must be a Stream (of arrays: Stream(X, y)); got {stream!r}")
    delay = check_count(delay, name="delay", least=0)
    if isinstance(learner, BayesOptimal):
        return _optimal_run(stream)
    if isinstance(learner, Learner):
        return _compiled_run(learner, stream, seed, delay, proba)
    return _foreign_run(adapt(learner, stream.schema, seed), stream, delay, proba)


def _optimal_run(stream: Stream) -> Run:
    if stream.optimal is None:
        raise ValueError("stream must know its optimal labels for BayesOptimal; got None")
    return _as_run(stream, stream.optimal, None, np.zeros(0, np.int64), 0.0, 0.0)


def _compiled_run(learner: Learner, stream: Stream, seed: int, delay: int, proba: bool) -> Run:
    n, K = len(stream), stream.schema.n_classes
    y_pred, fired = np.empty(n, np.int64), np.zeros(n, np.bool_)
    shares = np.empty((n if proba else 0, K))
    # A run over no examples compiles, so that the clock does not see it.
    state, room = learner.start(stream.schema, seed), np.zeros(K)
    arrays = delay, y_pred, room, shares, fired
    _test_then_train(state, stream.X, stream.y, 0, 0, *arrays)
    begin = time.perf_counter()
    for start in _blocks(n, str(learner)):
        stop = min(start + BLOCK, n)
        _test_then_train(state, stream.X, stream.y, start, stop, *arrays)
    seconds = time.perf_counter() - begin
    alarms = np.flatnonzero(fired)
    size = float(learner.state_bytes(state))
    return _as_run(stream, y_pred, shares if proba else None, alarms, seconds, size)


def _foreign_run(model: Adapter, stream: Stream, delay: int, proba: bool) -> Run:
    n, K = len(stream), stream.schema.n_classes
    y_pred, shares = np.empty(n, np.int64), np.empty((n if proba else 0, K))
    fired: list[int] = []
    begin = time.perf_counter()
    for start in _blocks(n, str(model)):
        for i in range(start, min(start + BLOCK, n)):
            y_pred[i] = model.predict_one(stream.X[i])
            if proba:
                shares[i] = model.predict_proba_one(stream.X[i])
            if i >= delay:
                model.learn_one(stream.X[i - delay], int(stream.y[i - delay]))
                if model.drift_detected:
                    fired.append(i - delay)
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
) -> Run:
    loss = (y_pred != stream.y).astype(np.float64)
    return Run(y_pred, loss, proba, alarms, seconds, state_bytes)


def _blocks(n: int, name: str) -> Any:
    """Starts of the blocks, with a progress bar when they take more than a few seconds."""
    return progress(range(0, n, BLOCK), desc=name[:40], unit_scale=BLOCK)


@kernel
def _test_then_train(  # type: ignore[no-untyped-def]
    state, X, y, start, stop, delay, y_pred, out, shares, fired
):
    for i in range(start, stop):
        votes(state, X[i], out)
        best = 0
        for k in range(1, out.size):
            if out[k] > out[best]:
                best = k
        y_pred[i] = best
        if shares.shape[0] > 0:
            for k in range(out.size):
                shares[i, k] = out[k]
            as_shares(shares[i])
        if i >= delay:
            learn(state, X[i - delay], y[i - delay], 1.0)
            fired[i - delay] = alarmed(state)
