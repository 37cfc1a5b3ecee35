"""The Bayes-optimal reference: it predicts the optimal labels that a stream carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["BayesOptimal"]


@dataclass(frozen=True)
class BayesOptimal:
    """Predict the optimal label of each example: the error that no learner can beat.

    It learns nothing and needs a stream whose optimal labels are known. `prequential` and `sweep`
    take it like a learner, so the optimum appears in the same tables and figures.

    >>> BayesOptimal()
    BayesOptimal()
    """

    paper: ClassVar[str] = "Cervantes et al. (2018), Eq. 5"
