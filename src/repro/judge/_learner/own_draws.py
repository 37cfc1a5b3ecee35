"""Draws of a stream that are independent of those of streams with other names."""

# A module of its own: the keys of stored runs cover what it reaches.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from repro import seeds
from repro._checks import check_kind
from repro.streams.stream import Stream

__all__ = ["OwnDraws"]


@dataclass(frozen=True)
class OwnDraws:
    """A description whose draws are independent of those of streams with other names.

    Streams of one family draw equal labels from equal seeds, and then say the same twice.
    """

    stream: Any
    name: str

    @property
    def n(self) -> int:
        """Number of examples of a draw; a description of the user may not know it."""
        return int(self.stream.n)

    @property
    def schema(self) -> Any:
        """Kinds of the attributes, and number of classes; as `n`."""
        return self.stream.schema

    def sample(self, seed: int) -> Stream:
        """The draw of `stream` with a seed that belongs to the name."""
        draw = self.stream.sample(seed=seeds.integer(seed, "judge", self.name))
        return check_kind(draw, Stream, name="its draw")
