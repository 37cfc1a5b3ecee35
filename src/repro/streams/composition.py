"""Concepts one after the other, with a sudden or gradual change from each to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import LONGEST, as_list, check_count, check_text, settle, shown
from repro.streams._generator import blocks, truth_of
from repro.streams._inputs import as_times, check_size
from repro.streams.description import StreamDescription, WithDensity, check_description, drawn
from repro.streams.stream import Schema, Stream

__all__ = ["Composition"]

ROWS = 1_000  # rows whose truth is computed at once


@dataclass(frozen=True)
class Composition:
    r"""Concepts one after the other; around each change, the old and the new one alternate.

    The change to concept *i* has the middle :math:`p_i` (in `at`) and the width :math:`w_i`. At
    time *t* it has happened with probability

    .. math:: s_i(t) = \frac{1}{1 + e^{-4 (t - p_i) / w_i}}, \quad \text{for a width of 0 }
              [t \ge p_i],

    independently of the other changes (Bifet et al. 2009). The example at *t* belongs to the last
    concept whose change has happened, so `share_i = s_i * prod_{j > i} (1 - s_j)`.

    The time of a concept advances with its own examples only. Each concept draws its own random
    numbers, also a concept that returns. A `Redrawn` concept has a new model at each position,
    unless `same_as` marks it as an earlier concept. A sampled stream knows:

    - its `drifts`: the middles, with their `widths`, and the drifts inside the concepts;
    - its truth, in a sudden composition: that of the concept of each example;
    - its truth, if a width is above 0: the posterior of the mixture of all concepts,
      :math:`\sum_i \text{share}_i\, p_i(x, k)`, because a classifier cannot see which concept drew
      an example. It uses the number of examples that each concept has drawn before. It is exact for
      `SEA`, `LED`, `Waveform`, `RandomRBF`, `RandomTree` and `Hyperplane`, `Redrawn` or not, and
      None for a composition with any other description.

    Parameters
    ----------
    concepts : descriptions with the same schema; see `StreamDescription`.
    at : increasing positions of the changes, one fewer than concepts.
    width : duration of each change in examples, or one number for all; 0 is sudden.
    n : number of examples; default the last position plus the `n` of the last concept.
    name : default the names of the concepts.
    same_as : one number per concept; concepts with the same number have the same model. Default
        all different.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> from repro.streams import SEA, SEA_THRESHOLDS
    >>> concepts = [SEA(threshold=theta) for theta in SEA_THRESHOLDS]
    >>> stream = Composition(concepts, at=(15_000, 30_000, 45_000), n=60_000).sample(seed=0)
    >>> len(stream), stream.drifts, stream.widths
    (60000, (15000, 30000, 45000), (0, 0, 0))
    """

    concepts: Sequence[StreamDescription]
    at: Sequence[int]
    width: Sequence[int] | int = 0
    n: int = None  # type: ignore[assignment]  # __post_init__ replaces None
    name: str = ""
    same_as: Sequence[int] = ()

    def __post_init__(self) -> None:
        concepts, at = _concepts(self.concepts), _positions(self.at)
        if not concepts or len(at) != len(concepts) - 1:
            rule = "one position fewer than there are concepts"
            raise ValueError(f"at must hold {rule}, {len(concepts)}; got {len(at)}")
        n = _default_n(at, concepts[-1]) if self.n is None else self.n
        names = dict.fromkeys(concept.name for concept in concepts)
        name = check_text(self.name, name="name") or ", ".join(filter(None, names))
        settle(
            self,
            concepts=concepts,
            at=at,
            width=_widths(self.width, len(at)),
            n=check_count(n, name="n"),
            name=name,
            same_as=_same_as(self.same_as, len(concepts)),
        )

    @cached_property
    def _changes(self) -> dict[int, int]:
        """Width of the drift at each position."""
        return dict(zip(self.at, cast("tuple[int, ...]", self.width), strict=True))

    @property
    def _is_sudden(self) -> bool:
        return not any(self._changes.values())

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes, the same for all concepts."""
        return self.concepts[0].schema

    def shares(self, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each concept at the times `t` >= 0 of shape (n,); shape (n, concepts)."""
        return np.exp(self._log_shares(as_times(t))).T

    def drawn(self, seed: int) -> Composition:
        """The composition that `sample` uses for `seed`, with all models drawn."""
        numbers = self.same_as or range(len(self.concepts))
        first = {number: i for i, number in reversed(list(enumerate(numbers)))}
        concepts = (
            drawn(concept, seeds.integer(seed, f"concept {first[number]}"))
            for concept, number in zip(self.concepts, numbers, strict=True)
        )
        return replace(self, concepts=tuple(concepts))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`.

        A longer stream begins with the shorter one if this holds for all concepts.
        """
        row = self.schema.n_features + len(self.concepts) + 3
        size = check_size(self.n if n is None else n, row=row)
        which = self._choose(size, seeds.generator(seed, "Composition", "concepts"))
        rows, parts, concepts = [], [], self.drawn(seed).concepts
        for i, concept in enumerate(concepts):
            indices = np.flatnonzero(which == i)
            if indices.size:
                rows.append(indices)
                parts.append(concept.sample(seeds.integer(seed, f"concept {i}"), n=indices.size))
        X, y, risk, optimal = (
            _joined([getattr(part, name) for part in parts], rows)
            for name in ("X", "y", "bayes_risk", "optimal")
        )
        if not self._is_sudden:
            risk, optimal = self._truth(X, which, concepts)
        widths = self._widths_of_drifts(rows, parts)
        drifts = sorted(position for position in widths if position < size)
        return Stream(
            X,
            y,
            np.array(self.schema.nominal),
            self.schema.n_classes,
            drifts,
            bayes_risk=risk,
            optimal=optimal,
            widths=[widths[position] for position in drifts],
            name=self.name,
        )

    def _widths_of_drifts(
        self, rows: list[NDArray[np.int64]], parts: list[Stream]
    ) -> dict[int, int]:
        """Width of each drift by its position: of the changes, and of drifts inside the parts."""
        widths = dict(self._changes)
        for indices, part in zip(rows, parts, strict=True):
            for position, width in zip(part.drifts, part.widths, strict=True):
                widths.setdefault(int(indices[position]), width)
        return widths

    def _log_shares(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithm of `shares`, (concepts, n); it does not overflow for any width."""
        happened, not_yet = [np.zeros(t.size)], [np.full(t.size, -np.inf)]
        for position, width in self._changes.items():
            if width:
                way = 4 * (t - position) / width
                happened.append(-np.logaddexp(0, -way))
                not_yet.append(-np.logaddexp(0, way))
            else:
                happened.append(np.where(t >= position, 0.0, -np.inf))
                not_yet.append(np.where(t >= position, -np.inf, 0.0))
        later = [np.sum(not_yet[i + 1 :], axis=0) for i in range(len(happened))]
        return np.stack([log_share + rest for log_share, rest in zip(happened, later, strict=True)])

    def _choose(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Number of the concept of each example, (n,)."""
        if self._is_sudden:
            return np.searchsorted(self.at, np.arange(n), side="right")
        which = np.zeros(n, np.int64)
        for block in blocks(n, 10 * ROWS):
            shares = np.exp(self._log_shares(np.arange(block.start, block.stop, dtype=np.float64)))
            u, below = rng.random(shares.shape[1]), 0.0
            for share in shares[:-1]:
                below = below + share
                which[block] += u >= below
        return which

    def _truth(
        self, X: NDArray[np.float64], which: NDArray[np.int64], concepts: Sequence[Any]
    ) -> tuple[Any, Any]:
        """Risk and best label in the mixture of the concepts, each at its own time."""
        if not all(isinstance(concept, WithDensity) for concept in concepts):
            return None, None
        n = len(which)
        risk, optimal = np.empty(n), np.empty(n, np.int64)
        counts = np.zeros(len(concepts))  # examples that each concept has drawn so far
        for block in blocks(n, ROWS):
            log_shares = self._log_shares(np.arange(block.start, block.stop, dtype=np.float64))
            parts = []
            for i, concept in enumerate(concepts):
                mask = which[block] == i
                time = counts[i] + np.cumsum(mask) - mask
                counts[i] += mask.sum()
                parts.append(log_shares[i] + concept.log_joint(X[block], time))
            risk[block], optimal[block] = truth_of(np.logaddexp.reduce(parts))
        return risk, optimal


def _concepts(concepts: Any) -> tuple[StreamDescription, ...]:
    listed: list[Any] = as_list(concepts, name="concepts", rule="a list of stream descriptions")
    checked = tuple(check_description(concept, name="concepts") for concept in listed)
    for concept in checked[1:]:
        if concept.schema != (first := checked[0].schema):
            raise ValueError(f"concepts must have one schema; got {first} and {concept.schema}")
    return checked


def _default_n(at: tuple[int, ...], last: StreamDescription) -> int:
    return (at or (0,))[-1] + check_count(last.n, name="n of concepts")


def _positions(at: Any) -> tuple[int, ...]:
    listed: list[Any] = as_list(at, name="at", rule="a list of positions")
    positions = tuple(check_count(p, name="at", most=LONGEST) for p in listed)
    if any(b <= a for a, b in pairwise(positions)):
        raise ValueError(f"at must be increasing positions; got {shown(positions)}")
    return positions


def _widths(width: Any, n: int) -> tuple[int, ...]:
    rule = "one number or one per position"
    is_list = isinstance(width, Iterable)
    widths = as_list(width, name="width", rule=rule) if is_list else [width] * n
    if len(widths) != n:
        raise ValueError(f"width must be {rule}; got {shown(width)}")
    return tuple(check_count(w, name="width", least=0, most=LONGEST) for w in widths)


def _same_as(same_as: Any, n: int) -> tuple[int, ...]:
    listed: list[Any] = as_list(same_as, name="same_as", rule="a list of numbers")
    numbers = tuple(check_count(i, name="same_as", least=0) for i in listed)
    if len(numbers) not in (0, n):
        raise ValueError(f"same_as must hold one number per concept, {n}; got {len(numbers)}")
    return numbers


def _joined(arrays: list[Any], rows: list[NDArray[np.int64]]) -> Any:
    """One array that holds each of `arrays` in its `rows`; None if one of them is None."""
    if any(array is None for array in arrays):
        return None
    size = sum(indices.size for indices in rows)
    whole = np.empty((size, *arrays[0].shape[1:]), arrays[0].dtype)
    for array, indices in zip(arrays, rows, strict=True):
        first, last = int(indices[0]), int(indices[-1])
        is_slice = last - first + 1 == indices.size
        whole[slice(first, last + 1) if is_slice else indices] = array
    return whole
