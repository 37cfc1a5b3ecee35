"""Previous labels as attributes, for any learner."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, check_count, settle
from repro.learners.growth import growth_of
from repro.learners.learner import check_example
from repro.learners.temporal import Temporal, TemporalOnline, check_temporal_base, newest_known
from repro.streams.stream import Schema, Stream, check_schema

__all__ = ["TemporallyAugmented", "previous_labels"]

LONGEST = 10_000  # largest lags: each previous label is an attribute, a column in memory


def previous_labels(y: ArrayLike, lags: int = 1, delay: ArrayLike = 0) -> NDArray[np.float64]:
    """The `lags` newest labels known when each example is predicted, newest first.

    Row *t* of the result (n, lags) holds the labels of the latest examples among those whose
    labels have arrived; without delay these are t - 1, t - 2, ... Missing labels are 0.

    Parameters
    ----------
    y : labels, shape (n,).
    lags : number of previous labels, 1..10000.
    delay : of the labels, as in `repro.prequential`.

    Source: Žliobaitė et al. (2015), Eq. 4.

    >>> previous_labels([1, 0, 2, 1], lags=2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]
    """
    labels = as_labels(y)
    newest = newest_known(labels.size, check_count(lags, name="lags", most=LONGEST), delay)
    return np.where(newest >= 0, labels[newest], 0).astype(np.float64)


@dataclass(frozen=True)
class TemporallyAugmented(Temporal):
    """A learner that gets the last `lags` labels as nominal attributes, after the others.

    See `previous_labels`.

    >>> from repro.learners import NaiveBayes
    >>> TemporallyAugmented(NaiveBayes(), lags=2)
    TemporallyAugmented(base=NaiveBayes(exact=False), lags=2)
    """

    base: Any
    lags: int = 1

    needs_proba: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_temporal_base(self.base)
        settle(self, lags=check_count(self.lags, name="lags", most=LONGEST))

    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """`stream` with `lags` more attributes, see `previous_labels`."""
        X = np.hstack([stream.X, previous_labels(stream.y, self.lags, delay)])
        nominal = np.r_[np.asarray(stream.nominal), np.full(self.lags, stream.n_classes)]
        return stream._with(X=X, nominal=nominal)

    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The posteriors, unchanged."""
        return proba

    def own_bytes(self, schema: Schema) -> int:
        """Memory of the last labels, in bytes."""
        return 8 * self.lags

    def online(self, schema: Schema, seed: int = 0) -> TemporalOnline:
        """The learner one example at a time, each label known before the next example."""
        return AugmentedOnline(self, schema, seed)


class AugmentedOnline(TemporalOnline):
    """Online twin of `TemporallyAugmented`: it keeps the last labels."""

    def __init__(self, learner: TemporallyAugmented, schema: Schema, seed: int = 0) -> None:
        schema, lags = check_schema(schema), learner.lags
        super().__init__(learner, schema, _with_labels(schema, lags), seed)
        self._last = deque([0] * lags, maxlen=lags)  # newest first

    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = self.inner.predict_proba_one(self._augmented(x))
        return shares

    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        self.inner.learn_one(self._augmented(x), y, weight)
        if weight != 0:
            self._last.appendleft(int(y))

    def grow(self, schema: Schema, columns: ArrayLike | None = None) -> None:
        growth, lags = growth_of(self.schema, schema, columns), len(self._last)
        labels = np.arange(growth.new.n_features, growth.new.n_features + lags)
        self.inner.grow(_with_labels(growth.new, lags), np.append(growth.columns, labels))
        self.schema = growth.new

    def _augmented(self, x: ArrayLike) -> NDArray[np.float64]:
        last = np.array(self._last, dtype=np.float64)
        return np.r_[check_example(x, self.schema), last]


def _with_labels(schema: Schema, lags: int) -> Schema:
    """`schema` with `lags` labels as attributes after its own."""
    return Schema(schema.nominal + (schema.n_classes,) * lags, schema.n_classes)
