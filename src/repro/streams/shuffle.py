"""The same examples in random order: what a stream would be without time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from repro import seeds
from repro._checks import check_flag, check_kind
from repro.streams.stream import Stream

__all__ = ["Shuffled"]


@dataclass(frozen=True)
class Shuffled:
    """The examples of `stream` in an order that the seed decides.

    All orders are equally likely: examples become independent of each other, and drift is spread
    evenly. With `keep_labels` the labels stay where they are, and only the attributes of each class
    change places among its examples: labels depend on each other as before, drift is gone.

    Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Sec. 6.5 and 6.9. Raises TypeError unless
    `stream` is a Stream.

    >>> stream = Stream([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> Shuffled(stream, keep_labels=True).sample(seed=1).y.tolist()
    [0, 1, 0, 1]
    """

    stream: Stream
    keep_labels: bool = False

    def __post_init__(self) -> None:
        check_kind(self.stream, Stream, name="stream")
        check_flag(self.keep_labels, name="keep_labels")

    @property
    def name(self) -> str:
        """That of the stream, and what was done with it."""
        how = "shuffled within classes" if self.keep_labels else "shuffled"
        return f"{self.stream.name or 'stream'}, {how}"

    def sample(self, seed: int = 0) -> Stream:
        """The examples in one order; their truth goes with them, positions of drifts do not."""
        rng = seeds.generator(seed, "shuffle")
        n = len(self.stream)
        order = rng.permutation(n)
        if self.keep_labels:
            # The places of a class in time order receive its examples in random order.
            places = np.argsort(self.stream.y, kind="stable")
            random = order[np.argsort(self.stream.y[order], kind="stable")]
            order = np.empty(n, np.int64)
            order[places] = random
        return self.stream.take(order)
