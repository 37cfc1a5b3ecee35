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

from repro import seeds
from repro._checks import as_matrix, check_count, check_number, check_rng
from repro.streams._densities import log_density, times
from repro.streams._inputs import as_items, as_times, check_size, check_text
from repro.streams.component import Component, Pose
from repro.streams.stream import Stream

__all__ = ["BayesError", "DriftingMixture", "MixtureClass"]

BLOCK = 10_000  # rows worked on at once: whole long streams lose to page faults
QUADRATURE = {1: 20_001, 2: 401}  # grid points a dimension
FINENESS = 0.15  # largest step of the grid, in deviations of the slenderest component


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
        check_text(self.name)
        components = as_items(self.components, Component, name="components")
        object.__setattr__(self, "components", components)
        object.__setattr__(self, "weight", check_number(self.weight, name="weight", least=0))
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
        check_text(self.name)
        object.__setattr__(self, "classes", as_items(self.classes, MixtureClass, name="classes"))
        object.__setattr__(self, "n", check_count(self.n, name="n"))
        if not self.classes:
            raise ValueError("classes must hold at least one class; got ()")
        sizes = sorted({c.n_features for c in self.components})
        if len(sizes) > 1:
            raise ValueError(f"mean must have one length in all components; got lengths {sizes}")
        empty = self._empty_times(self.n)
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
        return tuple(t for t in self._edges if t < self.n)

    @cached_property
    def _edges(self) -> tuple[int, ...]:
        """The sudden changes of a stream without end."""
        jumps = [
            int(end)
            for c in self.components
            for end, transform in zip(c.ends, c.transforms, strict=True)
            if transform.duration == 0
        ]
        lives = [edge for c in self.components for edge in (c.start, c.stop) if edge is not None]
        return tuple(sorted({t for t in jumps + lives if t > 0}))

    def priors(self, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each component at the times `t` >= 0 of shape (n,); shape (n, C)."""
        _, priors = self._poses_and_priors(as_times(t))
        return priors.T

    def posterior(self, X: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of each class given `X` (n, d) at the times `t` (n,) or (); shape (n, K).

        Eq. 5. It is computed on logarithms, so it stays exact far from every centre; nan in a row
        so far away that the density is below all floats.
        """
        X = as_matrix(X)
        if X.shape[1] != self.n_features:
            raise ValueError(f"X must have {self.n_features} columns; got {X.shape[1]}")
        times = as_times(t, n=len(X))
        with np.errstate(invalid="ignore", over="ignore"):
            return self._posterior(X.T, *self._poses_and_priors(times)).T

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`.

        A longer stream begins with the shorter.
        """
        size = check_size(self.n if n is None else n, row=self.n_features + 3)
        if size > self.n and (empty := self._empty_times(size)).size:
            raise ValueError(f"n must end before all components do, {empty[0]:g}; got {size}")
        rng = seeds.generator(seed, "stream")  # the same for variants: they are compared alike
        X, y = np.empty((size, self.n_features)), np.empty(size, np.int64)
        risk, optimal = np.empty(size), np.empty(size, np.int64)
        for block, whole in self._blocks(size):
            t = np.arange(block.start, block.stop, dtype=np.float64)
            poses, priors = self._poses_and_priors(t)
            columns, source = self._draw(poses, priors, rng, whole)
            X[block], y[block] = columns.T, self.labels[source]
            posterior = self._posterior(columns, poses, priors)
            optimal[block] = best = posterior.argmax(axis=0)
            # The sum over the other classes keeps the digits that 1 - max would lose.
            posterior[best, np.arange(t.size)] = 0.0
            risk[block] = posterior.sum(axis=0)
        return Stream(
            X,
            y,
            n_classes=self.n_classes,
            drifts=[t for t in self._edges if t < size],
            bayes_risk=risk,
            optimal=optimal,
            name=self.name,
        )

    def draw(
        self, t: ArrayLike, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """One point (n, d) for each time in `t` (n,), and the component it came from (n,)."""
        columns, source = self._draw(*self._poses_and_priors(as_times(t)), check_rng(rng))
        return np.ascontiguousarray(columns.T), source

    def bayes_error(
        self, t: ArrayLike, rng: np.random.Generator | None = None, n: int = 20_000
    ) -> BayesError:
        r"""Lowest attainable error at the times `t` of shape (m,), with its standard error.

        .. math:: e(t) = \int \Bigl(\sum_k p(x, k \mid t) - \max_k p(x, k \mid t)\Bigr) dx

        Without `rng`, one and two dimensions are integrated on a grid (to about 1e-4; standard
        error 0). With `rng`, or in more dimensions, or where a component is too slender for the
        grid, it is the mean risk ``1 - max_k P(k | x, t)`` of `n` points at each time, which
        varies less than their losses; without `rng` these points are always the same.
        """
        check_size(n, row=self.n_features + 3, least=2)
        times = as_times(t)
        points = seeds.generator(0, "bayes_error") if rng is None else check_rng(rng)
        error, deviation = np.zeros(times.size), np.zeros(times.size)
        for i, s in enumerate(times):
            grid = self._grid(s) if rng is None else None
            if grid is not None:
                error[i] = self._integrated_error(s, grid)
            else:
                X, _ = self.draw(np.full(n, s), points)
                risk = 1.0 - self.posterior(X, s).max(axis=1)
                error[i], deviation[i] = risk.mean(), risk.std(ddof=1) / np.sqrt(n)
        return BayesError(error, deviation)

    def _grid(self, t: float) -> list[NDArray[np.float64]] | None:
        """An axis per dimension, 6 deviations around every component; None if not fine enough."""
        points = QUADRATURE.get(self.n_features)
        if points is None:
            return None
        poses = [(c, c.at([t])) for c in self.components]
        alive = [(c, pose) for c, pose in poses if pose.weight[0] > 0]
        means = np.array([pose.mean[0] for _, pose in alive])
        shapes = [np.sqrt(pose.scale[0]) * pose.turn[0] @ c.factor for c, pose in alive]
        reach = 6 * np.array([np.linalg.norm(shape, axis=1) for shape in shapes])
        low, high = (means - reach).min(axis=0), (means + reach).max(axis=0)
        slenderest = min(np.linalg.svd(shape, compute_uv=False)[-1] for shape in shapes)
        if (high - low).max() > FINENESS * slenderest * (points - 1):
            return None
        return [np.linspace(a, b, points) for a, b in zip(low, high, strict=True)]

    def _integrated_error(self, t: float, axes: list[NDArray[np.float64]]) -> float:
        times, grid = np.array([t]), np.stack([a.ravel() for a in np.meshgrid(*axes)])
        joint, peak = self._joint(grid, *self._poses_and_priors(times))
        cell = np.prod([a[1] - a[0] for a in axes])
        return float(((joint.sum(axis=0) - joint.max(axis=0)) * np.exp(peak)).sum() * cell)

    # Below, arrays run along time in their last axis, where NumPy is fastest: X is (d, n), priors
    # and weights are (C, n), classes (K, n). What depends on time alone may have n = 1.

    def _weights(self, poses: list[Pose]) -> NDArray[np.float64]:
        """Class weight times component weight, 0 while inactive."""
        pairs = zip(self.labels, poses, strict=True)
        return np.stack([self.classes[k].weight * pose.weight for k, pose in pairs])

    def _poses_and_priors(self, t: NDArray[np.float64]) -> tuple[list[Pose], NDArray[np.float64]]:
        poses = [component.at(t) for component in self.components]
        weights = self._weights(poses)
        total = weights.sum(axis=0)
        if not (total > 0).all():
            missing = t[int(np.argmin(total))]
            raise ValueError(f"t must be a time at which a component exists; got {missing:g}")
        return poses, weights / total

    def _draw(
        self,
        poses: list[Pose],
        priors: NDArray[np.float64],
        rng: np.random.Generator,
        whole: int | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Points (d, n) and their components (n,): the first n of a block of `whole` points."""
        n = priors.shape[1]
        uniform, normal = rng.random(whole or n)[:n], rng.standard_normal((n, self.n_features))
        source, below = np.zeros(n, np.int64), np.zeros(n)
        for prior in priors[:-1]:  # what lies above the others is the last one's, to the top
            below += prior
            source += uniform >= below
        X = normal = np.ascontiguousarray(normal.T)
        for c, (component, pose) in enumerate(zip(self.components, poses, strict=True)):
            shape = component.factor.T @ pose.turn.transpose(1, 2, 0)  # turn @ factor
            shaped = np.sqrt(pose.scale) * times(shape, normal)
            X = np.where(source == c, pose.mean.T + shaped, X)
        return X, source

    def _posterior(
        self, X: NDArray[np.float64], poses: list[Pose], priors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        joint, _ = self._joint(X, poses, priors)
        return joint / joint.sum(axis=0)

    def _joint(
        self, X: NDArray[np.float64], poses: list[Pose], priors: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """p(x, k | t) as (K, n) over exp(peak), and the peak (n,): no term underflows to 0 / 0."""
        with np.errstate(divide="ignore"):  # log 0 is right where a component does not exist
            log_joint = np.log(priors) + np.stack(
                [log_density(c, p, X) for c, p in zip(self.components, poses, strict=True)]
            )
        peak = log_joint.max(axis=0)
        parts = np.exp(log_joint - peak)
        return np.stack([parts[self.labels == k].sum(axis=0) for k in range(self.n_classes)]), peak

    def _blocks(self, n: int) -> Iterator[tuple[slice, int]]:
        """Rows 0..n-1 in blocks, each with the length that it has in a stream without end.

        The blocks are those of a stream of `self.n`, then more from there on: which random numbers
        a row is made from does not depend on `n`.
        """
        start = 0
        while start < n:
            whole = min(BLOCK, self.n - start) if start < self.n else BLOCK
            yield slice(start, min(start + whole, n)), whole
            start += whole

    def _empty_times(self, n: int) -> NDArray[np.float64]:
        """Times below `n` without a component, if any: the first of each gap is among them.

        The total weight is linear between the times at which a transform ends or a component
        begins or stops, and takes its new value there: it vanishes at such a time or not at all.
        """
        ends = [float(t) for c in self.components for t in (*c.ends, c.start, c.stop or n)]
        knots = np.unique([t for t in (0.0, *ends) if t < n])
        weights = self._weights([c.at(knots) for c in self.components])
        return np.asarray(knots[weights.sum(axis=0) <= 0])
