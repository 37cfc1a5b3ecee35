"""Learners that use the previous labels: transforms of arrays around any learner.

`TemporallyAugmented` changes what goes in (more attributes), `TemporalCorrection` what comes out
(other posteriors). The learner between them is any: one of ours, of river or of scikit-learn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, as_matrix, check_count, check_fraction
from repro.kernels.compiling import NEGLIGIBLE, kernel
from repro.learners.learner import Learner, as_shares, check_example
from repro.streams.label_delay import schedule
from repro.streams.stream import Schema, Stream, check_schema

__all__ = [
    "Temporal",
    "TemporalCorrection",
    "TemporalOnline",
    "TemporallyAugmented",
    "previous_labels",
    "temporal_correction",
]

ROUNDING = 1e-9  # by which the sum of shares may differ from 1
LONGEST = 10_000  # previous labels of an example: as many attributes, each a column in memory
PAPER = "Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Machine Learning 98, 455-482"


def previous_labels(y: ArrayLike, order: int = 1, delay: ArrayLike = 0) -> NDArray[np.float64]:
    """The `order` newest labels known when each example is predicted, newest first.

    Row *t* of the result (n, order) holds the labels of the latest examples among those whose label
    has arrived (`delay` as in `repro.prequential`): without delay t - 1, t - 2, ...; 0 where there
    is none yet. Paper 3, Eq. 4.

    >>> previous_labels([1, 0, 2, 1], order=2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]
    """
    labels = as_labels(y)
    newest = _newest_known(labels.size, check_count(order, name="order", most=LONGEST), delay)
    return np.where(newest >= 0, labels[newest], 0).astype(np.float64)


def temporal_correction(
    proba: ArrayLike, y: ArrayLike, alpha: float = 0.999, delay: ArrayLike = 0
) -> NDArray[np.float64]:
    r"""Posteriors corrected by how labels follow each other; shape (n, K).

    .. math:: P(y_t = i | X_t, y_{t-1} = j) \propto
              P(y_t = i | X_t)\, \frac{P(y_t = i | y_{t-1} = j)}{P(y_t = i)}

    for the posteriors `proba` (n, K), finite and >= 0, and the labels `y` (n,). A row that does not
    sum to 1 is divided by its sum; one of zeros becomes equal shares. Both probabilities are shares
    of counts, which begin at 1, and of which `alpha` times the old is left at each new label. Where
    labels come late (`delay` as in `repro.prequential`) the newest known one stands for
    :math:`y_{t-1}`, in the counts as well. Paper 3, Sec. 3.1 (whose own factor is 1 - `alpha`).

    >>> temporal_correction([[0.5, 0.5]] * 6, [0, 0, 1, 1, 0, 0]).round(2)[:, 0].tolist()
    [0.5, 0.33, 0.4, 0.4, 0.33, 0.43]
    """
    shares, labels = as_matrix(proba, name="proba", copy=True), as_labels(y)
    if len(shares) != len(labels):
        raise ValueError(
            f"proba must have one row per label, {len(labels)}; got shape {shares.shape}"
        )
    if (shares < 0).any():
        row, column = (int(i) for i in np.argwhere(shares < 0)[0])
        value = shares[row, column]
        raise ValueError(f"proba must be >= 0; got {value} in row {row}, column {column}")
    labels = as_labels(labels, n_classes=shares.shape[1])
    check_fraction(alpha, name="alpha")
    _normalise_all(shares)
    newest = _newest_known(labels.size, 1, delay)[:, 0]
    previous = np.where(newest >= 0, labels[newest], -1)
    order, known = schedule(labels.size, delay)
    pairs, counts = _new_counts(shares.shape[1])
    _correct_all(shares, labels, previous, order, known, float(alpha), pairs, counts)
    return shares


def _newest_known(n: int, order: int, delay: ArrayLike) -> NDArray[np.int64]:
    """Latest examples whose labels are known when each is predicted, -1 for none; (n, order)."""
    sequence, known = schedule(n, delay)
    newest = np.full((n, order), -1)
    _fill_newest(sequence, known, newest)
    return newest


class Temporal(ABC):
    """A transform of arrays around `base`, any learner; evaluation and sweeps take it as one."""

    base: Any

    paper: ClassVar[str] = PAPER
    needs_proba: ClassVar[bool]  #: whether `after` looks at the posteriors

    @abstractmethod
    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """What the learner inside gets of `stream`, whose labels come after `delay`."""

    @abstractmethod
    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The posteriors (n, K), given those of the learner inside."""

    @abstractmethod
    def own_bytes(self, schema: Schema) -> int:
        """Memory of what is known of the previous labels, in bytes."""

    @property
    def randomised(self) -> bool:
        """Whether the learner inside draws random numbers of its own."""
        return bool(getattr(self.base, "randomised", True))

    def online(self, schema: Schema, seed: int = 0) -> TemporalOnline:
        """The learner one example at a time, each label known before the next example."""
        return TemporalOnline(self, schema, seed)


