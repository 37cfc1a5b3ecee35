"""The best boundary there is: where two classes are equally probable at a time."""

from __future__ import annotations

from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from repro.streams import Composition, DriftingMixture

__all__ = ["boundary", "concept_at"]

SIDE = 100  # points of the grid along each side


def boundary(
    description: Any, t: int, low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Points (m, 2) on the lines where P(1 | x, t) = 1/2, with a row of nan after each line.

    Parameters
    ----------
    description : a stream of two classes and two attributes that states its `posterior`.
    t : time, the index of an example.
    low, high : corners (2,) of the frame in which lines are sought, on a grid of 100 x 100 points.
    """
    x1, x2 = (np.linspace(low[j], high[j], SIDE) for j in range(2))
    grid = np.stack(np.meshgrid(x1, x2), axis=-1)
    shares = _posterior(concept_at(description, t), grid.reshape(-1, 2), t)
    lines = contourpy.contour_generator(x1, x2, shares.reshape(SIDE, SIDE)).lines(0.5)
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)] or [gap])


def concept_at(description: Any, t: int) -> Any:
    """The description that draws the example at `t`: a concept of a composition, or itself."""
    if isinstance(description, Composition):
        return description.concepts[sum(t >= position for position in description.at)]
    return description


def _posterior(concept: Any, X: NDArray[np.float64], t: int) -> NDArray[np.float64]:
    if isinstance(concept, DriftingMixture):
        return concept.posterior(X, t)[:, 1]
    return concept.posterior(X)[:, 1]
