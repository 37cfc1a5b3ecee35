"""Who takes part in the league of learners, and on which streams."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from typing import Any

from river import multiclass

import repro
from leagues import river_models
from leagues.standings import OPTIMUM
from repro import TESTBED, detectors, learners, streams

__all__ = ["OURS", "STREAMS", "Entry", "arguments", "entries", "on_several_classes"]

OURS = f"repro {repro.__version__}"
N = 10_000
#: The nine streams of the testbed, and four classic generators with drift.
STREAMS = {
    **TESTBED,
    "SEA": streams.Composition(
        tuple(streams.SEA(threshold) for threshold in streams.SEA_THRESHOLDS),
        (2_500, 5_000, 7_500),
        n=N,
        name="SEA",
    ),
    "LED": streams.sudden(
        streams.LED(n_irrelevant=3),
        streams.LED(n_irrelevant=3, drifting=3),
        at=5_000,
        n=N,
        name="LED",
    ),
    "Waveform": streams.sudden(
        streams.Waveform(), streams.Waveform(drifting=10), at=5_000, n=N, name="Waveform"
    ),
    "Hyperplane": streams.Hyperplane(drifting=5, n=N),
}
#: What a class of ours is given that needs an argument.
BASES: dict[str, dict[str, Any]] = {
    "DriftRetraining": {"base": learners.NaiveBayes(), "detector": detectors.DDM()},
    "DynamicWeightedMajority": {"base": learners.NaiveBayes()},
    "LeveragingBag": {"base": learners.HoeffdingTree()},
    "OzaBag": {"base": learners.HoeffdingTree()},
    "OzaBagAdwin": {"base": learners.HoeffdingTree()},
    "TemporalCorrection": {"base": learners.NaiveBayes()},
    "TemporallyAugmented": {"base": learners.NaiveBayes()},
}


@dataclass(frozen=True)
class Entry:
    """A learner that takes part: its model, and the library and version that it comes from."""

    name: str
    model: Any
    version: str

    def on(self, n_classes: int) -> Any:
        """The model for a stream of so many classes."""
        return on_several_classes(self.model) if n_classes > 2 else self.model


def on_several_classes(model: Any) -> Any:
    """`model`, in river's one-versus-rest where it knows two classes only."""
    knows = getattr(model, "_multiclass", True)
    return model if knows else multiclass.OneVsRestClassifier(model)


def entries() -> list[Entry]:
    """All that take part, the optimum first, then ours, then river's."""
    ours = [Entry(name, model, OURS) for name, model in _ours().items()]
    ours.sort(key=lambda entry: entry.name != OPTIMUM)
    others = river_models.models().items()
    return ours + [Entry(name, model, river_models.VERSION) for name, model in others]


def arguments(entry: Entry) -> str:
    """What the class was given, "" at its defaults."""
    if entry.name in BASES:
        return ", ".join(map(_short, BASES[entry.name].values()))
    given = river_models.GIVEN.get(entry.name, dict)()
    return ", ".join(_short(value) for value in given.values())


def _short(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    return repr(value) if isinstance(value, int) else f"{type(value).__name__}()"


def _ours() -> dict[str, Any]:
    """The exported classes that can be made from their defaults and `BASES`."""
    made = {}
    for name in learners.__all__:
        cls = getattr(learners, name)
        if not inspect.isclass(cls) or not dataclasses.is_dataclass(cls):
            continue
        if not inspect.isabstract(cls) and hasattr(cls, "paper"):
            made[name] = cls(**BASES.get(name, {}))
    return made
