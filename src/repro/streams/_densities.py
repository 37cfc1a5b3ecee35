"""Densities of Gaussian components in arrays that run along time, where NumPy is fastest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro.streams.component import Component, Pose

__all__ = ["log_density", "times"]


def log_density(component: Component, pose: Pose, X: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""log N(x; mean, scale * turn @ covariance @ turn.T) of the columns of X (d, n)."""
    d = component.n_features
    unturned = times(pose.turn.transpose(2, 1, 0), X - pose.mean.T)
    distance = ((component.whiten @ unturned) ** 2).sum(axis=0) / pose.scale
    constant = d * np.log(2 * np.pi) + component.log_det
    return -0.5 * (constant + d * np.log(pose.scale) + distance)


def times(matrices: NDArray[np.float64], X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each matrix (d, d, n or 1) times its column of X (d, n); one for all goes through BLAS."""
    if matrices.shape[2] == 1:
        return matrices[:, :, 0] @ X
    return np.stack([(row * X).sum(axis=0) for row in matrices])
