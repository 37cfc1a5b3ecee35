"""Paper 4: the learners of Žliobaitė (2014), Section 5.2, on permuted streams."""

from __future__ import annotations

from repro.detectors.ddm import DDM
from repro.detectors.eddm import EDDM
from repro.learners.bagging import OzaBagAdwin
from repro.learners.drift_retraining import DriftRetraining
from repro.learners.hoeffding_option_tree import HoeffdingOptionTree
from repro.learners.learner import Learner
from repro.learners.naive_bayes import NaiveBayes

__all__ = ["LEARNERS"]

#: Bagging with ADWIN of one and of ten, two detectors that restart naive Bayes, and a tree.
LEARNERS: dict[str, Learner] = {
    "Oza1": OzaBagAdwin(NaiveBayes(), n_members=1),
    "Oza10": OzaBagAdwin(NaiveBayes(), n_members=10),
    "DDM": DriftRetraining(NaiveBayes(), DDM()),
    "EDDM": DriftRetraining(NaiveBayes(), EDDM()),
    "Hoeff": HoeffdingOptionTree(),
}