@dataclass(frozen=True)
class TemporallyAugmented(Temporal):
    """A learner that gets the last `order` labels as nominal attributes, behind the others.

    >>> from repro.learners import NaiveBayes
    >>> TemporallyAugmented(NaiveBayes(), order=2)
    TemporallyAugmented(base=NaiveBayes(exact=False), order=2)
    """

    base: Any
    order: int = 1

    needs_proba: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_base(self.base)
        object.__setattr__(self, "order", check_count(self.order, name="order", most=LONGEST))

    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """`stream` with `order` attributes more, see `previous_labels`."""
        X = np.hstack([stream.X, previous_labels(stream.y, self.order, delay)])
        nominal = np.r_[np.asarray(stream.nominal), np.full(self.order, stream.n_classes)]
        return replace(stream, X=X, nominal=nominal)

    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The posteriors as they are."""
        return proba

    def own_bytes(self, schema: Schema) -> int:
        """Memory of the last labels, in bytes."""
        return 8 * self.order


@dataclass(frozen=True)
class TemporalCorrection(Temporal):
    """A learner whose posteriors are corrected by how labels follow each other.

    See `temporal_correction`. `alpha` weights the past, 1 forgets nothing.

    >>> from repro.learners import NaiveBayes
    >>> TemporalCorrection(NaiveBayes())
    TemporalCorrection(base=NaiveBayes(exact=False), alpha=0.999)
    """

    base: Any
    alpha: float = 0.999

    needs_proba: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_base(self.base)
        object.__setattr__(self, "alpha", check_fraction(self.alpha, name="alpha"))

    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """`stream` as it is."""
        return stream

    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The posteriors, corrected."""
        return temporal_correction(proba, stream.y, self.alpha, delay)

    def own_bytes(self, schema: Schema) -> int:
        """Memory of the counts of labels and of pairs, in bytes."""
        return 8 * schema.n_classes * (schema.n_classes + 1)


