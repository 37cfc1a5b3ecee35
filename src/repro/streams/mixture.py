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
from repro._checks import as_list, check_count, check_number, check_rng, check_text, settle
from repro.streams._densities import draw_points, grid_around, joint_density, points_of
from repro.streams._distribution import Filled, KnownDistribution
from repro.streams._inputs import as_times, check_size
from repro.streams.component import Component, Pose
from repro.streams.stream import Schema

__all__ = ["DriftingMixture", "MixtureClass"]

# Rows drawn at once: larger arrays cause page faults. Changing it changes what a seed draws.
BLOCK = 10_000


@dataclass(frozen=True)
class MixtureClass:
    """One class of a mixture.

    Parameters
    ----------
    name : name of the class.
    components : its Gaussian components, at least one.
    weight : weight of the class among all classes.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.
    """

    name: str
    components: tuple[Component, ...]
    weight: float = 1.0

    def __post_init__(self) -> None:
        rule = "a list of Components"
        settle(
            self,
            name=check_text(self.name, name="name"),
            components=tuple(as_list(self.components, Component, name="components", rule=rule)),
            weight=check_number(self.weight, name="weight", least=0),
        )
        if not self.components:
            raise ValueError(f"components must hold at least one component; got () in {self.name}")


@dataclass(frozen=True)
class DriftingMixture(KnownDistribution):
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
        """Positions of all sudden changes, in order, also of those after the end."""
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

    def _draw_rows(self, X: NDArray[np.float64], seed: int) -> Iterator[tuple[slice, Filled]]:
        """Draw the rows of `X` (n, d); the name is no part of the seed: variants share draws."""
        if len(X) > self.n and (empty := self._empty_times(len(X))).size:
            raise ValueError(f"n must end before all components do, {empty[0]:g}; got {len(X)}")
        rng = seeds.generator(seed, "stream")
        for block, whole in self._blocks(len(X)):
            t = np.arange(block.start, block.stop, dtype=np.float64)
            poses, priors = self._poses_and_priors(t)
            columns, source = draw_points(self.components, poses, priors, rng, whole)
            X[block] = columns.T
            posterior = self._posterior(columns, poses, priors)
            best = posterior.argmax(axis=0)
            # The sum over the other classes keeps the digits that 1 - max would lose.
            posterior[best, np.arange(t.size)] = 0.0
            yield block, Filled(self.labels[source], posterior.sum(axis=0), best)

    def _shares(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Eq. 5, computed from logarithms, so it is exact far from every centre; (K, m)."""
        return self._posterior(X.T, *self._poses_and_priors(t))

    def draw(
        self, t: ArrayLike, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """One point (n, d) for each time in `t` (n,), and the component it came from (n,)."""
        poses, priors = self._poses_and_priors(as_times(t))
        columns, source = draw_points(self.components, poses, priors, check_rng(rng))
        return np.ascontiguousarray(columns.T), source

    def _error_at(self, t: float) -> float | None:
        """The integral on a grid, if there is one for the components at the time `t`."""
        if (axes := grid_around(self.components, t)) is None:
            return None
        points, volume = points_of(axes)
        joint, peak = self._joint(points, *self._poses_and_priors(np.array([t])))
        return float(((joint.sum(axis=0) - joint.max(axis=0)) * np.exp(peak)).sum() * volume)

    def _risks(self, t: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Bayes risk (n,) of each of `n` points drawn at the time `t`."""
        X, _ = self.draw(np.full(check_size(n, row=self.n_features + 3), t), rng)
        return np.asarray(1.0 - self.posterior(X, t).max(axis=1))

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
