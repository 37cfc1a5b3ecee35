"""One learner, one detector and one stream of every public class.

Tests of what all of them promise, benchmarks and leagues read these tables, so that a new class
takes part from the day it is exported.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import repro.detectors as detectors_wing
import repro.learners as learners_wing
import repro.streams as streams_wing
from repro.detectors import DDM, Detector, ForeignDetector, SlidingEstimate
from repro.learners import HoeffdingTree, Learner, NaiveBayes, Temporal
from repro.streams import SEA, TESTBED, RandomRBF, StreamDescription

__all__ = ["detectors", "learners", "streams"]

TREE, BEFORE, AFTER = HoeffdingTree(), SEA(n=1000), SEA(threshold=15.0, n=1000)
#: Values of arguments without a default, by their name, or by that of the class as well.
ARGUMENTS: Mapping[str, Any] = {
    "base": NaiveBayes(),
    "OzaBag.base": TREE,  # what the literature bags
    "OzaBagAdwin.base": TREE,
    "LeveragingBag.base": TREE,
    "detector": DDM(),
    "estimate": SlidingEstimate(),
    "p": 0.001,
    "concepts": (BEFORE, AFTER),
    "before": BEFORE,
    "after": AFTER,
    "at": 1000,
    "Composition.at": (1000,),
    "width": 200,
    "concept": RandomRBF(n=1000),
    "name": "NSGT",
    "classes": TESTBED["NSGT"].classes,
    "transition": ((0.9, 0.1), (0.3, 0.7)),
    "means": (0.0, 2.0),
    "stream": BEFORE.sample(seed=0),
    "kind": "random",
}


def learners() -> dict[str, Learner | Temporal]:
    """A learner of every class of `repro.learners` but the optimum, by the name of the class.

    Raises TypeError for a class with an argument that has neither a default nor a value here.

    >>> learners()["OzaBag"].base == learners()["HoeffdingTree"]
    True
    """
    return _one_of_each(learners_wing, lambda cls: issubclass(cls, Learner | Temporal))


def detectors() -> dict[str, Detector]:
    """A detector of every class of `repro.detectors` (of ours), by the name of the class.

    Raises TypeError for a class with an argument that has neither a default nor a value here.

    >>> detectors()["RandomAlarms"]
    RandomAlarms(p=0.001, warmup=30)
    """
    ours = lambda cls: issubclass(cls, Detector) and cls is not ForeignDetector  # noqa: E731
    return _one_of_each(detectors_wing, ours)


def streams() -> dict[str, StreamDescription]:
    """A description of every class of `repro.streams`, by the name of the class.

    Raises TypeError for a class with an argument that has neither a default nor a value here.

    >>> streams()["SEA"].sample(seed=0, n=3).y.shape
    (3,)
    """
    described = lambda cls: hasattr(cls, "sample") and cls is not StreamDescription  # noqa: E731
    return _one_of_each(streams_wing, described)


def _one_of_each(wing: ModuleType, is_kind: Callable[[type], bool]) -> dict[str, Any]:
    public = ((name, getattr(wing, name)) for name in sorted(wing.__all__))
    kinds = {name: cls for name, cls in public if inspect.isclass(cls) and is_kind(cls)}
    return {n: cls(**_arguments(n, cls)) for n, cls in kinds.items() if not inspect.isabstract(cls)}


def _arguments(name: str, cls: type) -> dict[str, Any]:
    values = {}
    for argument, parameter in inspect.signature(cls).parameters.items():
        if parameter.default is parameter.empty:
            key = next((k for k in (f"{name}.{argument}", argument) if k in ARGUMENTS), None)
            if key is None:
                rule = "ARGUMENTS in repro/registry.py must have a value"
                raise TypeError(f"{rule} of {name}.{argument}, which has no default")
            values[argument] = ARGUMENTS[key]
    return values
