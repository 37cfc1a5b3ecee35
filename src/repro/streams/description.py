"""The protocol that every description of a stream meets, and its check."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from repro._checks import check_kind, shown
from repro.streams.stream import Schema, Stream

__all__ = ["StreamDescription", "check_description"]


@runtime_checkable
class StreamDescription(Protocol):
    """What a stream is drawn from: settings, without random state.

    Every generator of `repro.streams` meets this protocol, and so do `Composition`, `Incremental`,
    `Redrawn`, `LabelChain`, `Shuffled` and `Permuted`. Your object that meets it can be part
    of a composition or a sweep. It needs no parent class.

    >>> from repro.streams import SEA, sudden
    >>> isinstance(sudden(SEA(), SEA(threshold=9), at=500), StreamDescription)
    True
    """

    @property
    def name(self) -> str:
        """Name of the stream in tables and figures."""

    @property
    def n(self) -> int:
        """Number of examples that `sample` draws by default."""

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1; the same for the same `seed`."""


def check_description(value: Any, *, name: str) -> StreamDescription:
    """Return `value` if it is a description of a stream, and not the class of one.

    Raises TypeError that says which members are missing.
    """
    rule = f"{name} must be a stream description with sample(seed, n), n, name and schema"
    if isinstance(value, type):
        raise TypeError(f"{rule}; got {shown(value)}")
    if not isinstance(value, StreamDescription):
        missing = [part for part in ("sample", "n", "name", "schema") if not hasattr(value, part)]
        raise TypeError(f"{rule}; got {shown(value)} without {', '.join(missing)}")
    check_kind(value.schema, Schema, name=f"schema of {name}")
    return value
