r"""A Gaussian component whose mean, shape and weight follow a cascade of transforms.

Section 3.4 of Cervantes et al. (2018): each transform is applied linearly over its duration,
one after the other, and starts where the previous one ended; a duration of 0 is a jump.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import LONGEST, as_list, check_count, check_number, settle
from repro.streams._inputs import as_times
from repro.streams._shapes import Planes, as_angles, as_covariance, as_point, turned

__all__ = ["Component", "Pose", "Transform"]

_Phase = tuple[int, slice, NDArray[np.float64]]


@dataclass(frozen=True)
class Transform:
    r"""One phase of change. At the fraction *f* of its `duration` the component has

    - mean :math:`Q(f\,\text{orbit})\,(\mu - \text{pivot}) + \text{pivot} + f\,\text{translation}`,
    - covariance :math:`(1 + f(\text{scale} - 1))\; R(f\,\text{rotation})\,\Sigma\,R^\top`,
    - weight :math:`w + f(\text{weight} - w)`,

    where :math:`\mu, \Sigma, w` are those at the start of the phase.

    Parameters
    ----------
    duration : duration of the change in examples; 0 makes it a jump.
    translation : vector added to the mean, one number per dimension; () for no translation.
    rotation : angle by which the shape turns, degrees, counter-clockwise in the plane of the
        first two dimensions; in more dimensions also ``((i, j, degrees), ...)``, applied in order.
    scale : factor of the *variance* at the end of the phase.
    weight : weight at the end of the phase; None keeps it.
    orbit : angle by which the mean turns about `pivot`, given like `rotation`.
    pivot : centre of the orbit; () is the origin.
    """

    duration: int = 0
    translation: tuple[float, ...] = ()
    rotation: float | Planes = 0.0
    scale: float = 1.0
    weight: float | None = None
    orbit: float | Planes = 0.0
    pivot: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        weight = self.weight
        settle(
            self,
            duration=check_count(self.duration, name="duration", least=0, most=LONGEST),
            scale=check_number(self.scale, name="scale", above=0),
            weight=None if weight is None else check_number(weight, name="weight", least=0),
            translation=as_point(self.translation, name="translation"),
            pivot=as_point(self.pivot, name="pivot"),
            rotation=as_angles(self.rotation, name="rotation"),
            orbit=as_angles(self.orbit, name="orbit"),
        )


class Pose(NamedTuple):
    """A component at n times: mean (n, d), turn (n, d, d), scale (n,) and weight (n,).

    The covariance is ``scale * turn @ covariance @ turn.T``; the weight is 0 while inactive.
    A shape that never turns has one turn for all times, (1, d, d).
    """

    mean: NDArray[np.float64]
    turn: NDArray[np.float64]
    scale: NDArray[np.float64]
    weight: NDArray[np.float64]


@dataclass(frozen=True)
class Component:
    """A Gaussian component and its changes over time.

    Parameters
    ----------
    mean : centre at the start, d numbers.
    covariance : d variances, or a d x d covariance matrix, before `rotation`.
    rotation : initial turn of the shape, given like `Transform.rotation`.
    weight : weight within the class at the start.
    transforms : the cascade; after its end the component does not change.
    start, stop : the component exists at the indices start..stop-1; None is the end of the
        stream.

    Raises TypeError for transforms of another kind, ValueError for a wrong value.

    >>> moving = Component((0, 0), (2.5, 1.0), transforms=(Transform(100, (10, 20)),))
    >>> moving.at([0, 50, 1000]).mean.tolist()
    [[0.0, 0.0], [5.0, 10.0], [10.0, 20.0]]
    """

    mean: tuple[float, ...]
    covariance: tuple[float, ...] | tuple[tuple[float, ...], ...]
    rotation: float | Planes = 0.0
    weight: float = 1.0
    transforms: tuple[Transform, ...] = ()
    start: int = 0
    stop: int | None = None

    def __post_init__(self) -> None:
        mean = as_point(self.mean, name="mean")
        if not mean:
            raise ValueError("mean must hold at least one number; got ()")
        rule = "a list of Transforms"
        settle(
            self,
            mean=mean,
            rotation=as_angles(self.rotation, name="rotation"),
            covariance=as_covariance(self.covariance, len(mean)),
            transforms=tuple(as_list(self.transforms, Transform, name="transforms", rule=rule)),
            weight=check_number(self.weight, name="weight", least=0),
            start=check_count(self.start, name="start", least=0, most=LONGEST),
        )
        if self.start + sum(t.duration for t in self.transforms) > LONGEST:
            raise ValueError(f"transforms must end by the index {LONGEST}; got a later end")
        if self.stop is not None:
            settle(self, stop=check_count(self.stop, name="stop", most=LONGEST))
            if self.stop <= self.start:
                raise ValueError(f"stop must be after start={self.start}; got {self.stop}")
        self._check_dimensions()

    def _check_dimensions(self) -> None:
        d = len(self.mean)
        turned(self.rotation, np.ones(1), d, name="rotation")
        for i, transform in enumerate(self.transforms):
            for name in ("translation", "pivot"):
                if len(getattr(transform, name)) not in (0, d):
                    raise ValueError(
                        f"transforms[{i}].{name} must hold {d} numbers or none; "
                        f"got {getattr(transform, name)}"
                    )
            for name in ("rotation", "orbit"):
                turned(getattr(transform, name), np.ones(1), d, name=f"transforms[{i}].{name}")

    @property
    def n_features(self) -> int:
        """Number of dimensions, d."""
        return len(self.mean)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Index at which each transform ends, shape (number of transforms,)."""
        return self.start + np.cumsum([t.duration for t in self.transforms], dtype=np.int64)

    @cached_property
    def factor(self) -> NDArray[np.float64]:
        """Lower Cholesky factor of the covariance before any turn; shape (d, d)."""
        return np.linalg.cholesky(np.array(self.covariance))

    @cached_property
    def whiten(self) -> NDArray[np.float64]:
        """Inverse of `factor`; shape (d, d)."""
        return np.asarray(np.linalg.inv(self.factor), dtype=np.float64)

    @cached_property
    def log_det(self) -> float:
        """Logarithm of the determinant of the covariance before any scale."""
        return 2 * float(np.log(np.diag(self.factor)).sum())

    def at(self, t: ArrayLike) -> Pose:
        """Mean, turn, scale and weight at the times `t` >= 0 of shape (n,)."""
        times = as_times(t)
        if (times[1:] < times[:-1]).any():
            order = np.argsort(times)
            back, pose = np.argsort(order), self.at(times[order])
            return Pose(*(part if len(part) == 1 else part[back] for part in pose))
        # In time order each phase is one slice. Arrays run along time, which is fast.
        d, n, begin = self.n_features, times.size, self._begins
        mean, scale, weight = np.empty((d, n)), np.empty(n), np.empty(n)
        turn = np.empty((d, d, n)) if self._turns else begin.turn[0][:, :, None]
        for k, here, fraction in self._phases(times):
            change, final = self._changes[k], min(k + 1, len(self.transforms))
            shift = np.array(change.translation or [0.0] * d)[:, None]
            mean[:, here] = begin.mean[k][:, None] + shift * fraction
            if change.orbit:
                mean[:, here] += _orbit(change, begin.mean[k], fraction)
            if change.rotation:
                turn[:, :, here] = begin.turn[k].T @ turned(change.rotation, fraction, d)
            elif self._turns:
                turn[:, :, here] = begin.turn[k][:, :, None]
            scale[here] = begin.scale[k] * (1 + fraction * (change.scale - 1))
            weight[here] = begin.weight[k] + fraction * (begin.weight[final] - begin.weight[k])
        weight[(times < self.start) | (times >= (self.stop or np.inf))] = 0.0
        return Pose(mean.T, turn.transpose(2, 0, 1), scale, weight)

    def _phases(self, times: NDArray[np.float64]) -> Iterator[_Phase]:
        """Each phase that contains some of the sorted `times`: number, slice, and fractions."""
        edges = [0, *np.searchsorted(times, self.ends), times.size]
        begins = [self.start, *self.ends]
        for k, change in enumerate(self._changes):
            here = slice(edges[k], edges[k + 1])
            if here.start < here.stop:
                fraction = (times[here] - begins[k]) / max(change.duration, 1)
                # Before its start a component is inactive and has its first pose.
                yield k, here, np.clip(fraction, 0.0, 1.0)

    @cached_property
    def _changes(self) -> tuple[Transform, ...]:
        """The cascade, followed by no change."""
        return (*self.transforms, Transform())

    @cached_property
    def _turns(self) -> bool:
        return any(change.rotation for change in self.transforms)

    @cached_property
    def _begins(self) -> Pose:
        """The pose at the beginning of each phase, and after the last one."""
        d = self.n_features
        mean, scale, weight = [np.array(self.mean)], [1.0], [self.weight]
        turn = [turned(self.rotation, np.ones(1), d)[:, :, 0]]
        for change in self.transforms:
            shift = np.array(change.translation or [0.0] * d)
            mean.append(mean[-1] + shift + _orbit(change, mean[-1], np.ones(1))[:, 0])
            turn.append(turned(change.rotation, np.ones(1), d)[:, :, 0] @ turn[-1])
            scale.append(scale[-1] * change.scale)
            weight.append(weight[-1] if change.weight is None else change.weight)
        return Pose(np.array(mean), np.array(turn), np.array(scale), np.array(weight))


def _orbit(
    change: Transform, mean: NDArray[np.float64], fraction: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Displacement of `mean` (d,) by the orbit at each `fraction` (n,); shape (d, n)."""
    arm = (mean - np.array(change.pivot or [0.0] * mean.size))[:, None]
    return (turned(change.orbit, fraction, mean.size) * arm).sum(axis=1) - arm
