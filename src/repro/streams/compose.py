"""Sudden, gradual and recurring drift between two concepts."""

from __future__ import annotations

from collections.abc import Sequence

from repro._checks import as_list
from repro.streams.composition import Composition
from repro.streams.description import StreamDescription, check_description

__all__ = ["gradual", "recurring", "sudden"]


def sudden(
    before: StreamDescription,
    after: StreamDescription,
    at: int,
    *,
    n: int | None = None,
    name: str = "",
) -> Composition:
    """`before` up to the example `at`, which is the first one of `after`.

    Parameters
    ----------
    before, after : descriptions with the same schema.
    at : index of the first example of `after`.
    n, name : as in `Composition`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> from repro.streams import LED
    >>> sudden(LED(), LED(drifting=7), at=500).sample(seed=0, n=1000).drifts
    (500,)
    """
    _check_pair(before, after)
    return Composition((before, after), (at,), 0, n, name)  # type: ignore[arg-type]


def gradual(
    before: StreamDescription,
    after: StreamDescription,
    at: int,
    width: int,
    *,
    n: int | None = None,
    name: str = "",
) -> Composition:
    """`before` and `after` alternate during about `width` examples around `at`.

    Parameters
    ----------
    before, after : descriptions with the same schema.
    at, width : middle and duration of the drift, in examples; see `Composition`.
    n, name : as in `Composition`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> from repro.streams import SEA
    >>> gradual(SEA(), SEA(threshold=9), at=500, width=100).shares([450, 500]).round(2).tolist()
    [[0.88, 0.12], [0.5, 0.5]]
    """
    _check_pair(before, after)
    return Composition((before, after), (at,), width, n, name)  # type: ignore[arg-type]


def recurring(
    before: StreamDescription,
    after: StreamDescription,
    at: Sequence[int],
    width: Sequence[int] | int = 0,
    *,
    n: int | None = None,
    name: str = "",
) -> Composition:
    """`before` and `after` in turn, with a change at each position in `at`.

    A concept that returns has the same model as before and draws new examples. A concept that
    moves starts again from its first state.

    Parameters
    ----------
    before, after : descriptions with the same schema.
    at : increasing positions of the changes.
    width : duration of each change in examples, or one number for all; 0 is sudden.
    n, name : as in `Composition`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> from repro.streams import SEA
    >>> [c.threshold for c in recurring(SEA(), SEA(threshold=9), at=(100, 200)).concepts]
    [8.0, 9.0, 8.0]
    """
    _check_pair(before, after)
    positions: list[int] = as_list(at, name="at", rule="a list of positions")
    same_as = tuple(i % 2 for i in range(len(positions) + 1))
    concepts = tuple((before, after)[i] for i in same_as)
    return Composition(concepts, positions, width, n, name, same_as)  # type: ignore[arg-type]


def _check_pair(before: StreamDescription, after: StreamDescription) -> None:
    first = check_description(before, name="before").schema
    second = check_description(after, name="after").schema
    if first != second:
        raise ValueError(f"after must have the schema of before, {first}; got {second}")
