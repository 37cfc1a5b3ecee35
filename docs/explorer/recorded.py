"""What the page shows: five streams, eight learners, and what is done to the streams.

A code beside each object makes it; the page shows it, and a test holds the two together.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from repro import detectors, learners, streams
from repro.streams import TESTBED

__all__ = ["LEARNERS", "STREAMS", "STRENGTHS", "Change", "N", "Recorded", "changes"]

N = 10_000  #: examples of each stream


class Recorded(NamedTuple):
    """A description of a stream or a learner, the code that makes it, and a sentence about it."""

    made: Any
    code: str
    about: str = ""


class Change(NamedTuple):
    """What is done to a stream: its labels are "late", or its order is permuted; 0 is nothing."""

    kind: str
    strength: float


_PIECES = tuple(streams.snapshot(TESTBED["NSCX"], t) for t in (1000, 4000, 6500, 9000))
_CHAIN = [[0.95, 0.05], [0.1, 0.9]]

STREAMS = {
    "Four concepts": Recorded(
        streams.Composition(_PIECES, at=(2500, 5000, 7500), name="Four concepts"),
        'pieces = [streams.snapshot(TESTBED["NSCX"], t) for t in (1000, 4000, 6500, 9000)]\n'
        'stream = streams.Composition(pieces, at=(2500, 5000, 7500), name="Four concepts")',
        "Three sudden drifts: after each, another mixture draws the examples.",
    ),
    "NSGT": Recorded(
        TESTBED["NSGT"], 'stream = TESTBED["NSGT"]', "Both classes move along all the time."
    ),
    "NSGR": Recorded(
        TESTBED["NSGR"], 'stream = TESTBED["NSGR"]', "Both classes turn once about the origin."
    ),
    "NSPC-A": Recorded(
        TESTBED["NSPC-A"],
        'stream = TESTBED["NSPC-A"]',
        "A part of one class jumps to the other side at 5000.",
    ),
    "Label chain": Recorded(
        streams.LabelChain(_CHAIN, means=[(0.0, 0.0), (2.0, 0.0)], name="Label chain"),
        "stream = streams.LabelChain([[0.95, 0.05], [0.1, 0.9]], means=[(0.0, 0.0), (2.0, 0.0)], "
        'name="Label chain")',
        "No drift; but a label is mostly that of the example before. The Bayes error and the "
        "boundary are those of a learner that sees the attributes alone.",
    ),
}

_TREE = learners.HoeffdingTree()
LEARNERS = {
    "NB": Recorded(learners.NaiveBayes(), "learners.NaiveBayes()", "naive Bayes"),
    "DDM": Recorded(
        learners.DriftRetraining(learners.NaiveBayes(), detectors.DDM()),
        "learners.DriftRetraining(learners.NaiveBayes(), detectors.DDM())",
        "naive Bayes, retrained when DDM alarms",
    ),
    "HT": Recorded(_TREE, "learners.HoeffdingTree()", "Hoeffding tree"),
    "HAT": Recorded(
        learners.HoeffdingAdaptiveTree(),
        "learners.HoeffdingAdaptiveTree()",
        "Hoeffding adaptive tree",
    ),
    "LBAG": Recorded(
        learners.LeveragingBag(_TREE),
        "learners.LeveragingBag(learners.HoeffdingTree())",
        "leveraging bagging of trees",
    ),
    "NN100": Recorded(
        learners.NearestNeighbors(window=100),
        "learners.NearestNeighbors(window=100)",
        "nearest neighbour among the last 100",
    ),
    "Majority": Recorded(learners.Majority(), "learners.Majority()", "most frequent label"),
    "Persistent": Recorded(learners.NoChange(), "learners.NoChange()", "latest known label"),
}

#: The strengths that are recorded: examples by which labels are late, and p or k of the orders.
STRENGTHS = {
    "late": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
    "time": (0.0002, 0.0005, 0.001, 0.003, 0.01, 0.1, 1.0),
    "speed": (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5),
    "shape": (100, 1000, 3000, 5000, 10_000, 15_000, 19_999),
}


def changes() -> list[Change]:
    """Nothing, and each kind with each of its strengths."""
    pairs = [pair for kind, values in STRENGTHS.items() for pair in product([kind], values)]
    return [Change("late", 0), *(Change(kind, strength) for kind, strength in pairs)]
