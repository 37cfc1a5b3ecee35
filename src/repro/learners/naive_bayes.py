r"""Naive Bayes: normal densities for numeric attributes, counts for nominal ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from repro._checks import check_flag
from repro.learners._statistics import (
    NOMINAL,
    VALUES,
    WEIGHT,
    ClassStatistics,
    densities,
    exact_densities,
    observe,
    statistics,
)
from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, votes
from repro.streams.stream import Schema

__all__ = ["NaiveBayes"]


class NaiveBayesState(NamedTuple):
    """One slot of statistics."""

    stats: ClassStatistics
    exact: bool


@dataclass(frozen=True)
class NaiveBayes(Learner):
    r"""Incremental naive Bayes.

    .. math:: \hat y = \arg\max_k\; \frac{n_k}{n}
              \prod_{j\ \text{numeric}} N(x_j; \mu_{kj}, s_{kj}^2)
              \prod_{j\ \text{nominal}} \frac{c_{kj}(x_j) + 1}{n_k + V_{kj}}

    with the sample variance :math:`s^2` (divisor n - 1). A variance of 0, as after one example,
    gives density 1 at the mean and 0 elsewhere. When every class has density 0 there are no votes.

    The papers ran MOA, and two of its choices change predictions. It multiplies probabilities: far
    from all classes, or with hundreds of attributes, every product is below the smallest number
    (5e-324), so there are no votes either. And :math:`V_{kj}` counts the values up to the highest
    that class *k* has shown, so it grows towards the number of values of the attribute. With
    `exact`, logarithms are added, and :math:`V_{kj}` is the number of values from the start.

    >>> NaiveBayes()
    NaiveBayes(exact=False)
    """

    exact: bool = False

    paper: ClassVar[str] = "John and Langley (1995), UAI, 338-345; updates of Welford (1962)"

    def __post_init__(self) -> None:
        check_flag(self.exact, name="exact")

    def start(self, schema: Schema, seed: int = 0) -> NaiveBayesState:
        """Empty statistics."""
        state = NaiveBayesState(statistics(schema), self.exact)
        if self.exact:
            state.stats.weights[0, NOMINAL::2] = state.stats.nominal[:, VALUES, np.newaxis]
        return state


@implements(votes, NaiveBayesState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    prior = state.stats.weights[0, WEIGHT]
    if state.exact:
        exact_densities(state.stats, 0, prior, x, out)
    else:
        densities(state.stats, 0, prior, x, out)


@implements(learn, NaiveBayesState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    observe(state.stats, 0, x, y, weight, True)
