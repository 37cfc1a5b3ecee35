"""Losses of models that were each learned on one block of a stream, tested on every block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro.learners.loops import learn_block, predict_block
from repro.learners.naive_bayes import NaiveBayes
from repro.statistics.dependence import Blocks
from repro.statistics.estimates import PointEstimate, mean_estimate
from repro.streams.stream import Schema, Stream

__all__ = ["BLOCK_LEARNERS", "Ranks", "best_losses", "block_rows", "cross_losses", "extra_error"]

ROWS = 1000  # examples of a block on which models are tested, and of which attributes are compared
FEATURES = 50  # random features of the kernel
RIDGE = 0.1  # weight of the squared coefficients

Floats = NDArray[np.float64]


class Rows(NamedTuple):
    """What models of blocks learn from and are tested on."""

    stream: Stream
    kept: list[int]  # columns that the models use
    schema: Schema  # of these
    tested: NDArray[np.int64]  # the same number of examples of each block, one block after another

    def X(self, part: slice | NDArray[np.int64]) -> Floats:
        """The attributes of some examples: a copy of the whole stream could be too large."""
        return np.ascontiguousarray(self.stream.X[part][:, self.kept])

    def y(self, part: slice | NDArray[np.int64]) -> NDArray[np.int64]:
        """The labels of some examples."""
        return self.stream.y[part]


def block_rows(blocks: Blocks) -> list[NDArray[np.int64]]:
    """Evenly spaced examples of each block, equally many of each."""
    least = min(ROWS, int((blocks.stops - blocks.starts).min()))
    pairs = zip(blocks.starts, blocks.stops, strict=True)
    return [_spaced(a, b, least) for a, b in pairs]


def _spaced(start: int, stop: int, count: int) -> NDArray[np.int64]:
    return np.linspace(start, stop - 1, count).astype(np.int64)


def best_losses(stream: Stream, kept: Sequence[int], blocks: Blocks) -> tuple[str, Floats]:
    """The learner of `BLOCK_LEARNERS` that errs least within blocks, and its `cross_losses`.

    Each learns the first half of every block and predicts the second. As that is the same in
    whichever order the blocks come, the choice does not favour an order.
    """
    middles = (blocks.starts + blocks.stops) // 2
    first, second = blocks._replace(stops=middles), blocks._replace(starts=middles)
    rows = _rows(stream, kept, second)
    errors = {
        name: float(np.diagonal(_losses(make(rows), rows, first)).mean())
        for name, make in BLOCK_LEARNERS.items()
    }
    best = min(errors, key=lambda name: errors[name])  # the first of equals
    return best, cross_losses(stream, kept, blocks, learner=best)


def cross_losses(
    stream: Stream, kept: Sequence[int], blocks: Blocks, *, learner: str = "naive Bayes"
) -> Floats:
    """Error on block c of a model that learned block b alone, shape (blocks b, blocks c).

    Parameters
    ----------
    stream, blocks : the examples, and how they are cut.
    kept : columns of the attributes that the models use.
    learner : a name in `BLOCK_LEARNERS`.
    """
    rows = _rows(stream, kept, blocks)
    return _losses(BLOCK_LEARNERS[learner](rows), rows, blocks)


def extra_error(losses: Floats, first: int, split: int, last: int) -> PointEstimate:
    """How much more models from across `split` err than models from the same side.

    Models and examples are those of the blocks ``first..last - 1``. Each block is tested with the
    models of both sides, of which its own is left out.
    """
    sides = range(first, split), range(split, last)
    differences = [
        np.mean([losses[b, c] for b in other]) - np.mean([losses[b, c] for b in side if b != c])
        for side, other in (sides, sides[::-1])
        for c in side
    ]
    return mean_estimate(differences)


def _rows(stream: Stream, kept: Sequence[int], blocks: Blocks) -> Rows:
    nominal = tuple(stream.schema.nominal[j] for j in kept)
    schema = Schema(nominal, stream.schema.n_classes)
    return Rows(stream, list(kept), schema, np.concatenate(block_rows(blocks)))


def _losses(predictions: Callable[[slice], Any], rows: Rows, blocks: Blocks) -> Floats:
    truth = rows.y(rows.tested)
    pairs = zip(blocks.starts.tolist(), blocks.stops.tolist(), strict=True)
    wrong = [predictions(slice(*pair)) != truth for pair in pairs]
    return np.asarray(np.reshape(wrong, (blocks.n, blocks.n, -1)).mean(axis=2))


def _naive_bayes(rows: Rows) -> Callable[[slice], Any]:
    X, scratch = rows.X(rows.tested), np.zeros(rows.schema.n_classes)

    def predictions(part: slice) -> NDArray[np.int64]:
        state = NaiveBayes().start(rows.schema)
        learn_block(state, rows.X(part), rows.y(part))
        y_pred = np.empty(len(X), np.int64)
        predict_block(state, X, y_pred, scratch)
        return y_pred

    return predictions


def _kernel_ridge(rows: Rows) -> Callable[[slice], Any]:
    r"""Least squares of the indicators of classes on random features of a Gaussian kernel.

    The features :math:`\cos(w^T x + b)` are those of Rahimi and Recht (2007), Advances in Neural
    Information Processing Systems 20, the same in every call. Numeric attributes are ranks with the
    variance 1, and different values of a nominal one are as far apart as two examples of a numeric
    one are on average.
    """
    X, classes = rows.X(rows.tested), np.eye(rows.schema.n_classes)
    features = _random_features(X, rows.schema.nominal)
    tested = features(X)

    def predictions(part: slice) -> NDArray[np.int64]:
        learned = _spaced(part.start, part.stop, min(ROWS, part.stop - part.start))
        Z, shares = features(rows.X(learned)), classes[rows.y(learned)]
        mean = shares.mean(axis=0)
        weights = np.linalg.solve(Z.T @ Z + RIDGE * np.eye(FEATURES), Z.T @ (shares - mean))
        return np.asarray((tested @ weights + mean).argmax(axis=1))

    return predictions


def _random_features(X: Floats, nominal: Sequence[int]) -> Callable[[Floats], Floats]:
    """Random features (n, 50) of examples; numeric attributes become their ranks among `X`."""
    rng = seeds.generator(0, "statistics", "random features")
    offset = rng.uniform(0, 2 * np.pi, FEATURES)
    weights = [rng.normal(0, len(nominal) ** -0.5, (max(K, 1), FEATURES)) for K in nominal]
    columns = [Ranks(column) for column in X.T]

    def features(X: Floats) -> Floats:
        angles = np.tile(offset, (len(X), 1))
        for j, values in enumerate(nominal):
            if values:
                angles += weights[j][X[:, j].astype(np.int64)]
            else:
                angles += np.outer(12**0.5 * columns[j].of(X[:, j]), weights[j])
        return np.asarray(np.cos(angles))

    return features


class Ranks:
    """Ranks among the numbers of a column, from -0.5 to 0.5; of equal ones their mean."""

    def __init__(self, column: Floats) -> None:
        self.values, counts = np.unique(column, return_counts=True)
        self.below = np.r_[0, counts.cumsum()]

    def of(self, numbers: Floats) -> Floats:
        """The rank of each of the `numbers`."""
        at = self.values.searchsorted(numbers)  # once: to search takes most of the time of a test
        is_there = self.values[np.minimum(at, self.values.size - 1)] == numbers
        return np.asarray((self.below[at] + self.below[at + is_there]) / (2 * self.below[-1]) - 0.5)


#: name -> function of the rows, to a function from a part of them to its model's predictions
BLOCK_LEARNERS: dict[str, Callable[[Rows], Callable[[slice], Any]]] = {
    "naive Bayes": _naive_bayes,
    "kernel least squares": _kernel_ridge,
}
