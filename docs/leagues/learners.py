"""Who takes part in the league of learners, and on which streams."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any

from river import multiclass

import repro
from leagues import river_models
from leagues.standings import OPTIMUM
from repro import registry
from repro.league import STREAMS
from repro.learners import BayesOptimal

__all__ = ["OURS", "STREAMS", "Entry", "arguments", "entries", "on_several_classes"]

OURS = f"repro {repro.__version__}"


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
    ours = [Entry(OPTIMUM, BayesOptimal(), OURS)]
    ours += [Entry(name, model, OURS) for name, model in registry.learners().items()]
    others = river_models.models().items()
    return ours + [Entry(name, model, river_models.VERSION) for name, model in others]


def arguments(entry: Entry) -> str:
    """What the class was given, "" at its defaults."""
    if entry.version == OURS:
        needed = signature(type(entry.model)).parameters.values()
        bare = [p.name for p in needed if p.default is p.empty]
        return ", ".join(_short(getattr(entry.model, name)) for name in bare)
    given = river_models.GIVEN.get(entry.name, dict)()
    return ", ".join(_short(value) for value in given.values())


def _short(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    return repr(value) if isinstance(value, int) else f"{type(value).__name__}()"
