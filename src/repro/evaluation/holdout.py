"""Holdout evaluation: at intervals, test the learner on examples that it never learns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count
from repro._progress import progress
from repro.evaluation._kinds import runner_of
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

    for the M examples of `test`, which are predicted and never learned. If the stream is stationary
    and `test` was drawn independently of it, this is an unbiased estimate of the learner's error at
    that moment. All tests use the same examples, so their errors are correlated; the standard error
    is that of a single test.

    Parameters
    ----------
    learner : as in `repro.prequential`, except learners that use previous labels, which a test set
        does not have.
    stream : the examples to learn, each label known at once.
    test : the examples to predict, with the schema of `stream`.
    every : number of examples learned before the first test and between two tests, 1..n.
    batch : number of examples that a scikit-learn model learns in one call, at most up to the next
        test; all other learners learn them one by one. A test set is predicted in one call.
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
    check_stream(stream)
    check_stream(test, name="test")
    runner = runner_of(learner)
    if stream.schema != test.schema:
        raise ValueError(f"test must have the schema of stream, {stream.schema}; got {test.schema}")
    step = check_count(every, name="every")
    if step > len(stream):
        raise ValueError(f"every must be at most the length of stream, {len(stream)}; got {every}")
    batch = check_count(batch, name="batch")
    seed = check_count(seed, name="seed", least=0)
    positions = np.arange(step, len(stream) + 1, step)
    trainee, error, start = runner.start(stream.schema, seed=seed, batch=batch), [], 0
    for stop in progress(positions, desc=str(learner)[:40]):
        trainee.learn(stream, slice(start, stop))
        error.append(np.mean(trainee.predict(test) != test.y))
        start = stop
    errors = np.array(error)
    return Holdout(positions, errors, np.sqrt(errors * (1 - errors) / len(test)))
