"""Paper 1: the learners of Cervantes, Gagné, Isasi and Parizeau (2018), Section 4.

The paper ran MOA on the nine streams `repro.TESTBED`. The settings are those that it states or,
where it states none, those that come near its Table 3. It does not say whether the weights of DWM
are rescaled: both forms are here, under the name of its column the one that agrees better.
"""

from __future__ import annotations

from typing import Any

from repro.learners.bagging import OzaBagAdwin
from repro.learners.baselines import BayesOptimal
from repro.learners.dynamic_weighted_majority import DynamicWeightedMajority
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.learners.linear_svm import LinearSVM
from repro.learners.naive_bayes import NaiveBayes
from repro.learners.nearest_neighbors import NearestNeighbors

__all__ = ["LEARNERS"]

#: The columns of Table 3, and DWM with the step that divides its weights by the largest.
LEARNERS: dict[str, Any] = {
    "Optimal": BayesOptimal(),
    "NB": NaiveBayes(),
    "SGD": LinearSVM(),
    "DWM": DynamicWeightedMajority(NaiveBayes(), rescale=False),
    "DWM rescaled": DynamicWeightedMajority(NaiveBayes()),
    "OZAB": OzaBagAdwin(HoeffdingTree()),
    "NN100": NearestNeighbors(window=100),
    "NN1500": NearestNeighbors(window=1500),
    "NN6000": NearestNeighbors(window=6000),
}
