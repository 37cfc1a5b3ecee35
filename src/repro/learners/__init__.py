"""Learners: frozen descriptions, compiled kernels, one learner a file."""

from repro.learners.baselines import Majority, NoChange
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.learners.learner import Learner, Online
from repro.learners.linear_svm import LinearSVM
from repro.learners.naive_bayes import NaiveBayes
from repro.learners.nearest_neighbors import NearestNeighbors
from repro.learners.optimal import BayesOptimal

__all__ = [
    "BayesOptimal",
    "HoeffdingTree",
    "Learner",
    "LinearSVM",
    "Majority",
    "NaiveBayes",
    "NearestNeighbors",
    "NoChange",
    "Online",
]
