"""Concepts that are drawn anew for every seed, where a generator has one concept per model seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from repro import seeds
from repro._checks import shown
from repro.streams._generator import Generator
from repro.streams.stream import Schema, Stream

__all__ = ["Redrawn"]


@dataclass(frozen=True)
class Redrawn:
    """The generator `concept` with another model for every seed of `sample`.

    A `LED`, `Waveform`, `RandomRBF` or `RandomTree` has one model (which attributes have changed
    places, where the centroids are, how the tree looks), that of its `model_seed`, whatever the
    seed of the examples. Where the runs of an experiment are to differ in the model as well, the
    model seed is here that of the part "model" of the seed of `sample`; the one in `concept` does
    not count. The result can be part of a `Composition`, where a concept that comes back is the
    model that it was at first.

    Raises TypeError for a `concept` that is no generator with a model seed.

    >>> from repro.streams import RandomTree
    >>> trees = Redrawn(RandomTree(n=1000))
    >>> [round(float(trees.sample(seed).y.mean()), 2) for seed in (0, 1, 1)]
    [0.56, 0.51, 0.51]
    """

    concept: Any

    def __post_init__(self) -> None:
        if not isinstance(self.concept, Generator) or not hasattr(self.concept, "model_seed"):
            raise TypeError(
                f"concept must be a generator with a model seed; got {shown(self.concept)}"
            )

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return self.concept.schema

    @property
    def n(self) -> int:
        """Number of examples that `sample` draws unless told otherwise."""
        return self.concept.n

    @property
    def name(self) -> str:
        """What the stream is called."""
        return self.concept.name

    def drawn(self, seed: int) -> Any:
        """The generator that `sample` uses for `seed`."""
        return replace(self.concept, model_seed=seeds.integer(seed, "model"))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream of the model that `seed` draws; the same for the same `seed`."""
        return self.drawn(seed).sample(seed, n)
