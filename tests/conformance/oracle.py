"""What MOA predicted (tests/data/moa.npz), our learner for each of its names, and both compared.

MOA is a black box here: the five papers ran it, and these are its labels on fixed streams, from the
first example on, each predicted and then learned. A single wrong count early on would show for a
long time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from repro import data_sets, prequential
from repro import streams as real
from repro.detectors import DDM, EDDM
from repro.learners import (
    DriftRetraining,
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingOptionTree,
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
from repro.streams import Stream

ORACLE = np.load(Path(__file__).parents[1] / "data" / "moa.npz")
STREAMS = ("NSGT", "NSCX", "NSGT-5D", "SEA", "LED", "Mixed", "Waveform", "elec2")

DETERMINISTIC: dict[str, Any] = {
    "Majority": Majority(),
    "NoChange": NoChange(),
    "NB": NaiveBayes(),
    "SGD_lr.01": LinearSVM(),
    "kNN_k1_w100": NearestNeighbors(k=1, window=100),
    "kNN_k1_w1500": NearestNeighbors(k=1, window=1500),
    "kNN_k10_w1000": NearestNeighbors(k=10, window=1000),
    "HT_MC": HoeffdingTree(leaf="mc"),
    "HT_NB": HoeffdingTree(leaf="nb"),
    "HT_NBA": HoeffdingTree(leaf="nba"),
    "HOT_NBA": HoeffdingOptionTree(),
    "DWM_NB_p50": DynamicWeightedMajority(NaiveBayes()),
    "DDM_NB": DriftRetraining(NaiveBayes(), DDM()),
    "EDDM_NB": DriftRetraining(NaiveBayes(), EDDM()),
    "TA_NB_n1": TemporallyAugmented(NaiveBayes()),
}
RANDOMISED: dict[str, Any] = {
    "HAT": HoeffdingAdaptiveTree(),
    "OzaBagAdwin_HT10": OzaBagAdwin(HoeffdingTree()),
    "OzaBagAdwin_NB10": OzaBagAdwin(NaiveBayes()),
    "OzaBagAdwin_NB1": OzaBagAdwin(NaiveBayes(), n_members=1),
    "LevBag_HT10": LeveragingBag(HoeffdingTree()),
}
LEARNERS = DETERMINISTIC | RANDOMISED

# MOA draws the weights of its adaptive tree from a fixed seed: its five runs are one and the same
# draw, and have no range. For it the check is reversed: MOA's number must lie within our range.
ONE_DRAW = ("HAT",)
# MOA's linear machine supports two classes only: with more classes it predicts the first two.
TWO_CLASSES = tuple((stream, "SGD_lr.01") for stream in ("LED", "Mixed", "Waveform"))

SEEDS = 5
SEEDS_BESIDE_ONE_DRAW = 10
LEAST_AGREEMENT = 99.5  # percent
WIDER = 0.3  # points of accuracy


@dataclass(frozen=True)
class Comparison:
    """One learner on one stream; accuracies in percent, one for each seed."""

    stream: str
    learner: str
    agreement: float  # percent of the predictions; nan for randomised learners
    ours: tuple[float, ...]
    moa: tuple[float, ...]

    @property
    def randomised(self) -> bool:
        return self.learner in RANDOMISED

    @property
    def difference(self) -> float:
        """Mean accuracy of ours less that of MOA, in points."""
        return float(np.mean(self.ours) - np.mean(self.moa))

    @property
    def within(self) -> bool:
        """Whether ours agrees with MOA's, up to rounding and random numbers.

        A deterministic learner must agree in its predictions and in accuracy. For a randomised
        learner, the mean of our accuracies must lie within MOA's widened range.
        """
        if self.randomised:
            return min(self.moa) - WIDER <= np.mean(self.ours) <= max(self.moa) + WIDER
        return self.agreement >= LEAST_AGREEMENT and abs(self.difference) <= WIDER

    @property
    def moa_is_within_ours(self) -> bool:
        """Whether MOA's mean accuracy is within the range of ours, widened."""
        return min(self.ours) - WIDER <= np.mean(self.moa) <= max(self.ours) + WIDER


def is_there(name: str) -> bool:
    """Whether the stream is available: elec2 is not part of this project."""
    return name != "elec2" or data_sets.available("elec2")


@cache
def stream_of(name: str) -> Stream:
    """The stream that MOA ran on."""
    if name == "elec2":
        stream = real.load("elec2")
        np.testing.assert_array_equal(stream.y, ORACLE["elec2.y"])
        return stream
    X, y, nominal = (ORACLE[f"{name}.{part}"] for part in ("X", "y", "nominal"))
    return Stream(X.T.astype(float), y, nominal.astype(int), name=name)


def moa_labels(stream: str, learner: str) -> np.ndarray:
    """Labels that MOA predicted, (n,)."""
    return ORACLE[f"{stream}.{learner}"]


@cache
def compare(stream: str, learner: str) -> Comparison:
    """Run our learner on the stream; a randomised learner runs with several seeds."""
    examples, y = stream_of(stream), ORACLE[f"{stream}.y"]
    if learner in DETERMINISTIC:
        ours = prequential(LEARNERS[learner], examples, proba=False).y_pred
        moa = moa_labels(stream, learner)
        accuracies = ((100 * float(np.mean(labels == y)),) for labels in (ours, moa))
        return Comparison(stream, learner, 100 * float(np.mean(ours == moa)), *accuracies)
    seeds = range(SEEDS_BESIDE_ONE_DRAW if learner in ONE_DRAW else SEEDS)
    runs = (prequential(LEARNERS[learner], examples, seed, proba=False) for seed in seeds)
    return Comparison(
        stream,
        learner,
        float("nan"),
        tuple(100 * (1 - run.error) for run in runs),
        tuple(100 * float(accuracy) for accuracy in ORACLE[f"{stream}.acc_{learner}"]),
    )
