r"""Naive Bayes: Gaussian numeric attributes, counted nominal ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from repro.learners.class_statistics import WEIGHT, ClassStatistics, densities, observe, statistics
from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, votes
from repro.streams.stream import Schema

__all__ = ["NaiveBayes"]


class NaiveBayesState(NamedTuple):
    """One slot of statistics."""

    stats: ClassStatistics


@dataclass(frozen=True)
class NaiveBayes(Learner):
    r"""Incremental naive Bayes.

    .. math:: \hat y = \arg\max_k\; \frac{n_k}{n}
              \prod_{j\ \text{numeric}} N(x_j; \mu_{kj}, s_{kj}^2)
              \prod_{j\ \text{nominal}} \frac{c_{kj}(x_j) + 1}{n_k + V_j}

    with the sample variance :math:`s^2` (divisor n - 1). A variance of 0 (also: one example) gives
    density 1 at the mean and 0 elsewhere. When every class has density 0 there are no votes.

    >>> NaiveBayes()
    NaiveBayes()
    """

    paper: ClassVar[str] = "John and Langley (1995), UAI, 338-345; updates of Welford (1962)"

    def start(self, schema: Schema, seed: int = 0) -> NaiveBayesState:
        """No example yet."""
        return NaiveBayesState(statistics(schema))


@implements(votes, NaiveBayesState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    densities(state.stats, 0, state.stats.weights[0, WEIGHT], x, out)


@implements(learn, NaiveBayesState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    observe(state.stats, 0, x, y, weight)
