"""Learners: frozen descriptions and compiled kernels, one learner per file."""

from repro.learners.bagging import LeveragingBag, OzaBag, OzaBagAdwin
from repro.learners.baselines import BayesOptimal, Majority, NoChange
from repro.learners.drift_retraining import DriftRetraining
from repro.learners.dynamic_weighted_majority import DynamicWeightedMajority
from repro.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from repro.learners.hoeffding_option_tree import HoeffdingOptionTree
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.learners.learner import Learner, OnlineLearner
from repro.learners.linear_svm import LinearSVM
from repro.learners.naive_bayes import NaiveBayes
from repro.learners.nearest_neighbors import NearestNeighbors
from repro.learners.temporal import Temporal
from repro.learners.temporal_correction import TemporalCorrection, temporal_correction
from repro.learners.temporally_augmented import TemporallyAugmented, previous_labels

__all__ = [
    "BayesOptimal",
    "DriftRetraining",
    "DynamicWeightedMajority",
    "HoeffdingAdaptiveTree",
    "HoeffdingOptionTree",
    "HoeffdingTree",
    "Learner",
    "LeveragingBag",
    "LinearSVM",
    "Majority",
    "NaiveBayes",
    "NearestNeighbors",
    "NoChange",
    "OnlineLearner",
    "OzaBag",
    "OzaBagAdwin",
    "Temporal",
    "TemporalCorrection",
    "TemporallyAugmented",
    "previous_labels",
    "temporal_correction",
]
