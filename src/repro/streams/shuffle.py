"""The examples of a stream in random order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from repro import seeds
from repro._checks import check_count, check_flag
from repro.streams.stream import Schema, Stream, check_stream

__all__ = ["Shuffled"]


@dataclass(frozen=True)
class Shuffled:
    """The examples of `stream` in a random order that depends on the seed.

    All orders are equally likely. Examples become independent of each other, and drift is spread
    evenly over the stream. With `keep_labels` the labels stay where they are, and the attributes
    are shuffled within each class: the labels depend on each other as before, and drift is gone.

    Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Sec. 6.5 and 6.9. Raises TypeError unless
    `stream` is a Stream.

    >>> stream = Stream([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> Shuffled(stream, keep_labels=True).sample(seed=1).y.tolist()
    [0, 1, 0, 1]
    """

    stream: Stream
    keep_labels: bool = False

    def __post_init__(self) -> None:
        check_stream(self.stream)
        check_flag(self.keep_labels, name="keep_labels")

    @property
    def name(self) -> str:
        """Name of the stream, followed by the kind of shuffling."""
        how = "shuffled within classes" if self.keep_labels else "shuffled"
        return f"{self.stream.name or 'stream'}, {how}"

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.stream)

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return self.stream.schema

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The first `n` examples of one order, at most all; with their truth, without drifts."""
        size = self.n if n is None else check_count(n, name="n", most=self.n)
        rng = seeds.generator(seed, "shuffle")
        order = rng.permutation(self.n)
        if self.keep_labels:
            # The positions of a class, in time order, get its examples in random order.
            positions = np.argsort(self.stream.y, kind="stable")
            random = order[np.argsort(self.stream.y[order], kind="stable")]
            order = np.empty(self.n, np.int64)
            order[positions] = random
        return self.stream.take(order[:size])
