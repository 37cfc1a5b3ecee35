"""Generators with a new model for every seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from repro import seeds
from repro._checks import shown
from repro.streams.description import StreamDescription
from repro.streams.stream import Schema, Stream

__all__ = ["Redrawn"]


@dataclass(frozen=True)
class Redrawn:
    """The generator `concept` with a new model for every seed of `sample`.

    A `LED`, `Waveform`, `RandomRBF`, `RandomTree` or `Hyperplane` has one model (which attributes
    have changed places, where the centroids are, how the tree looks, which weights). It depends on
    `model_seed` alone. Here the model seed is derived from the seed of `sample`, so that the runs
    of an experiment differ in the model as well; the `model_seed` of `concept` is ignored. A
    `Redrawn` can be part of a `Composition`, where a concept that returns keeps its model.

    Raises TypeError unless `concept` is a generator with a model seed.

    >>> from repro.streams import RandomTree
    >>> trees = Redrawn(RandomTree(n=1000))
    >>> [round(float(trees.sample(seed).y.mean()), 2) for seed in (0, 1, 1)]
    [0.56, 0.51, 0.51]
    """

    concept: StreamDescription

    def __post_init__(self) -> None:
        fields = getattr(self.concept, "__dataclass_fields__", ())
        is_description = isinstance(self.concept, StreamDescription)
        if isinstance(self.concept, type) or not is_description or "model_seed" not in fields:
            rule = "concept must be a generator with a model seed"
            raise TypeError(f"{rule}; got {shown(self.concept)}")

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return self.concept.schema

    @property
    def n(self) -> int:
        """Number of examples that `sample` draws by default."""
        return self.concept.n

    @property
    def name(self) -> str:
        """Name of the stream in tables and figures."""
        return self.concept.name

    def drawn(self, seed: int) -> StreamDescription:
        """The generator with the model that `sample` uses for `seed`."""
        concept: Any = self.concept
        return replace(concept, model_seed=seeds.integer(seed, "model"))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream of the model that `seed` draws; the same for the same `seed`."""
        return self.drawn(seed).sample(seed, n)
