"""A reading that paper 5 leaves open and that is no parameter of the networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_kind
from repro.networks import SNG, Network, State

__all__ = ["ForgetfulSNG"]


@dataclass(frozen=True)
class ForgetfulSNG(Network):
    """`SNG` whose optimizer starts anew with each task: Adam keeps no moments of its gradients.

    >>> ForgetfulSNG(SNG(hidden=(8,))).network.hidden
    (8,)
    """

    network: SNG

    def __post_init__(self) -> None:
        check_kind(self.network, SNG, name="network")

    def start(self, n_features: int, seed: int = 0) -> State:
        """The network with Glorot's initial weights."""
        return self.network.start(n_features, seed)

    def learn(self, state: State, X: NDArray[np.float32], y: NDArray[np.int64]) -> State:
        """The network after its passes over the task."""
        new = self.start(state.n_features, state.seed).fits["single"]
        fits = {"single": new._replace(params=state.fits["single"].params)}
        return self.network.learn(state._replace(fits=fits), X, y)

    def score(self, state: State, X: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logarithm of the probability of each label, shape (n, 2)."""
        return self.network.score(state, X)
