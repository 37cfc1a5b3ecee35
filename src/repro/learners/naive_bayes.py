r"""Naive Bayes: Gaussian numeric attributes, counted nominal ones.

Kept as logarithms: what a prediction needs beside the squares is computed once per example learned
and class, so a prediction takes no logarithm and one exponential per class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._compiled import compiled
from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, votes
from repro.streams.stream import Schema

__all__ = ["NaiveBayes"]

LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)


class NaiveBayesState(NamedTuple):
    """Sufficient statistics of K classes, d numeric and V nominal values.

    The arrays (K, d) of numeric attributes and (K, V) of nominal ones are separate: `numeric` (d,)
    lists the columns of the numeric ones; nominal column ``columns[j]`` has its counts from
    ``offsets[j]`` on, `sizes[j]` of them.
    """

    weight: NDArray[np.float64]  # (K,) weight of the examples of each class
    constant: NDArray[np.float64]  # (K,) log prior, and all terms that do not depend on x
    mean: NDArray[np.float64]
    squares: NDArray[np.float64]  # sum of squared deviations from the mean
    precision: NDArray[np.float64]  # 1 / variance, 0 where the variance is 0
    counts: NDArray[np.float64]
    log_counts: NDArray[np.float64]  # log(count + 1)
    numeric: NDArray[np.int64]
    columns: NDArray[np.int64]
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]


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
        nominal = np.array(schema.nominal, dtype=np.int64)
        numeric, columns = np.flatnonzero(nominal == 0), np.flatnonzero(nominal)
        sizes, K = nominal[columns], schema.n_classes
        by_value, by_attribute = (K, int(sizes.sum())), (K, numeric.size)
        return NaiveBayesState(
            weight=np.zeros(K),
            constant=np.full(K, -np.inf),
            mean=np.zeros(by_attribute),
            squares=np.zeros(by_attribute),
            precision=np.zeros(by_attribute),
            counts=np.zeros(by_value),
            log_counts=np.zeros(by_value),
            numeric=numeric,
            columns=columns,
            offsets=np.cumsum(sizes) - sizes,
            sizes=sizes,
        )


@implements(votes, NaiveBayesState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    highest = -np.inf
    for k in range(out.size):
        out[k] = -np.inf
        if state.weight[k] > 0:
            out[k] = _log_joint(state, x, k)
            highest = max(highest, out[k])
    for k in range(out.size):
        out[k] = np.exp(out[k] - highest) if highest > -np.inf else 0.0


@implements(learn, NaiveBayesState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.weight[y] += weight
    total = state.weight[y]
    constant = np.log(total)
    for j in range(state.numeric.size):
        value = x[state.numeric[j]]
        step = value - state.mean[y, j]
        state.mean[y, j] += weight * step / total
        state.squares[y, j] += weight * step * (value - state.mean[y, j])
        state.precision[y, j] = 0.0
        if total > 1 and state.squares[y, j] > 0:
            variance = state.squares[y, j] / (total - 1)
            state.precision[y, j] = 1 / variance
            constant -= LOG_SQRT_2_PI + 0.5 * np.log(variance)
    for j in range(state.columns.size):
        cell = state.offsets[j] + int(x[state.columns[j]])
        state.counts[y, cell] += weight
        state.log_counts[y, cell] = np.log(state.counts[y, cell] + 1)
        constant -= np.log(total + state.sizes[j])
    state.constant[y] = constant


@compiled
def _log_joint(state, x, k):  # type: ignore[no-untyped-def]
    """log(n_k p(x | k)): the prior's divisor is the same for all classes."""
    total = state.constant[k]
    for j in range(state.numeric.size):
        step = x[state.numeric[j]] - state.mean[k, j]
        if state.precision[k, j] > 0:
            total -= 0.5 * step * step * state.precision[k, j]
        elif step != 0:
            return -np.inf
    for j in range(state.columns.size):
        total += state.log_counts[k, state.offsets[j] + int(x[state.columns[j]])]
    return total
