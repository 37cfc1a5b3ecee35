"""Holdout evaluation: now and then the learner is tested on examples that it never learns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count
from repro._progress import progress
from repro.interop.adapter import Adapter
from repro.interop.adapting import adapt, check_learner
from repro.learners.learner import Learner
from repro.learners.loops import count_errors, learn_block
from repro.learners.optimal import BayesOptimal
from repro.learners.temporal import Temporal
from repro.streams.stream import Stream, check_stream

__all__ = ["Holdout", "holdout"]


class Holdout(NamedTuple):
    """The error on a test set along a stream; all have shape (m,), one entry per test."""

    positions: NDArray[np.int64]  #: how many examples had been learned
    error: NDArray[np.float64]  #: mean loss on the test set
    standard_error: NDArray[np.float64]  #: of `error`, from the size of the test set alone


def holdout(
    learner: Any,
    stream: Stream,
    test: Stream,
    *,
    every: int = 1000,
    batch: int = 1,
    seed: int = 0,
) -> Holdout:
    r"""Train `learner` along `stream`, and test it after each `every` examples.

    .. math:: H_i = \frac{1}{M} \sum_{k=1}^{M} L_k, \qquad
              \text{s.e.} = \sqrt{H_i (1 - H_i) / M}

    for the M examples of `test`, which are predicted and never learned: in a stationary stream an
    unbiased estimate of the error of the learner as it is at that moment, if `test` was drawn
    independently of `stream`. All tests are on the same examples, so their errors go up and down
    together; the standard error is that of one of them.

    Parameters
    ----------
    learner : as in `repro.prequential`, but not one that uses previous labels: a test set has none.
    stream : the examples to learn, each label known at once.
    test : the examples to be tested on, with the schema of `stream`.
    every : examples learned between two tests, 1..n; the first test is after so many.
    batch : examples that a scikit-learn model learns in one call, from one test to the next; all
        other learners learn them one by one. A test set is predicted in one call.
    seed : of the learner's own randomness, as in `repro.prequential`.

    Source: Gama, Sebastião and Rodrigues (2013), Sec. 3.2.
    Raises ValueError for another schema, for an `every` out of range, for predicted labels other
    than 0..K-1, and for `BayesOptimal` where `test` does not know its optimal labels; TypeError for
    an unsupported learner.

    >>> from repro.learners import Majority
    >>> stream, test = Stream([[0.0]] * 5, [1, 1, 0, 0, 0]), Stream([[0.0]] * 4, [0, 0, 0, 1])
    >>> holdout(Majority(), stream, test, every=2).error.tolist()
    [0.75, 0.25]
    """
    _check(learner, stream, test)
    step = check_count(every, name="every")
    if step > len(stream):
        raise ValueError(f"every must be at most the length of stream, {len(stream)}; got {every}")
    block = check_count(batch, name="batch")
    check_count(seed, name="seed", least=0)
    positions = np.arange(step, len(stream) + 1, step)
    if isinstance(learner, BayesOptimal):
        error = np.full(positions.size, np.mean(np.asarray(test.optimal) != test.y))
    elif isinstance(learner, Learner):
        error = _compiled_errors(learner, stream, test, positions, seed)
    else:
        model = adapt(learner, stream.schema, seed)
        error = _foreign_errors(model, stream, test, positions, block)
    return Holdout(positions, error, np.sqrt(error * (1 - error) / len(test)))


def _check(learner: Any, stream: Stream, test: Stream) -> None:
    check_stream(stream)
    check_stream(test, name="test")
    check_learner(learner)
    if stream.schema != test.schema:
        raise ValueError(f"test must have the schema of stream, {stream.schema}; got {test.schema}")
    if isinstance(learner, Temporal):
        raise TypeError(f"learner must not need previous labels; got {learner!r}")
    if isinstance(learner, BayesOptimal) and test.optimal is None:
        raise ValueError("test must know its optimal labels for BayesOptimal; got None")


def _compiled_errors(
    learner: Learner, stream: Stream, test: Stream, positions: NDArray[np.int64], seed: int
) -> NDArray[np.float64]:
    state, out = learner.start(stream.schema, seed), np.zeros(stream.schema.n_classes)
    error, start = np.empty(positions.size), 0
    for i, stop in enumerate(progress(positions, desc=str(learner)[:40])):
        learn_block(state, stream.X, stream.y, start, stop)
        error[i] = count_errors(state, test.X, test.y, out) / len(test)
        start = stop
    return error


def _foreign_errors(
    model: Adapter, stream: Stream, test: Stream, positions: NDArray[np.int64], block: int
) -> NDArray[np.float64]:
    error, start = np.empty(positions.size), 0
    for i, stop in enumerate(progress(positions, desc=str(model)[:40])):
        model.learn(stream.X[start:stop], stream.y[start:stop], block)
        error[i] = np.mean(model.predict(test.X) != test.y)
        start = stop
    return error
