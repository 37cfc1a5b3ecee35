"""The learners that a report on a stream compares, and their short names in figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from repro.learners import (
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    LeveragingBag,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
    OzaBagAdwin,
    TemporallyAugmented,
)

__all__ = ["AUGMENTED", "BASELINES", "FAST", "SHORT", "SLOW"]

AUGMENTED = "Hoeffding tree with the previous label"  # holds the stream once more
BASELINES: Mapping[str, Any] = {"majority": Majority(), "no change": NoChange()}
FAST: Mapping[str, Any] = {
    "naive Bayes": NaiveBayes(),
    "Hoeffding tree": HoeffdingTree(),
    "Hoeffding adaptive tree": HoeffdingAdaptiveTree(),
    AUGMENTED: TemporallyAugmented(HoeffdingTree()),
    "linear SVM": LinearSVM(),
}
SLOW: Mapping[str, Any] = {
    "dynamic weighted majority of naive Bayes": DynamicWeightedMajority(NaiveBayes()),
    "nearest neighbour": NearestNeighbors(),
    "OzaBag with ADWIN of Hoeffding trees": OzaBagAdwin(HoeffdingTree()),
    "leveraging bagging of Hoeffding trees": LeveragingBag(HoeffdingTree()),
}
SHORT: Mapping[str, str] = {
    "majority": "maj",
    "no change": "same",
    "naive Bayes": "NB",
    "Hoeffding tree": "HT",
    "Hoeffding adaptive tree": "HAT",
    AUGMENTED: "HT+",
    "linear SVM": "SVM",
    "dynamic weighted majority of naive Bayes": "DWM",
    "nearest neighbour": "NN",
    "OzaBag with ADWIN of Hoeffding trees": "OZAB",
    "leveraging bagging of Hoeffding trees": "LBAG",
}
