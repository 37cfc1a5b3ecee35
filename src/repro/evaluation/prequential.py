"""Prequential evaluation: predict each example, then learn it (interleaved test-then-train)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.typing import ArrayLike

from repro._checks import check_count, check_flag
from repro.evaluation._chunks import check_chunks, run_chunks
from repro.evaluation._kinds import runner_of
from repro.evaluation._runner import schedule_of
from repro.evaluation.run import Run
from repro.streams.stream import Stream

__all__ = ["Run", "prequential"]


def prequential(
    learner: Any,
    stream: Stream | Iterable[Stream],
    seed: int = 0,
    *,
    delay: ArrayLike = 0,
    batch: int = 1,
    proba: bool | None = None,
    every: int | None = None,
) -> Run:
    """Run `learner` along `stream`: predict each example, then learn it once its label is there.

    Parameters
    ----------
    learner : a learner of this package (runs compiled), a river classifier, or a scikit-learn
        classifier with `partial_fit`. Models of other libraries are copied, never changed. A model
        that has learned already is used as it is. Before its first label any other model predicts
        class 0, as does a model that predicts None.
    stream : the examples. A stream that is too long for memory may come in chunks: a generator, a
        list or another iterable of streams, of any lengths. The run equals that of one stream of
        all their examples, and only the chunk that is running is kept; see Notes.
    seed : seeds the learner's own randomness. It sets each `seed` and `random_state` that is None,
        also in the models inside a model. A seed that was set stays, and so do numbers already
        drawn: a model that has learned keeps its trees, and a learner of this package that has
        learned in river's protocol also keeps its random numbers.
    delay : the label of example i is learned after the prediction of example i + delay; one number,
        or one for each example (see `repro.streams.label_delay`). With chunks, one number.
    batch : number of examples predicted before any of them is learned; 1 is strictly prequential.
        The labels of a block of b examples become known together at its end, which equals a delay
        of b - 1 for its first example, b - 2 for the second, ..., 0 for the last. With `delay`,
        each label waits for the end of the block in which it arrives. Labels of a last, incomplete
        block never arrive. Models of scikit-learn predict and learn each block in one call, which
        is many times as fast; all other learners go example by example.
    proba : whether to keep the vote shares (n, K). They cost a learner of this package nothing, and
        a model of another library a second prediction per example: pass False if you do not read
        them (`sweep` does). By default they are kept for a stream, and not for chunks.
    every : read the size of a learner of this package each time this many examples have been
        predicted, see `Run.growth`; by default never.

    Source: Dawid (1984); Gama, Sebastião and Rodrigues (2013), Algorithm 1.
    Raises TypeError for an object of another kind, and for regressors and other models that are not
    classifiers; ValueError for predicted labels other than 0..K-1, for chunks that differ, and for
    no chunk at all.

    Notes
    -----
    Chunks are run as they come, so a generator makes each one when the one before it is done, which
    does not count in `Run.seconds`. All must have the attributes, the nominal values and the number
    of classes of the first: give ``n_classes`` to `Stream`, as a chunk may lack a class. Names of
    labels and values in the descriptions of chunks must agree too. Rows whose labels have not
    arrived, and a block that is not complete, wait for the next chunk: `delay` and `batch` add as
    many rows to those in memory. Of each example the `Run` keeps the prediction and the loss, in 2
    bytes for at most 128 classes. `TemporallyAugmented` and `TemporalCorrection` need the whole
    stream at once: chunks raise TypeError.

    >>> from repro.learners import NoChange
    >>> run = prequential(NoChange(), Stream([[0.0]] * 4, [0, 1, 1, 0]))
    >>> run.y_pred.tolist(), run.loss.tolist()
    ([0, 0, 1, 1], [0.0, 1.0, 0.0, 1.0])
    >>> prequential(NoChange(), Stream([[0.0]] * 4, [0, 1, 1, 0]), batch=2).y_pred.tolist()
    [0, 0, 1, 1]

    A stream of 10 000 examples, of which 100 are in memory at a time:

    >>> chunks = (Stream([[0.0]] * 100, [0] * 99 + [i % 2], n_classes=2) for i in range(100))
    >>> prequential(NoChange(), chunks).loss.sum()
    np.int64(99)
    """
    if not isinstance(stream, Stream):
        check_chunks(stream)
    runner = runner_of(learner)
    seed = check_count(seed, name="seed", least=0)
    if every is not None:
        every = check_count(every, name="every")
    batch = check_count(batch, name="batch")
    kept = isinstance(stream, Stream) if proba is None else check_flag(proba, name="proba")
    if isinstance(stream, Stream):
        schedule = schedule_of(len(stream), delay, batch)
        return runner.run(stream, schedule, seed=seed, proba=kept, every=every)
    return run_chunks(runner, stream, delay, batch, seed=seed, proba=kept, every=every)
