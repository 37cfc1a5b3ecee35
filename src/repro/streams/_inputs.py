"""What streams are made from, checked at the edge: times, numbers, names, descriptions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_numbers, check_count, check_fits, shown
from repro.streams.stream import Schema

__all__ = [
    "as_items",
    "as_list",
    "as_path",
    "as_times",
    "check_size",
    "check_text",
    "drawn",
    "is_list",
    "schema_of",
]


def as_times(t: ArrayLike, *, n: int | None = None, name: str = "t") -> NDArray[np.float64]:
    """Return `t`, one time or several, as floats (m,): finite and >= 0, as streams begin at 0.

    With `n`, the number of rows that the times belong to, m is 1 or n.
    """
    single = t.ndim == 0 if isinstance(t, np.ndarray) else not hasattr(t, "__len__")
    given: Any = [t] if single else t
    times = as_numbers(given, name=name)
    if not (np.isfinite(times) & (times >= 0)).all():
        first = int(np.flatnonzero(~(np.isfinite(times) & (times >= 0)))[0])
        raise ValueError(f"{name} must be finite and >= 0; got {times[first]} at index {first}")
    if n is not None and times.size not in (1, n):
        raise ValueError(f"{name} must be one time or one per row, {n}; got {times.shape}")
    return times


def as_items(values: Any, kind: type, *, name: str) -> tuple[Any, ...]:
    """Return `values` as a tuple, if they are a list of `kind`."""
    items = as_list(values, name=name, of=kind.__name__)
    for item in items:
        if not isinstance(item, kind):
            raise ValueError(f"{name} must be a list of {kind.__name__}; got {shown(item)} in it")
    return items


def as_list(values: Any, *, name: str, of: str) -> tuple[Any, ...]:
    """Return `values` as a tuple, if they are a list of anything, and no text."""
    if not is_list(values):
        raise ValueError(f"{name} must be a list of {of}; got {shown(values)}")
    return tuple(values)


def is_list(values: Any) -> bool:
    """Whether `values` can be gone through one by one, and are no text."""
    single = isinstance(values, np.ndarray) and values.ndim == 0  # says that it can, and cannot
    return isinstance(values, Iterable) and not isinstance(values, str | bytes) and not single


def as_path(value: str | Path, *, name: str) -> Path:
    """Return `value` as a path."""
    if not isinstance(value, str | Path) or "\0" in str(value) or not str(value):
        raise ValueError(f"{name} must be the path of a file; got {shown(value)}")
    return Path(value)


def check_text(value: str, *, name: str = "name") -> str:
    """Return `value` if it is a text."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text; got {shown(value)}")
    return value


def check_size(n: int, *, row: int, name: str = "n", least: int = 1) -> int:
    """Return the count `n` if a stream of that length fits into memory, with `row` numbers each."""
    check_fits(8 * row * check_count(n, name=name, least=least), name=name, value=n)
    return int(n)


def drawn(concept: Any, seed: int) -> Any:
    """`concept` with the models that it draws for `seed`; as it is where it draws none."""
    return concept.drawn(seed) if hasattr(concept, "drawn") else concept


def schema_of(concept: Any, *, name: str) -> Schema:
    """Kinds of the attributes and number of classes of the description `concept`.

    Raises ValueError unless it is one: an object with ``.sample(seed, n)``, with `n`, and with a
    `schema`, or `n_features` and `n_classes` where all is numeric.
    """
    known = None
    if not isinstance(concept, type) and callable(getattr(concept, "sample", None)):
        known = getattr(concept, "schema", None)
        if known is None and hasattr(concept, "n_features") and hasattr(concept, "n_classes"):
            known = Schema((0,) * concept.n_features, concept.n_classes)
    if not isinstance(known, Schema):
        rule = "descriptions with sample(seed, n) and a schema"
        raise ValueError(f"{name} must be {rule}; got {shown(concept)}")
    return known
