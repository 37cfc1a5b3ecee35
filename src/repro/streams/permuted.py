"""A stream in a controlled random order: a new configuration of its changes for every seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count
from repro.permutations.kinds import check_strength
from repro.permutations.mallows import mallows_permutation
from repro.permutations.orders import (
    random_permutation,
    shape_permutation,
    speed_permutation,
    time_permutation,
)
from repro.streams.stream import Schema, Stream, check_stream

__all__ = ["Permuted"]

MAKERS: dict[str, Callable[..., NDArray[np.int64]]] = {
    "time": time_permutation,
    "speed": speed_permutation,
    "shape": shape_permutation,
    "random": random_permutation,
    "mallows": mallows_permutation,
}


@dataclass(frozen=True)
class Permuted:
    """The examples of `stream` in an order of the given `kind` that depends on the seed.

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
        given = {name: value for name, value in self._strengths().items() if value is not None}
        return MAKERS[self.kind](self.n, seed=seed, **given)

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The first `n` examples of one order, at most all; with their truth."""
        size = self.n if n is None else check_count(n, name="n", most=self.n)
        order = self.order(seed)[:size]
        concept = np.searchsorted(self.stream.drifts, order, side="right")
        drifts = np.flatnonzero(np.diff(concept)) + 1
        return replace(self.stream.take(order), drifts=drifts.tolist(), name=self.name)
