"""Readings that paper 5 leaves open and that are no parameter of the networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repro.networks import SNG
from repro.networks.network import State

__all__ = ["ForgetfulSNG"]


@dataclass(frozen=True)
class ForgetfulSNG(SNG):
    """`SNG` whose optimizer starts anew with each task: Adam keeps no moments of its gradients.

    >>> ForgetfulSNG(hidden=(8,))
    ForgetfulSNG(hidden=(8,), passes=1, batch=64, learning_rate=0.0001)
    """

    def learn(self, state: State, X: NDArray[np.float32], y: NDArray[np.int64]) -> State:
        """The network after its passes over the task."""
        new = self.start(state.n_features, state.seed).fits["single"]
        fits = {"single": new._replace(params=state.fits["single"].params)}
        return super().learn(state._replace(fits=fits), X, y)