class TemporalOnline:
    """Online twin of the two: `predict_one`, `predict_proba_one`, `learn_one`.

    It keeps the labels learned so far that matter, and asks the learner inside, online as well.
    """

    def __init__(self, learner: Temporal, schema: Schema, seed: int = 0) -> None:
        if not hasattr(learner.base, "online"):
            raise TypeError(
                "base must be one of repro.learners to run online (prequential takes any); "
                f"got {type(learner.base).__name__}"
            )
        self.learner, self.schema = learner, check_schema(schema)
        order = learner.order if isinstance(learner, TemporallyAugmented) else 0
        inside = Schema(self.schema.nominal + (schema.n_classes,) * order, schema.n_classes)
        self.inner = learner.base.online(inside, seed)
        self._last = deque([0] * order, maxlen=order)  # newest first
        self._previous = -1
        self._pairs, self._counts = _new_counts(schema.n_classes)

    def __repr__(self) -> str:
        return f"{self.learner!r}.online({self.schema!r})"

    def predict_one(self, x: ArrayLike) -> int:
        """The class with the largest posterior for `x` (d,); the lowest of equals."""
        return int(self.predict_proba_one(x).argmax())

    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        """Posteriors for `x` (d,), shape (K,)."""
        shares: NDArray[np.float64] = self.inner.predict_proba_one(self._inside(x))
        if isinstance(self.learner, TemporalCorrection):
            _correct(shares, self._previous, self._pairs, self._counts)
        return shares

    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        """Learn the example `x` (d,) of class `y`; a weight of 0 changes nothing."""
        self.inner.learn_one(self._inside(x), y, weight)
        if weight == 0:
            return
        self._last.appendleft(int(y))
        if isinstance(self.learner, TemporalCorrection):
            _count(self._previous, int(y), self.learner.alpha, self._pairs, self._counts)
        self._previous = int(y)

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised a drift alarm."""
        return bool(self.inner.drift_detected)

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes."""
        return int(self.inner.state_bytes + self.learner.own_bytes(self.schema))

    @property
    def census(self) -> dict[str, int]:
        """What can be counted in the learner inside."""
        return dict(self.inner.census)

    def _inside(self, x: ArrayLike) -> NDArray[np.float64]:
        last = np.array(self._last, dtype=np.float64)
        return np.r_[check_example(x, self.schema), last]


def _check_base(base: Any) -> None:
    if isinstance(base, type) or not (
        isinstance(base, Learner | Temporal)
        or hasattr(base, "learn_one")
        or hasattr(base, "partial_fit")
    ):
        name = base.__name__ if isinstance(base, type) else type(base).__name__
        raise TypeError(f"base must be a learner, of ours, river or scikit-learn; got {name}")


def _new_counts(n_classes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts of pairs of labels (K, K), the earlier one first, and of labels (K,)."""
    return np.ones((n_classes, n_classes)), np.ones(n_classes)


@kernel
def _fill_newest(sequence, known, newest):  # type: ignore[no-untyped-def]
    order = newest.shape[1]
    for t in range(1, newest.shape[0]):
        row = newest[t]
        for j in range(order):
            row[j] = newest[t - 1, j]
        for arrived in sequence[known[t - 2] if t > 1 else 0 : known[t - 1]]:
            place = order
            while place > 0 and row[place - 1] < arrived:
                if place < order:
                    row[place] = row[place - 1]
                place -= 1
            if place < order:
                row[place] = arrived


@kernel
def _normalise_all(shares):  # type: ignore[no-untyped-def]
    for t in range(shares.shape[0]):
        row, largest = shares[t], 0.0
        if abs(row.sum() - 1.0) > ROUNDING:
            for k in range(row.size):
                largest = max(largest, row[k])
            for k in range(row.size):  # first: the sum of large numbers may be infinite
                row[k] = row[k] / largest if largest > 0.0 else 0.0
            as_shares(row)


@kernel
def _correct_all(  # type: ignore[no-untyped-def]
    shares, labels, previous, order, known, alpha, pairs, counts
):
    learned = 0
    for t in range(labels.size):
        _correct(shares[t], previous[t], pairs, counts)
        while learned < known[t]:
            _count(previous[order[learned]], labels[order[learned]], alpha, pairs, counts)
            learned += 1


@kernel
def _correct(shares, previous, pairs, counts):  # type: ignore[no-untyped-def]
    # 0: the label was last followed by another so long ago that nothing is left of it.
    if previous >= 0 and pairs[previous].sum() > 0:
        share, total = 1.0 / pairs[previous].sum(), counts.sum()
        for k in range(shares.size):
            if counts[k] > 0:
                shares[k] *= pairs[previous, k] * share * total / counts[k]
        as_shares(shares)


@kernel
def _count(previous, label, alpha, pairs, counts):  # type: ignore[no-untyped-def]
    for k in range(counts.size):
        left = counts[k] * alpha
        counts[k] = left if left > NEGLIGIBLE else 0.0
        for j in range(counts.size):
            left = pairs[k, j] * alpha
            pairs[k, j] = left if left > NEGLIGIBLE else 0.0
    counts[label] += 1.0
    if previous >= 0:
        pairs[previous, label] += 1.0
