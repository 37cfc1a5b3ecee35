"""Points, densities and integrals of Gaussian components.

Arrays run along time in their last axis, where NumPy is fastest: points X are (d, n), priors and
weights of components (C, n), classes (K, n). What depends on time alone may have n = 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repro.streams.component import Component, Pose

__all__ = ["draw_points", "grid_around", "joint_density", "points_of"]

POINTS = {1: 20_001, 2: 401}  # grid points per dimension, by the number of dimensions
LARGEST_STEP = 0.15  # in standard deviations of the narrowest component


def draw_points(
    components: Sequence[Component],
    poses: Sequence[Pose],
    priors: NDArray[np.float64],
    rng: np.random.Generator,
    block: int | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Points (d, n) and the numbers of their components (n,).

    They are the first n of a `block` of points, so they do not depend on n.
    """
    n, d = priors.shape[1], components[0].n_features
    uniform, normal = rng.random(block or n)[:n], rng.standard_normal((n, d))
    source, below = np.zeros(n, np.int64), np.zeros(n)
    for prior in priors[:-1]:  # the last component gets the rest, so rounding leaves no gap
        below += prior
        source += uniform >= below
    X = normal = np.ascontiguousarray(normal.T)
    for c, (component, pose) in enumerate(zip(components, poses, strict=True)):
        shape = component.factor.T @ pose.turn.transpose(1, 2, 0)  # turn @ factor
        shaped = np.sqrt(pose.scale) * _products(shape, normal)
        X = np.where(source == c, pose.mean.T + shaped, X)
    return X, source


def joint_density(
    components: Sequence[Component],
    poses: Sequence[Pose],
    priors: NDArray[np.float64],
    labels: NDArray[np.int64],
    X: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """p(x, k | t) / exp(peak), (K, n), and the peak (n,); divided, so it does not underflow.

    `labels` (C,) holds the class of each component.
    """
    with np.errstate(divide="ignore"):  # log 0 is right where a component does not exist
        log_joint = np.log(priors) + np.stack(
            [_log_density(c, p, X) for c, p in zip(components, poses, strict=True)]
        )
    peak = log_joint.max(axis=0)
    parts = np.exp(log_joint - peak)
    return np.stack([parts[labels == k].sum(axis=0) for k in range(labels[-1] + 1)]), peak


def _log_density(component: Component, pose: Pose, X: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""log N(x; mean, scale * turn @ covariance @ turn.T) of the columns of X (d, n)."""
    d = component.n_features
    unturned = _products(pose.turn.transpose(2, 1, 0), X - pose.mean.T)
    distance = ((component.whiten @ unturned) ** 2).sum(axis=0) / pose.scale
    constant = d * np.log(2 * np.pi) + component.log_det
    return -0.5 * (constant + d * np.log(pose.scale) + distance)


def _products(matrices: NDArray[np.float64], X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each matrix (d, d, n or 1) times its column of X (d, n); one for all goes through BLAS."""
    if matrices.shape[2] == 1:
        return matrices[:, :, 0] @ X
    return np.stack([(row * X).sum(axis=0) for row in matrices])


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
