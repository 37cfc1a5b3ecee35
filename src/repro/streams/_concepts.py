"""What some concepts can do beyond `StreamDescription`: state a density, draw a model."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from repro.streams.description import StreamDescription

__all__ = ["WithDensity", "WithRandomModel", "drawn"]


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
