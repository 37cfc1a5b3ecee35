r"""Streams drawn from a mixture of Gaussian mixtures with moving components (paper 1).

Cervantes, Gagné, Isasi and Parizeau (2018), Eqs. 4 to 7. Class :math:`C_i` has the density
:math:`\sum_j P(G_{ij}^t)\, p(x \mid G_{ij}^t)`, so the posterior of every class, the optimal
label and the lowest attainable error are known at every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import as_list, as_matrix, check_count, check_rng, check_text, settle
from repro.streams._densities import draw_points, joint_density
from repro.streams._inputs import as_times, check_size
from repro.streams._quadrature import grid_around, points_of
from repro.streams.bayes_error import BayesError
from repro.streams.component import Component, Pose
from repro.streams.mixture_class import MixtureClass
from repro.streams.stream import Schema, Stream

__all__ = ["DriftingMixture"]

# Rows drawn at once: larger arrays cause page faults. Changing it changes what a seed draws.
BLOCK = 10_000


@dataclass(frozen=True)
class DriftingMixture:
    r"""A stream of `n` examples from drifting Gaussian mixtures, one per class.

    The prior of component *j* of class *i* at time *t* is (Eq. 7, the classes' and components'
    weights multiplied and normalised over those that exist at *t*)

    .. math:: P(G_{ij}^t) = w_i w_{ij}^t \Big/ \sum_{a,b} w_a w_{ab}^t .

    Components are numbered class by class; labels are 0..K-1 in the order of `classes`.

    Parameters
    ----------
    name : name of the stream.
    classes : the classes, at least one.
    n : number of examples that `sample` draws by default.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

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
        rule = "a list of MixtureClasses"
        settle(
            self,
            name=check_text(self.name, name="name"),
            classes=tuple(as_list(self.classes, MixtureClass, name="classes", rule=rule)),
            n=check_count(self.n, name="n"),
        )
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

    @property
    def schema(self) -> Schema:
        """Numeric attributes; one class per entry of `classes`."""
        return Schema((0,) * self.n_features, self.n_classes)

    @cached_property
    def drifts(self) -> tuple[int, ...]:
        """Positions of the sudden changes: jumps, and components that appear or disappear."""
        return tuple(t for t in self._sudden_changes if t < self.n)

    @cached_property
    def _sudden_changes(self) -> tuple[int, ...]:
        """Positions of all sudden changes, also of those after the end."""
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

        Eq. 5, computed from logarithms, so it is exact far from every centre. A row is nan if it is
        so far away that even its log density is below all floats.
        """
        X = as_matrix(X)
        if X.shape[1] != self.n_features:
            raise ValueError(f"X must have {self.n_features} columns; got {X.shape[1]}")
        times = as_times(t, n=len(X))
        with np.errstate(invalid="ignore", over="ignore"):
            return self._posterior(X.T, *self._poses_and_priors(times)).T

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`.

        A longer stream begins with the shorter one.
        """
        size = check_size(self.n if n is None else n, row=self.n_features + 3)
        if size > self.n and (empty := self._empty_times(size)).size:
            raise ValueError(f"n must end before all components do, {empty[0]:g}; got {size}")
        # The name of the mixture is no part of the seed: variants are compared on equal draws.
        rng = seeds.generator(seed, "stream")
        X, y = np.empty((size, self.n_features)), np.empty(size, np.int64)
        risk, optimal = np.empty(size), np.empty(size, np.int64)
        for block, whole in self._blocks(size):
            t = np.arange(block.start, block.stop, dtype=np.float64)
            poses, priors = self._poses_and_priors(t)
            columns, source = draw_points(self.components, poses, priors, rng, whole)
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
            drifts=[t for t in self._sudden_changes if t < size],
            bayes_risk=risk,
            optimal=optimal,
            name=self.name,
        )

    def draw(
        self, t: ArrayLike, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """One point (n, d) for each time in `t` (n,), and the component it came from (n,)."""
        poses, priors = self._poses_and_priors(as_times(t))
        columns, source = draw_points(self.components, poses, priors, check_rng(rng))
        return np.ascontiguousarray(columns.T), source

    def bayes_error(
        self, t: ArrayLike, rng: np.random.Generator | None = None, n: int = 20_000
    ) -> BayesError:
        r"""Lowest attainable error at the times `t` of shape (m,), with its standard error.

        .. math:: e(t) = \int \Bigl(\sum_k p(x, k \mid t) - \max_k p(x, k \mid t)\Bigr) dx

        Parameters
        ----------
        t : times >= 0.
        rng : None integrates on a grid in one and two dimensions, to about 1e-4 (standard error
            0), unless a component is too narrow for the grid.
        n : number of points per time otherwise. The error is then their mean risk
            ``1 - max_k P(k | x, t)``, which varies less than their losses. Without `rng` the
            points are the same in every call.
        """
        check_size(n, row=self.n_features + 3, least=2)
        times = as_times(t)
        points = seeds.generator(0, "bayes_error") if rng is None else check_rng(rng)
        error, deviation = np.zeros(times.size), np.zeros(times.size)
        for i, s in enumerate(times):
            axes = grid_around(self.components, s) if rng is None else None
            if axes is not None:
                error[i] = self._integrated_error(s, axes)
            else:
                X, _ = self.draw(np.full(n, s), points)
                risk = 1.0 - self.posterior(X, s).max(axis=1)
                error[i], deviation[i] = risk.mean(), risk.std(ddof=1) / np.sqrt(n)
        return BayesError(error, deviation)

    def _integrated_error(self, t: float, axes: list[NDArray[np.float64]]) -> float:
        points, volume = points_of(axes)
        joint, peak = self._joint(points, *self._poses_and_priors(np.array([t])))
        return float(((joint.sum(axis=0) - joint.max(axis=0)) * np.exp(peak)).sum() * volume)

    # Below, arrays run along time in their last axis, as in `_densities`.

    def _weights(self, poses: list[Pose]) -> NDArray[np.float64]:
        """Class weight times component weight, (C, n); 0 while inactive."""
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

    def _posterior(
        self, X: NDArray[np.float64], poses: list[Pose], priors: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        joint, _ = self._joint(X, poses, priors)
        return joint / joint.sum(axis=0)

    def _joint(
        self, X: NDArray[np.float64], poses: list[Pose], priors: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return joint_density(self.components, poses, priors, self.labels, X)

    def _blocks(self, n: int) -> Iterator[tuple[slice, int]]:
        """Rows 0..n-1 in blocks, each with its length in a stream without end.

        The first blocks are those of a stream of length `self.n`. So the random numbers that make
        a row do not depend on `n`.
        """
        start = 0
        while start < n:
            whole = min(BLOCK, self.n - start) if start < self.n else BLOCK
            yield slice(start, min(start + whole, n)), whole
            start += whole

    def _empty_times(self, n: int) -> NDArray[np.float64]:
        """Times below `n` at which the total weight is 0, with the first time of each such gap.

        Between the times at which a transform ends or a component begins or stops, the total
        weight is linear. So it is enough to look at these times.
        """
        ends = [float(t) for c in self.components for t in (*c.ends, c.start, c.stop or n)]
        knots = np.unique([t for t in (0.0, *ends) if t < n])
        weights = self._weights([c.at(knots) for c in self.components])
        return np.asarray(knots[weights.sum(axis=0) <= 0])
