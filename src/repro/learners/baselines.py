"""References for every classifier: majority class, no change, and the optimum of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, votes
from repro.streams.stream import Schema

__all__ = ["BayesOptimal", "Majority", "NoChange"]


class Counts(NamedTuple):
    """Weight of each class so far, (K,)."""

    counts: NDArray[np.float64]


class Last(NamedTuple):
    """The last label, (1,); -1 before the first."""

    label: NDArray[np.int64]


@dataclass(frozen=True)
class Majority(Learner):
    """Predict the most frequent class so far; class 0 before any label.

    >>> Majority()
    Majority()
    """

    paper: ClassVar[str] = "Žliobaitė et al. (2015), Machine Learning 98, 455-482"

    def start(self, schema: Schema, seed: int = 0) -> Counts:
        """All counts 0."""
        return Counts(np.zeros(schema.n_classes))


@dataclass(frozen=True)
class NoChange(Learner):
    """Predict the last label seen, the persistent classifier; class 0 before any label.

    >>> NoChange()
    NoChange()
    """

    paper: ClassVar[str] = "Žliobaitė et al. (2015), Machine Learning 98, 455-482"

    def start(self, schema: Schema, seed: int = 0) -> Last:
        """No label yet."""
        return Last(np.full(1, -1))


@implements(votes, Counts)
def _majority_votes(state, x, out):  # type: ignore[no-untyped-def]
    for k in range(out.size):
        out[k] = state.counts[k]


@implements(learn, Counts)
def _majority_learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.counts[y] += weight


@implements(votes, Last)
def _no_change_votes(state, x, out):  # type: ignore[no-untyped-def]
    last = state.label[0]
    for k in range(out.size):
        out[k] = 1.0 if k == last else 0.0


@implements(learn, Last)
def _no_change_learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.label[0] = y


@dataclass(frozen=True)
class BayesOptimal:
    """Predict the optimal label of each example: the error that no learner can beat.

    It learns nothing and needs a stream whose optimal labels are known. `prequential` and `sweep`
    take it like a learner, so the optimum appears in the same tables and figures.

    >>> BayesOptimal()
    BayesOptimal()
    """

    paper: ClassVar[str] = "Cervantes et al. (2018), Eq. 5"
