r"""Streams drawn from a mixture of mixtures whose components move: the model of paper 1.

Cervantes, Gagné, Isasi and Parizeau (2018), Eqs. 4 to 7. Class :math:`C_i` has the density
:math:`\sum_j P(G_{ij}^t)\, p(x \mid G_{ij}^t)`, so the posterior of every class, the optimal
label and the lowest attainable error are known at every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from repro import seeds
from repro._checks import as_matrix, check_count, check_number
from repro.streams.component import Component
from repro.streams.stream import Stream

__all__ = ["BayesError", "DriftingMixture", "MixtureClass"]

BLOCK = 10_000  # rows worked on at once: whole long streams lose to page faults
QUADRATURE = {1: 20_001, 2: 401}  # grid points a dimension


class BayesError(NamedTuple):
    """Bayes error at some times, and its standard error: 0 where it was integrated."""

    error: NDArray[np.float64]
    standard_error: NDArray[np.float64]


@dataclass(frozen=True)
class MixtureClass:
    """One class: a name, a weight, and the components it is mixed from."""

    name: str
    components: tuple[Component, ...]
    weight: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        check_number(self.weight, name="weight", least=0)
        if not self.components:
            raise ValueError(f"components must hold at least one component; got () in {self.name}")


@dataclass(frozen=True)
class DriftingMixture:
    r"""A stream of `n` examples from drifting Gaussian mixtures, one per class.

    The prior of component *j* of class *i* at time *t* is (Eq. 7, the classes' and components'
    weights multiplied and normalised over those that exist at *t*)

    .. math:: P(G_{ij}^t) = w_i w_{ij}^t \Big/ \sum_{a,b} w_a w_{ab}^t .

    Components are numbered through all classes in order; labels are 0..K-1 in the order of
    `classes`. A description holds no data and no random state.

    >>> still = DriftingMixture("two", (
    ...     MixtureClass("A", (Component((0.0,), (1.0,)),)),
    ...     MixtureClass("B", (Component((2.0,), (1.0,)),)),
    ... ), n=100)
    >>> still.sample(seed=1)
    Stream('two', n=100, n_features=1, n_classes=2)
    >>> still.posterior([[1.0]], [0]).round(6).tolist()
    [[0.5, 0.5]]
    >>> still.bayes_error([0]).error.round(4).tolist()  # Phi(-1)
    [0.1587]
    """

    name: str
    classes: tuple[MixtureClass, ...]
    n: int = 10_001

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        check_count(self.n, name="n")
        if not self.classes:
            raise ValueError("classes must hold at least one class; got ()")
        sizes = sorted({c.n_features for c in self.components})
        if len(sizes) > 1:
            raise ValueError(f"mean must have one length in all components; got lengths {sizes}")
        # The total weight is piecewise linear: it can only vanish where a piece begins or ends.
        knots = self._knots()
        empty = knots[self._weights(knots).sum(axis=1) <= 0]
        if empty.size:
            raise ValueError(f"weight must be positive somewhere at all times; got 0 at {empty[0]}")

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """All components, class by class."""
        return tuple(component for c in self.classes for component in c.components)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Class of each component; shape (C,)."""
        return np.repeat(np.arange(len(self.classes)), [len(c.components) for c in self.classes])

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.classes)

    @property
    def n_features(self) -> int:
        """Number of attributes, d."""
        return self.components[0].n_features

    @cached_property
    def drifts(self) -> tuple[int, ...]:
        """Positions of the sudden changes: jumps, and components that appear or disappear."""
        jumps = [
            int(end)
            for c in self.components
            for end, transform in zip(c.ends, c.transforms, strict=True)
            if transform.duration == 0
        ]
        lives = [edge for c in self.components for edge in (c.start, c.stop) if edge is not None]
        return tuple(sorted({t for t in jumps + lives if 0 < t < self.n}))

    def priors(self, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each component at the times `t` of shape (n,); shape (n, C)."""
        weights = self._weights(np.atleast_1d(np.asarray(t, dtype=np.float64)))
        total = weights.sum(axis=1, keepdims=True)
        if (total <= 0).any():
            missing = np.atleast_1d(t)[int(np.argmin(total))]
            raise ValueError(f"t must be a time at which a component exists; got {missing}")
        return weights / total

    def posterior(self, X: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each class given `X` (n, d) at the times `t` (n,) or (); shape (n, K).

        Eq. 5. It is computed on logarithms, so it stays exact far from every centre.
        """
        X = as_matrix(X)
        if X.shape[1] != self.n_features:
            raise ValueError(f"X must have {self.n_features} columns; got {X.shape[1]}")
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        if times.shape not in ((1,), (len(X),)):
            raise ValueError(f"t must be one time or one per row, {len(X)}; got {times.shape}")
        joint = self._class_log_joint(X, times)
        return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`."""
        size = self.n if n is None else check_count(n, name="n")
        rng = seeds.generator(seed, "stream")  # the same for variants: they are compared alike
        X, y = np.empty((size, self.n_features)), np.empty(size, np.int64)
        risk, optimal = np.empty(size), np.empty(size, np.int64)
        for block in _blocks(size):
            t = np.arange(block.start, block.stop)
            X[block], source = self.draw(t, rng)
            y[block] = self.labels[source]
            posterior = self.posterior(X[block], t)
            optimal[block] = posterior.argmax(axis=1)
            # The sum over the other classes keeps the digits that 1 - max would lose.
            posterior[np.arange(t.size), optimal[block]] = 0.0
            risk[block] = posterior.sum(axis=1)
        return Stream(
            X,
            y,
            n_classes=self.n_classes,
            drifts=[t for t in self.drifts if t < size],
            bayes_risk=risk,
            optimal=optimal,
            name=self.name,
        )

    def draw(
        self, t: ArrayLike, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """One point (n, d) for each time in `t` (n,), and the component it came from (n,)."""
        times = np.asarray(t, dtype=np.float64)
        cumulative = np.cumsum(self.priors(times), axis=1)
        cumulative[:, -1] = 1.0  # rounding must not leave a gap at the top
        source = (rng.random(times.size)[:, None] >= cumulative).sum(axis=1)
        X = rng.standard_normal((times.size, self.n_features))
        for c in np.unique(source):
            here, component = source == c, self.components[c]
            pose = component.at(times[here])
            shaped = _apply(pose.turn @ component.factor, X[here])
            X[here] = pose.mean + np.sqrt(pose.scale)[:, None] * shaped
        return X, source

    def bayes_error(
        self, t: ArrayLike, rng: np.random.Generator | None = None, n: int = 20_000
    ) -> BayesError:
        r"""Lowest attainable error at the times `t` of shape (m,), with its standard error.

        .. math:: e(t) = \int \Bigl(\sum_k p(x, k \mid t) - \max_k p(x, k \mid t)\Bigr) dx

        Without `rng`, one and two dimensions are integrated on a grid (to about 2e-5; standard
        error 0) and more are simulated with a fixed generator. With `rng`, the mean risk
        ``1 - max_k P(k | x, t)`` of `n` points at each time, which varies less than their losses.
        """
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        if rng is None and self.n_features in QUADRATURE:
            error = np.array([self._integrated_error(s) for s in times])
            return BayesError(error, np.zeros_like(error))
        rng = seeds.generator(0, "bayes_error") if rng is None else rng
        check_count(n, name="n", least=2)
        risks = np.empty((times.size, n))
        for i, s in enumerate(times):
            X, _ = self.draw(np.full(n, s), rng)
            risks[i] = 1.0 - self.posterior(X, s).max(axis=1)
        return BayesError(risks.mean(axis=1), risks.std(axis=1, ddof=1) / np.sqrt(n))

    def _integrated_error(self, t: float) -> float:
        poses = [c.at([t]) for c in self.components]
        reach = [
            6 * np.sqrt(p.scale[0] * np.diag(p.turn[0] @ np.array(c.covariance) @ p.turn[0].T))
            for c, p in zip(self.components, poses, strict=True)
        ]
        alive = [i for i, p in enumerate(poses) if p.weight[0] > 0]
        low = np.min([poses[i].mean[0] - reach[i] for i in alive], axis=0)
        high = np.max([poses[i].mean[0] + reach[i] for i in alive], axis=0)
        points = QUADRATURE[self.n_features]
        axes = [np.linspace(a, b, points) for a, b in zip(low, high, strict=True)]
        grid = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
        density = np.exp(self._class_log_joint(grid, np.array([t])))
        cell = np.prod([a[1] - a[0] for a in axes])
        return float((density.sum(axis=1) - density.max(axis=1)).sum() * cell)

    def _class_log_joint(
        self, X: NDArray[np.float64], t: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """log p(x, k | t), -inf where class k does not exist; shape (n, K); `t` is (n,) or (1,)."""
        with np.errstate(divide="ignore"):
            log_priors = np.log(self.priors(t))
        joint = np.full((len(X), self.n_classes), -np.inf)
        for c, (component, k) in enumerate(zip(self.components, self.labels, strict=True)):
            part = log_priors[:, c] + _log_density(component, X, t)
            joint[:, k] = np.logaddexp(joint[:, k], part)
        return joint

    def _weights(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Class weight times component weight, 0 while inactive; shape (n, C)."""
        columns = [
            c.weight * component.at(t).weight for c in self.classes for component in c.components
        ]
        return np.stack(columns, axis=1)

    def _knots(self) -> NDArray[np.float64]:
        ends = [float(t) for c in self.components for t in (*c.ends, c.start, c.stop or self.n)]
        edges = np.unique([t for t in [0.0, *ends, *(t - 1 for t in ends)] if 0 <= t < self.n])
        return np.append(edges, self.n - 1)


def _log_density(
    component: Component, X: NDArray[np.float64], t: NDArray[np.float64]
) -> NDArray[np.float64]:
    r"""log N(x; mean, scale * turn @ covariance @ turn.T), shape (n,); `t` is (n,) or (1,)."""
    pose, d = component.at(t), component.n_features
    whiten = np.linalg.inv(component.factor) @ np.swapaxes(pose.turn, 1, 2)
    distance = (_apply(whiten, X - pose.mean) ** 2).sum(axis=1) / pose.scale
    log_det = 2 * np.log(np.diag(component.factor)).sum() + d * np.log(pose.scale)
    return -0.5 * (d * np.log(2 * np.pi) + log_det + distance)


def _apply(matrices: NDArray[np.float64], X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each matrix (n or 1, d, d) times its row of `X` (n, d); one for all goes through BLAS."""
    if len(matrices) == 1:
        return X @ matrices[0].T
    return np.einsum("nij,nj->ni", matrices, X)


def _blocks(n: int) -> Iterator[slice]:
    for start in range(0, n, BLOCK):
        yield slice(start, min(start + BLOCK, n))
