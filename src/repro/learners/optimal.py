"""The reference that knows the truth: the Bayes-optimal label that travels with a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["BayesOptimal"]


@dataclass(frozen=True)
class BayesOptimal:
    """Predict the optimal label of each example: the error that no learner can beat.

    It learns nothing and needs a stream whose truth is known; `prequential` and `sweep` take it
    as they take a learner, so the optimum stands in the same tables and figures.

    >>> BayesOptimal()
    BayesOptimal()
    """

    paper: ClassVar[str] = "Cervantes et al. (2018), Eq. 5"
