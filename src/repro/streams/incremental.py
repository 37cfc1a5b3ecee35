"""Incremental drift: a concept that changes into another one step by step."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from repro import seeds
from repro._checks import LONGEST, check_count, check_fits, check_text, settle, shown
from repro.streams.composition import Composition
from repro.streams.description import StreamDescription, check_description, drawn
from repro.streams.stream import Schema, Stream

__all__ = ["Incremental", "incremental"]


@dataclass(frozen=True)
class Incremental:
    r"""One concept whose numbers move from those of `before` to those of `after`.

    Every real number of the description, such as a threshold, the noise, a weight or a mean, moves
    linearly during the `width` examples around `at`. The share of `after` in it is

    .. math:: \min(1, \max(0, (t - at) / width + 1/2)),

    rounded to `steps` equal parts. Everything else must be equal in both. A concept that moves by
    itself starts again at every step, so use one that stands still, or its own motion. A `Redrawn`
    concept keeps one model while it moves. The stream records drift and width; its truth is exact.

    Parameters
    ----------
    before, after : descriptions of one kind that differ in real numbers only.
    at, width : middle and duration of the drift in examples; a width of 0 makes it sudden.
    steps : number of steps, at most `width`; default one per example, but at most 100.
    n : number of examples; default `at` plus the `n` of `after`.
    name : default that of `before`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.
    """

    before: StreamDescription
    after: StreamDescription
    at: int
    width: int
    steps: int = None  # type: ignore[assignment]  # __post_init__ replaces None
    n: int = None  # type: ignore[assignment]  # as well
    name: str = ""

    def __post_init__(self) -> None:
        check_description(self.before, name="before")
        check_description(self.after, name="after")
        at = check_count(self.at, name="at", most=LONGEST)
        settle(self, at=at, width=check_count(self.width, name="width", least=0, most=LONGEST))
        steps = self._checked_steps()
        name = check_text(self.name, name="name") or self.before.name
        n = Composition((self.after,) * 2, (at,)).n if self.n is None else self.n
        settle(self, steps=steps, name=name, n=check_count(n, name="n"))
        _ = self.chain  # an error in the steps is raised here

    def _checked_steps(self) -> int:
        most = max(self.width, 1)
        steps = check_count(min(most, 100) if self.steps is None else self.steps, name="steps")
        if steps > most:
            raise ValueError(f"steps must be at most the width, {most}; got {shown(steps)}")
        check_fits(1_000 * steps, name="steps", value=steps)
        return steps

    @cached_property
    def chain(self) -> Composition:
        """The concepts of all steps, as sudden changes."""
        steps = self.steps
        shares = np.arange(steps + 1) / steps
        # at + width ((i + 1/2) / steps - 1/2), rounded up: exact, because it uses integers
        begins = self.at - (-self.width * (2 * np.arange(steps) + 1 - steps) // (2 * steps))
        past = int((begins <= 0).sum())  # steps before the first example
        concepts = [_between(self.before, self.after, share) for share in shares[past:]]
        one = (0,) * len(concepts)
        return Composition(tuple(concepts), tuple(begins[past:].tolist()), n=self.n, same_as=one)

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return self.chain.schema

    def drawn(self, seed: int) -> Incremental:
        """The description that `sample` uses for `seed`, with all models drawn."""
        number = seeds.integer(seed, "concept 0")
        return replace(self, before=drawn(self.before, number), after=drawn(self.after, number))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`.

        A longer stream begins with the shorter one if this holds for the concepts.
        """
        stream = self.chain.sample(seed, n)
        has_drift = self.at < len(stream)
        drifts, widths = ((self.at,), (self.width,)) if has_drift else ((), ())
        return replace(stream, drifts=drifts, widths=widths, name=self.name)


def incremental(
    before: StreamDescription,
    after: StreamDescription,
    at: int,
    width: int,
    *,
    steps: int | None = None,
    n: int | None = None,
    name: str = "",
) -> Incremental:
    """`before` changes into `after` during `width` examples around `at`.

    Parameters
    ----------
    before, after, at, width, steps, n, name : as in `Incremental`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> from repro.streams import SEA
    >>> moving = incremental(SEA(), SEA(threshold=9), at=500, width=100, steps=2)
    >>> [c.threshold for c in moving.chain.concepts], moving.chain.at
    ([8.0, 8.5, 9.0], (475, 525))
    """
    return Incremental(before, after, at, width, steps, n, name)  # type: ignore[arg-type]


def _between(a: Any, b: Any, share: float, what: str = "descriptions") -> Any:
    """`a` with each real number moved by `share` towards that of `b`."""
    if isinstance(a, float) and isinstance(b, float):
        return float((1 - share) * a + share * b)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return tuple(_between(x, y, share, what) for x, y in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b):
        names = [f.name for f in fields(a) if f.name not in ("n", "name")]
        moved = {f: _between(getattr(a, f), getattr(b, f), share, f) for f in names}
        return replace(a, **moved)  # type: ignore[type-var]
    if a != b:
        rule = "before and after must differ in real numbers only"
        raise ValueError(f"{rule}; got {what} {shown(a)}, {shown(b)}")
    return a
