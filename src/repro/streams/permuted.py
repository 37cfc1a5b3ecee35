"""The examples of a stream in another order: controlled, or at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_count, check_flag
from repro.permutations.kinds import check_strength
from repro.permutations.mallows import mallows_permutation
from repro.permutations.orders import (
    random_permutation,
    shape_permutation,
    speed_permutation,
    time_permutation,
)
from repro.streams.stream import Schema, Stream, check_stream

__all__ = ["Permuted", "Shuffled"]

MAKERS: dict[str, Callable[..., NDArray[np.int64]]] = {
    "time": time_permutation,
    "speed": speed_permutation,
    "shape": shape_permutation,
    "random": random_permutation,
    "mallows": mallows_permutation,
}


@dataclass(frozen=True)
class Permuted:
    """The examples of `stream` in an order of the kind `kind`, which depends on the seed.

    The truth moves with the examples. A drift of the permuted stream is a position whose example
    belongs to another concept than the example before it, where the concept of an example is the
    number of drifts at or before its original position. (A drift that takes longer counts from its
    middle.) So the drifts of the permuted stream are all sudden, and may be many.

    Žliobaitė (2014), Controlled permutations for testing adaptive learning models.

    Parameters
    ----------
    stream : a Stream.
    kind : "time", "speed", "shape", "random" or "mallows", as in `repro.permutations`.
    p : (keyword) probability in [0, 1], for time and speed only; 0.5 if None.
    k : (keyword) number of swaps below 2n, for shape only; n if None.
    dispersion : (keyword) in [0, 1], for mallows only, which needs it.

    Raises TypeError unless `stream` is a Stream; ValueError for an unknown kind, a strength outside
    its range, and a strength that the kind does not take.

    >>> stream = Stream([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], drifts=[2])
    >>> permuted = Permuted(stream, "time", p=1.0)
    >>> permuted.name, permuted.sample().X[:, 0].tolist(), permuted.sample().drifts
    ('stream, time permutation', [3.0, 2.0, 1.0, 0.0], (2,))
    """

    stream: Stream
    kind: str
    p: float | None = field(default=None, kw_only=True)
    k: int | None = field(default=None, kw_only=True)
    dispersion: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_stream(self.stream)
        check_strength(self.kind, self.n, **self._strengths())

    def _strengths(self) -> dict[str, Any]:
        return {"p": self.p, "k": self.k, "dispersion": self.dispersion}

    @property
    def name(self) -> str:
        """Name of the stream, followed by the kind of permutation."""
        return f"{self.stream.name or 'stream'}, {self.kind} permutation"

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.stream)

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return self.stream.schema

    def order(self, seed: int = 0) -> NDArray[np.int64]:
        """The original positions of the examples in their new order, shape (n,)."""
        strengths = {name: value for name, value in self._strengths().items() if value is not None}
        return MAKERS[self.kind](self.n, seed=seed, **strengths)

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The first `n` examples of one order, at most all; with their truth."""
        size = self.n if n is None else check_count(n, name="n", most=self.n)
        order = self.order(seed)[:size]
        concept = np.searchsorted(self.stream.drifts, order, side="right")
        drifts = np.flatnonzero(np.diff(concept)) + 1
        return replace(self.stream.take(order), drifts=drifts.tolist(), name=self.name)


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
