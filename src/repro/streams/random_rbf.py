"""Random RBF: examples around random centroids, which may move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import lgamma
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_count, check_number, settle, shown
from repro.streams._distribution import Filled
from repro.streams._generator import Generator, Generators, truth_of
from repro.streams._inputs import check_size
from repro.streams.stream import Schema

__all__ = ["RandomRBF"]

FASTEST = 1e100  # speed: the way until any time that fits an integer is finite
NEAR = 1e-250  # smallest squared distance in deviations; at 0 the density is infinite


class _Centroids(NamedTuple):
    position: NDArray[np.float64]  # (C, d) at time 0
    direction: NDArray[np.float64]  # (C, d) of length 1
    deviation: NDArray[np.float64]  # (C,)
    label: NDArray[np.int64]  # (C,)
    weight: NDArray[np.float64]  # (C,) sum 1


@dataclass(frozen=True)
class RandomRBF(Generator):
    r"""Examples around random centroids (Bifet, Holmes, Pfahringer, Kirkby and Gavaldà 2009).

    Each centroid has a position in :math:`[0, 1]^d`, a deviation :math:`\sigma_c` and a weight in
    [0, 1], all uniform, and a random label. An example belongs to a centroid drawn by weight. Its
    direction from the centroid is uniform on the sphere, its distance :math:`|N(0, \sigma_c^2)|`:

    .. math:: p(x \mid c) = \frac{\Gamma(d/2)}{2 \pi^{d/2}\, r^{d-1}} \cdot
              \sqrt{\frac{2}{\pi}}\, \frac{e^{-r^2 / 2\sigma_c^2}}{\sigma_c}, \quad
              r = \lVert x - \mu_c(t) \rVert,

    from which the exact posterior follows. The Bayes error is the mean risk of drawn examples.

    Parameters
    ----------
    n_features, n_classes, n_centroids : numbers of attributes, classes and centroids.
    speed : distance that a centroid moves per example, straight ahead; it is reflected at the
        faces of the unit cube.
    drifting : number of centroids that move, the first ones; None for all of them.
    model_seed : seed of the centroids and their directions, which do not depend on the seed of
        `sample`.

    Raises TypeError for a name that is no text, ValueError for a wrong value.

    >>> RandomRBF(speed=0.001, model_seed=10).sample(seed=0, n=100)
    Stream('RandomRBF', n=100, n_features=10, n_classes=2)
    """

    n_features: int = 10
    n_classes: int = 2
    n_centroids: int = 50
    speed: float = 0.0
    drifting: int | None = None
    model_seed: int = 1

    PARTS: ClassVar = ("centroids", "directions", "distances")
    ROWS: ClassVar = 400  # so few that BLAS uses one thread and the arrays fit the cache

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.n_features, row=self.ROWS, name="n_features")
        check_size(self.n_classes, row=self.ROWS, name="n_classes")
        most = max(2 * self.n_features, self.n_classes, self.ROWS)
        check_size(self.n_centroids, row=3 * most, name="n_centroids")
        check_count(self.model_seed, name="model_seed", least=0)
        settle(self, speed=check_number(self.speed, name="speed", least=0, most=FASTEST))
        if self.drifting is None:
            return
        if check_count(self.drifting, name="drifting", least=0) > self.n_centroids:
            most = self.n_centroids
            raise ValueError(f"drifting must be at most {most}; got {shown(self.drifting)}")

    @property
    def schema(self) -> Schema:
        """Numeric attributes."""
        return Schema((0,) * self.n_features, self.n_classes)

    @property
    def exact_error(self) -> None:
        """Unknown: an integral in too many dimensions."""
        return None

    @cached_property
    def centroids(self) -> _Centroids:
        """Position (C, d), direction (C, d), deviation, label and weight (C,) of the centroids."""
        rng, shape = seeds.generator(self.model_seed, "RandomRBF"), self.n_centroids
        position = rng.random((shape, self.n_features))
        deviation, weight = 1 - rng.random((2, shape))  # (0, 1]: never 0
        label = rng.integers(0, self.n_classes, shape)
        direction = rng.standard_normal((shape, self.n_features))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return _Centroids(position, direction, deviation, label, weight / weight.sum())

    def positions(self, t: float) -> NDArray[np.float64]:
        """Positions of the centroids at the time `t` >= 0; shape (C, d)."""
        time = check_number(t, name="t", least=0)
        return _reflected(self.centroids.position + self._velocity * time)

    @cached_property
    def _velocity(self) -> NDArray[np.float64]:
        moves = np.arange(self.n_centroids) < (
            self.n_centroids if self.drifting is None else self.drifting
        )
        return self.speed * moves[:, np.newaxis] * self.centroids.direction

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        _, _, deviation, label, weight = self.centroids
        edges = np.cumsum(weight)[:-1]
        source = np.searchsorted(edges, rngs["centroids"].random(len(X)), side="right")
        rngs["directions"].standard_normal(out=X)
        length = deviation[source] * rngs["distances"].standard_normal(len(X))
        X *= (length / np.sqrt(np.einsum("ij,ij->i", X, X)))[:, np.newaxis]
        X += self._positions_of(source, t)
        return Filled(label[source], *truth_of(self.log_joint(X, t)))

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        _, _, deviation, label, weight = self.centroids
        d = self.n_features
        scaled = self._scaled_distances(X, t)  # r^2 / 2 sigma^2, so r^(1-d) leaves sigma^(1-d)
        log_density = np.log(scaled)
        log_density *= (1 - d) / 2
        log_density -= scaled
        log_density -= (d * np.log(deviation))[:, np.newaxis]
        peak = log_density.max(axis=0)
        log_density -= peak
        shares = np.where(label == np.arange(self.n_classes)[:, np.newaxis], weight, 0.0)
        constant = lgamma(d / 2) - d / 2 * np.log(2 * np.pi) - np.log(np.pi) / 2
        with np.errstate(divide="ignore"):  # log 0 is right if a class is that improbable
            return np.log(shares @ np.exp(log_density, out=log_density)) + (peak + constant)

    def _positions_of(
        self, source: NDArray[np.int64], t: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        start = self.centroids.position[source]
        if not self._velocity.any():
            return start
        return _reflected(start + self._velocity[source] * t[:, np.newaxis])

    def _scaled_distances(
        self, X: NDArray[np.float64], t: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """r^2 / 2 sigma^2 from every centroid to every row of `X`; shape (C, m)."""
        start, velocity = self.centroids.position, self._velocity
        scale = 0.5 / self.centroids.deviation[:, np.newaxis] ** 2
        if not velocity.any():
            square = (X**2).sum(axis=1, keepdims=True)
            terms = np.hstack([X, square, np.ones_like(square)])
            center = (start**2).sum(axis=1, keepdims=True)
            scaled = (scale * np.hstack([-2 * start, np.ones_like(center), center])) @ terms.T
        else:
            scaled = np.zeros((self.n_centroids, len(X)))
            away, whole = np.empty_like(scaled), np.empty_like(scaled)
            for j in range(self.n_features):  # half distances, as in `_reflected`
                np.multiply(velocity[:, j, np.newaxis] / 2, t, out=away)
                away += start[:, j, np.newaxis] / 2
                away -= np.rint(away, out=whole)
                np.abs(away, out=away)
                away -= X[:, j] / 2
                away *= away
                scaled += away
            scaled *= 4 * scale
        return np.maximum(scaled, NEAR, out=scaled)


def _reflected(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Position in [0, 1] after reflections at 0 and 1, for the position `x` without them."""
    half = x / 2
    return 2 * np.abs(half - np.rint(half))
