"""Grids on which a density in one or two dimensions can be integrated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repro.streams.component import Component

__all__ = ["grid_around", "points_of"]

POINTS = {1: 20_001, 2: 401}  # grid points per dimension, by the number of dimensions
LARGEST_STEP = 0.15  # in standard deviations of the narrowest component


def grid_around(components: Sequence[Component], t: float) -> list[NDArray[np.float64]] | None:
    """One axis per dimension, from 6 deviations below to 6 above all components at the time `t`.

    None in more than two dimensions, or if a component is too narrow for the grid.
    """
    points = POINTS.get(components[0].n_features)
    if points is None:
        return None
    poses = [(c, c.at([t])) for c in components]
    alive = [(c, pose) for c, pose in poses if pose.weight[0] > 0]
    means = np.array([pose.mean[0] for _, pose in alive])
    shapes = [np.sqrt(pose.scale[0]) * pose.turn[0] @ c.factor for c, pose in alive]
    reach = 6 * np.array([np.linalg.norm(shape, axis=1) for shape in shapes])
    low, high = (means - reach).min(axis=0), (means + reach).max(axis=0)
    narrowest = min(np.linalg.svd(shape, compute_uv=False)[-1] for shape in shapes)
    if (high - low).max() > LARGEST_STEP * narrowest * (points - 1):
        return None
    return [np.linspace(a, b, points) for a, b in zip(low, high, strict=True)]


def points_of(axes: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], float]:
    """All points of the grid, (d, m), and the volume that each of them stands for."""
    points = np.stack([a.ravel() for a in np.meshgrid(*axes)])
    return points, float(np.prod([a[1] - a[0] for a in axes]))
