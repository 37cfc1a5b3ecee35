"""Paper 3: the learners of Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Table 4.

The paper ran MOA with its defaults on data whose labels depend on the labels before them.
"""

from __future__ import annotations

from repro.detectors.ddm import DDM
from repro.learners.bagging import LeveragingBag
from repro.learners.drift_retraining import DriftRetraining
from repro.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.learners.learner import Learner
from repro.learners.naive_bayes import NaiveBayes

__all__ = ["LEARNERS"]

#: The five base learners, each at its defaults.
LEARNERS: dict[str, Learner] = {
    "NB": NaiveBayes(),
    "DDM": DriftRetraining(NaiveBayes(), DDM()),
    "HT": HoeffdingTree(),
    "HAT": HoeffdingAdaptiveTree(),
    "LBAG": LeveragingBag(HoeffdingTree()),
}
