"""Where changes are: at places of their own in each run, so that no detector can know them."""

# A module of its own: the keys of stored runs cover what it reaches.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro import seeds as _seeds
from repro.streams.stream import Stream

__all__ = ["Moved", "aligned", "shift_of"]


def shift_of(seed: int, most: int, *names: str) -> int:
    """By how many examples, at most `most`, a change comes later in the run of these `names`."""
    return int(_seeds.generator(seed, "judge", "position", *names).integers(most + 1))


@dataclass(frozen=True)
class Moved:
    """A stream whose change, and whose end, come later by a number that each draw has of its own.

    `stream` has the fields `at` and `n`.
    """

    stream: Any
    most: int
    name: str

    @property
    def n(self) -> int:
        """The number of examples of the longest draw."""
        return int(self.stream.n + self.most)

    @property
    def schema(self) -> Any:
        """That of the stream."""
        return self.stream.schema

    def sample(self, seed: int) -> Stream:
        """The draw of `stream`, moved."""
        shift, at = shift_of(seed, self.most, self.name), self.stream.at
        later = at + shift if isinstance(at, int) else [place + shift for place in at]
        moved: Stream = replace(self.stream, at=later, n=self.stream.n + shift).sample(seed=seed)
        return moved


def aligned(alarms: Sequence[NDArray[np.int64]], shifts: Sequence[int]) -> list[NDArray[np.int64]]:
    """The alarms of runs as if their changes were not moved: the first `shift` examples are cut."""
    pairs = zip(alarms, shifts, strict=True)
    return [run[run >= shift] - shift for run, shift in pairs]
