"""What every description of a stream promises, and what some can do beyond that."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_kind, shown
from repro.streams.stream import Schema, Stream

__all__ = ["BayesError", "StreamDescription", "WithDensity", "WithRandomModel"]
__all__ += ["check_description", "drawn"]


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


@runtime_checkable
class WithDensity(Protocol):
    """A concept that knows its joint density of attributes and label."""

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """log p(x, k) of the rows of `X` (m, d) at the times `t` (m,) or (1,); shape (K, m)."""


@runtime_checkable
class WithRandomModel(Protocol):
    """A concept that draws a new model for every seed."""

    def drawn(self, seed: int) -> StreamDescription:
        """The concept with the model of `seed`."""


def drawn(concept: StreamDescription, seed: int) -> StreamDescription:
    """`concept` with the model that it draws for `seed`; unchanged if it draws none."""
    return concept.drawn(seed) if isinstance(concept, WithRandomModel) else concept


class BayesError(NamedTuple):
    """Bayes error at some times, (m,) each, and its standard error: 0 if it was integrated."""

    error: NDArray[np.float64]
    standard_error: NDArray[np.float64]
