"""One stream from several concepts: sudden, gradual and recurring drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import LONGEST, check_count, shown
from repro.streams._generator import blocks, truth_of
from repro.streams._inputs import (
    as_items,
    as_list,
    as_times,
    check_size,
    check_text,
    drawn,
    is_list,
    schema_of,
)
from repro.streams.stream import Schema, Stream

__all__ = ["Composition", "gradual", "recurring", "sudden"]

ROWS = 1_000  # rows whose truth is worked out at once


@dataclass(frozen=True)
class Composition:
    r"""Concepts one after the other; around each change, the old and the new one alternate.

    The change to concept *i* has the middle :math:`p_i` (in `at`) and the width :math:`w_i`. An
    example at time *t* is of the last concept whose change has come, and each has come with

    .. math:: s_i(t) = \frac{1}{1 + e^{-4 (t - p_i) / w_i}}, \quad \text{for a width of 0 }
              [t \ge p_i],

    independently (Bifet et al. 2009), so `share_i = s_i * prod_{j > i} (1 - s_j)`. Each concept
    goes on only with its own examples, and draws its own random numbers: one that comes back draws
    new examples. A `Redrawn` concept draws its model for each place anew, unless `identity` says
    that it is one that was there before. What the stream knows:

    - `drifts` are the middles, with their `widths`, and the concepts' own drifts;
    - the truth of an example in a sudden composition is that of its concept;
    - where a width is above 0 nobody can see which concept drew an example, so its truth is the
      posterior of the mixture of all of them, :math:`\sum_i \text{share}_i\, p_i(x, k)`, given how
      many examples each has drawn before. It is exact for `SEA`, `LED`, `Waveform`, `RandomRBF`,
      `RandomTree` and `Hyperplane`, `Redrawn` or not, and None as soon as another description
      takes part.

    Parameters
    ----------
    concepts : descriptions with the same attributes and classes, each with ``.sample(seed, n)``.
    at : rising positions of the changes, one fewer than concepts.
    width : of each change, in examples; one number for all, 0 for sudden ones.
    n : number of examples; default the last position and the `n` of the last concept together.
    identity : one number per concept, equal for those that are one and the same; default all
        different.

    Raises ValueError that names the argument, the rule and the value.

    >>> from repro.streams import SEA, SEA_THRESHOLDS
    >>> concepts = [SEA(threshold=theta) for theta in SEA_THRESHOLDS]
    >>> stream = Composition(concepts, at=(15_000, 30_000, 45_000), n=60_000).sample(seed=0)
    >>> len(stream), stream.drifts, stream.widths
    (60000, (15000, 30000, 45000), (0, 0, 0))
    """

    concepts: tuple[Any, ...]
    at: tuple[int, ...]
    width: tuple[int, ...] | int = 0
    n: int | None = None
    name: str = ""
    identity: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        concepts, at = as_items(self.concepts, object, name="concepts"), _positions(self.at)
        if not concepts or len(at) != len(concepts) - 1:
            rule = "one position fewer than there are concepts"
            raise ValueError(f"at must hold {rule}, {len(concepts)}; got {len(at)}")
        schemas = [schema_of(concept, name="concepts") for concept in concepts]
        for schema in schemas:
            if schema != schemas[0]:
                raise ValueError(f"concepts must have one schema; got {schemas[0]} and {schema}")
        length = _length(at, concepts[-1]) if self.n is None else self.n
        names = dict.fromkeys(str(getattr(concept, "name", "")) for concept in concepts)
        object.__setattr__(self, "concepts", concepts)
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "width", _widths(self.width, len(at)))
        object.__setattr__(self, "n", check_count(length, name="n"))
        object.__setattr__(self, "name", check_text(self.name) or ", ".join(filter(None, names)))
        object.__setattr__(self, "identity", _identity(self.identity, len(concepts)))

    @cached_property
    def _changes(self) -> dict[int, int]:
        """Width of the drift at each position."""
        return dict(zip(self.at, cast("tuple[int, ...]", self.width), strict=True))

    @property
    def _is_sudden(self) -> bool:
        return not any(self._changes.values())

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes, of every concept."""
        return schema_of(self.concepts[0], name="concepts")

    def shares(self, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each concept at the times `t` >= 0 of shape (n,); shape (n, concepts)."""
        return np.exp(self._log_shares(as_times(t))).T

    def drawn(self, seed: int) -> Composition:
        """The composition that `sample` uses for `seed`: every model is drawn."""
        numbers = self.identity or range(len(self.concepts))
        first = {number: i for i, number in reversed(list(enumerate(numbers)))}
        concepts = (
            drawn(concept, seeds.integer(seed, f"concept {first[number]}"))
            for concept, number in zip(self.concepts, numbers, strict=True)
        )
        return replace(self, concepts=tuple(concepts))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`."""
        row = self.schema.n_features + len(self.concepts) + 3
        size = check_size(cast(int, self.n) if n is None else n, row=row)
        which = self._choose(size, seeds.generator(seed, "Composition", "concepts"))
        rows, parts, concepts = [], [], self.drawn(seed).concepts
        for i, concept in enumerate(concepts):
            own = np.flatnonzero(which == i)
            if own.size:
                rows.append(own)
                parts.append(concept.sample(seeds.integer(seed, f"concept {i}"), n=own.size))
        widths = dict(self._changes)
        for own, part in zip(rows, parts, strict=True):
            for position, width in zip(part.drifts, part.widths, strict=True):
                widths.setdefault(int(own[position]), width)
        X, y, risk, optimal = (
            _joined([getattr(part, name) for part in parts], rows)
            for name in ("X", "y", "bayes_risk", "optimal")
        )
        if not self._is_sudden:
            risk, optimal = self._truth(X, which, concepts)
        drifts = sorted(p for p in widths if p < size)
        return Stream(
            X,
            y,
            np.array(self.schema.nominal),
            self.schema.n_classes,
            drifts,
            bayes_risk=risk,
            optimal=optimal,
            widths=[widths[p] for p in drifts],
            name=self.name,
        )

    def _log_shares(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (concepts, n). The logarithm never overflows, however wide or narrow a drift."""
        came, not_came = [np.zeros(t.size)], [np.full(t.size, -np.inf)]
        for position, width in self._changes.items():
            if width:
                way = 4 * (t - position) / width
                came.append(-np.logaddexp(0, -way))
                not_came.append(-np.logaddexp(0, way))
            else:
                came.append(np.where(t >= position, 0.0, -np.inf))
                not_came.append(np.where(t >= position, -np.inf, 0.0))
        later = [np.sum(not_came[i + 1 :], axis=0) for i in range(len(came))]
        return np.stack([log_share + rest for log_share, rest in zip(came, later, strict=True)])

    def _choose(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
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
        self, X: NDArray[np.float64], which: NDArray[np.int64], concepts: tuple[Any, ...]
    ) -> tuple[Any, Any]:
        """Risk and best label in the mixture of the concepts, each at the time of its own clock."""
        if not all(hasattr(concept, "log_joint") for concept in concepts):
            return None, None
        n = len(which)
        risk, optimal = np.empty(n), np.empty(n, np.int64)
        clocks = np.zeros(len(concepts))  # examples that each concept has drawn so far
        for block in blocks(n, ROWS):
            log_shares = self._log_shares(np.arange(block.start, block.stop, dtype=np.float64))
            parts = []
            for i, concept in enumerate(concepts):
                own = which[block] == i
                clock = clocks[i] + np.cumsum(own) - own
                clocks[i] += own.sum()
                parts.append(log_shares[i] + concept.log_joint(X[block], clock))
            risk[block], optimal[block] = truth_of(np.logaddexp.reduce(parts))
        return risk, optimal


def sudden(
    before: Any, after: Any, at: int, *, n: int | None = None, name: str = ""
) -> Composition:
    """`before` up to the example `at`, which is the first of `after`; see `Composition`.

    >>> from repro.streams import LED
    >>> sudden(LED(), LED(drifting=7), at=500).sample(seed=0, n=1000).drifts
    (500,)
    """
    return Composition(_pair(before, after), (at,), 0, n, name)


def gradual(
    before: Any, after: Any, at: int, width: int, *, n: int | None = None, name: str = ""
) -> Composition:
    """`before` and `after` alternate in about `width` examples around `at`; see `Composition`.

    >>> from repro.streams import SEA
    >>> gradual(SEA(), SEA(threshold=9), at=500, width=100).shares([450, 500]).round(2).tolist()
    [[0.88, 0.12], [0.5, 0.5]]
    """
    return Composition(_pair(before, after), (at,), width, n, name)


def recurring(
    before: Any,
    after: Any,
    at: Sequence[int],
    width: Sequence[int] | int = 0,
    *,
    n: int | None = None,
    name: str = "",
) -> Composition:
    """`before`, `after`, `before` again and so on, changing at each position; see `Composition`.

    A concept that comes back starts as it did at first, with the same model if it is `Redrawn`, and
    draws new examples.

    >>> from repro.streams import SEA
    >>> [c.threshold for c in recurring(SEA(), SEA(threshold=9), at=(100, 200)).concepts]
    [8.0, 9.0, 8.0]
    """
    positions = _positions(at)
    turns = tuple(i % 2 for i in range(len(positions) + 1))
    pair = _pair(before, after)
    concepts = tuple(pair[turn] for turn in turns)
    return Composition(concepts, positions, width, n, name, turns)  # type: ignore[arg-type]


def _pair(before: Any, after: Any) -> tuple[Any, Any]:
    """Both concepts, once their schemas are known to be the same."""
    first, second = (schema_of(c, name=n) for c, n in ((before, "before"), (after, "after")))
    if first != second:
        raise ValueError(f"after must have the schema of before, {first}; got {second}")
    return before, after


def _length(at: tuple[int, ...], last: Any) -> int:
    if not hasattr(last, "n"):
        raise ValueError(f"n must be given where the last concept has none; got {shown(last)}")
    return int((at or (0,))[-1] + check_count(last.n, name="n"))


def _positions(at: Any) -> tuple[int, ...]:
    listed = as_list(at, name="at", of="positions")
    positions = tuple(check_count(p, name="at", most=LONGEST) for p in listed)
    if any(b <= a for a, b in pairwise(positions)):
        raise ValueError(f"at must be increasing positions; got {shown(positions)}")
    return positions


def _widths(width: Any, n: int) -> tuple[int, ...]:
    widths = tuple(width) if is_list(width) else (width,) * n
    if len(widths) != n:
        raise ValueError(f"width must be one number or one per position; got {shown(width)}")
    return tuple(check_count(w, name="width", least=0, most=LONGEST) for w in widths)


def _identity(identity: Any, n: int) -> tuple[int, ...]:
    numbers = [
        check_count(i, name="identity", least=0)
        for i in as_items(identity, object, name="identity")
    ]
    if len(numbers) not in (0, n):
        raise ValueError(f"identity must hold one number per concept, {n}; got {len(numbers)}")
    return tuple(numbers)


def _joined(arrays: list[Any], rows: list[NDArray[np.int64]]) -> Any:
    """One array with each of `arrays` in its `rows`; None where one of them is None."""
    if any(array is None for array in arrays):
        return None
    size = sum(own.size for own in rows)
    whole = np.empty((size, *arrays[0].shape[1:]), arrays[0].dtype)
    for array, own in zip(arrays, rows, strict=True):
        first, last = int(own[0]), int(own[-1])
        together = last - first + 1 == own.size
        whole[slice(first, last + 1) if together else own] = array
    return whole
