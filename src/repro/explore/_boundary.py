"""The best boundary there is: where two classes are equally probable at a time."""

from __future__ import annotations

from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from repro.explore._recorded import concepts
from repro.streams import DriftingMixture

__all__ = ["bayes_error", "boundary"]

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
    shares = _posterior(concepts(description, t), grid.reshape(-1, 2), t)
    lines = contourpy.contour_generator(x1, x2, shares.reshape(SIDE, SIDE)).lines(0.5)
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)] or [gap])


def bayes_error(description: Any, times: NDArray[np.int64]) -> NDArray[np.float64]:
    """The lowest error that any learner can reach at each of the `times` (m,); shape (m,)."""
    parts = [concepts(description, int(t)) for t in times]
    known = {id(part): part for part in parts}
    errors = {key: _error(part, times) for key, part in known.items()}
    return np.array([errors[id(part)][i] for i, part in enumerate(parts)])


def _posterior(concept: Any, X: NDArray[np.float64], t: int) -> NDArray[np.float64]:
    if isinstance(concept, DriftingMixture):
        return concept.posterior(X, t)[:, 1]
    return concept.posterior(X)[:, 1]


def _error(concept: Any, times: NDArray[np.int64]) -> NDArray[np.float64]:
    if isinstance(concept, DriftingMixture):
        return concept.bayes_error(times).error
    return np.full(times.size, concept.bayes_error())
