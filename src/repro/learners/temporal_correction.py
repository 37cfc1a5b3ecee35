"""Posteriors corrected by how labels follow each other, for any learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, as_matrix, check_fraction, settle
from repro.kernels.compiling import kernel
from repro.kernels.fading import fade, fade_all
from repro.learners.growth import growth_of
from repro.learners.learner import check_example
from repro.learners.temporal import Temporal, TemporalOnline, check_temporal_base, newest_known
from repro.learners.verbs import as_shares, total_weight
from repro.streams.label_delay import schedule
from repro.streams.stream import Schema, Stream, check_schema

__all__ = ["TemporalCorrection", "temporal_correction"]

ROUNDING = 1e-9  # the sum of a row of shares may differ from 1 by this much


def temporal_correction(
    proba: ArrayLike, y: ArrayLike, alpha: float = 0.999, delay: ArrayLike = 0
) -> NDArray[np.float64]:
    r"""Posteriors corrected by how labels follow each other; shape (n, K).

    .. math:: P(y_t = i | X_t, y_{t-1} = j) \propto
              P(y_t = i | X_t)\, \frac{P(y_t = i | y_{t-1} = j)}{P(y_t = i)}

    Both probabilities of labels are shares of counts that start at 1 and are multiplied by `alpha`
    at each new label.

    Parameters
    ----------
    proba : posteriors (n, K), finite and >= 0. A row whose sum is not 1 is divided by its sum; a
        row of zeros becomes equal shares.
    y : labels, shape (n,).
    alpha : weight of the past, in (0, 1]; the paper's factor is 1 - `alpha`.
    delay : of the labels, as in `repro.prequential`. The newest known label then replaces
        :math:`y_{t-1}`, also in the counts.

    Source: Žliobaitė et al. (2015), Sec. 3.1. Raises ValueError for posteriors or labels that do
    not fit.

    >>> temporal_correction([[0.5, 0.5]] * 6, [0, 0, 1, 1, 0, 0]).round(2)[:, 0].tolist()
    [0.5, 0.33, 0.4, 0.4, 0.33, 0.43]
    """
    shares, labels = as_matrix(proba, name="proba", copy=True), as_labels(y)
    if len(shares) != len(labels):
        raise ValueError(
            f"proba must have one row per label, {len(labels)}; got shape {shares.shape}"
        )
    _check_nonnegative(shares)
    labels = as_labels(labels, n_classes=shares.shape[1])
    alpha = check_fraction(alpha, name="alpha")
    _normalise_all(shares)
    newest = newest_known(labels.size, 1, delay)[:, 0]
    previous = np.where(newest >= 0, labels[newest], -1)
    order, arrivals = schedule(labels.size, delay)
    pairs, totals = _new_counts(shares.shape[1])
    _correct_all(shares, labels, previous, order, arrivals, float(alpha), pairs, totals)
    return shares


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
        check_temporal_base(self.base)
        settle(self, alpha=check_fraction(self.alpha, name="alpha"))

    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """`stream`, unchanged."""
        return stream

    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The corrected posteriors."""
        return temporal_correction(proba, stream.y, self.alpha, delay)

    def own_bytes(self, schema: Schema) -> int:
        """Memory of the counts of labels and of pairs, in bytes."""
        return 8 * schema.n_classes * (schema.n_classes + 1)

    def online(self, schema: Schema, seed: int = 0) -> TemporalOnline:
        """The learner one example at a time, each label known before the next example."""
        return CorrectedOnline(self, schema, seed)


class CorrectedOnline(TemporalOnline):
    """Online twin of `TemporalCorrection`: it keeps the counts and the previous label."""

    def __init__(self, learner: TemporalCorrection, schema: Schema, seed: int = 0) -> None:
        super().__init__(learner, schema, check_schema(schema), seed)
        self._alpha, self._previous = learner.alpha, -1
        self._pairs, self._totals = _new_counts(schema.n_classes)
        self._unseen = 1.0  # each count of a label that the schema does not have yet

    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = self.inner.predict_proba_one(check_example(x, self.schema))
        _correct(shares, self._previous, self._pairs, self._totals)
        return shares

    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        self.inner.learn_one(check_example(x, self.schema), y, weight)
        if weight != 0:
            _count(self._previous, int(y), self._alpha, self._pairs, self._totals)
            self._unseen = fade(self._unseen, self._alpha)
            self._previous = int(y)

    def grow(self, schema: Schema, columns: ArrayLike | None = None) -> None:
        growth, k = growth_of(self.schema, schema, columns), self.schema.n_classes
        self.inner.grow(growth.new, columns)
        pairs, totals = _new_counts(growth.new.n_classes)
        pairs *= self._unseen
        totals *= self._unseen
        pairs[:k, :k], totals[:k] = self._pairs, self._totals
        self._pairs, self._totals, self.schema = pairs, totals, growth.new


def _check_nonnegative(shares: NDArray[np.float64]) -> None:
    if (shares < 0).any():
        row, column = (int(i) for i in np.argwhere(shares < 0)[0])
        value = shares[row, column]
        raise ValueError(f"proba must be >= 0; got {value} in row {row}, column {column}")


def _new_counts(n_classes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts of pairs of labels (K, K), the earlier label first, and of labels (K,)."""
    return np.ones((n_classes, n_classes)), np.ones(n_classes)


@kernel
def _normalise_all(shares):  # type: ignore[no-untyped-def]
    for t in range(shares.shape[0]):
        row, largest = shares[t], 0.0
        if abs(total_weight(row) - 1.0) > ROUNDING:
            for k in range(row.size):
                largest = max(largest, row[k])
            for k in range(row.size):  # divide first: the sum of large numbers may be infinite
                row[k] = row[k] / largest if largest > 0.0 else 0.0
            as_shares(row)


@kernel
def _correct_all(  # type: ignore[no-untyped-def]
    shares, labels, previous, order, arrivals, alpha, pairs, totals
):
    learned = 0
    for t in range(labels.size):
        _correct(shares[t], previous[t], pairs, totals)
        while learned < arrivals[t]:
            _count(previous[order[learned]], labels[order[learned]], alpha, pairs, totals)
            learned += 1


@kernel
def _correct(shares, previous, pairs, totals):  # type: ignore[no-untyped-def]
    # A sum of 0: the label was last followed by another so long ago that the count has faded.
    if previous >= 0 and total_weight(pairs[previous]) > 0:
        share, total = 1.0 / total_weight(pairs[previous]), total_weight(totals)
        for k in range(shares.size):
            if totals[k] > 0:
                shares[k] *= pairs[previous, k] * share * total / totals[k]
        as_shares(shares)


@kernel
def _count(previous, label, alpha, pairs, totals):  # type: ignore[no-untyped-def]
    fade_all(totals, alpha)
    for k in range(totals.size):
        fade_all(pairs[k], alpha)
    totals[label] += 1.0
    if previous >= 0:
        pairs[previous, label] += 1.0
