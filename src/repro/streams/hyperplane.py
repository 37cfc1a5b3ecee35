"""Hyperplane: labels by the side of a hyperplane through the centre of the unit cube."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import (
    LONGEST,
    as_list,
    check_count,
    check_fits,
    check_number,
    check_probability,
    settle,
    shown,
)
from repro.streams._distribution import Filled
from repro.streams._generator import (
    Generator,
    Generators,
    check_noise,
    label_log_joint,
    noisy,
)
from repro.streams._inputs import as_times, check_size
from repro.streams.stream import Schema

__all__ = ["Hyperplane"]


@dataclass(frozen=True)
class Hyperplane(Generator):
    r"""A rotating hyperplane (Hulten, Spencer and Domingos 2001; Wang, Fan, Yu and Han 2003).

    .. math:: x \sim U[0, 1)^d, \quad
              y = \Bigl[\sum_i w_i(t)\, x_i \ge \tfrac12 \sum_i w_i(t)\Bigr]

    so both labels are equally likely at all times. Then the label is inverted with probability
    `noise`, which is the Bayes error. The weights of the first `drifting` attributes change
    linearly, up or down, by `magnitude` in every `period` examples. At the end of each period each
    of these weights changes its direction with probability `reversal`.

    Parameters
    ----------
    n_features : d, unless `weights` are given.
    weights : d numbers, the weights at time 0; () draws them from U[0, 1).
    drifting, magnitude, period, reversal : see above; by default no weight changes.
    noise : in [0, 0.5].
    model_seed : seed of the weights and their directions, which do not depend on the seed of
        `sample`.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.

    >>> moving = Hyperplane(weights=(1, 2), drifting=1, magnitude=0.4, period=100)
    >>> abs(moving.weights_at([0, 50, 100]) - (1, 2)).round(3).tolist()
    [[0.0, 0.0], [0.2, 0.0], [0.4, 0.0]]
    """

    n_features: int = 10
    weights: tuple[float, ...] = ()
    drifting: int = 0
    magnitude: float = 0.1
    period: int = 1_000
    reversal: float = 0.1
    noise: float = 0.05
    model_seed: int = 1

    PARTS: ClassVar = ("attributes", "noise")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.n_features, row=self.ROWS, name="n_features")
        check_count(self.model_seed, name="model_seed", least=0)
        check_count(self.period, name="period", most=LONGEST)
        weights = _as_weights(self.weights)
        settle(self, weights=weights, n_features=len(weights) or self.n_features)
        if check_count(self.drifting, name="drifting", least=0) > self.n_features:
            most = self.n_features
            raise ValueError(f"drifting must be at most {most}; got {shown(self.drifting)}")
        settle(
            self,
            reversal=check_probability(self.reversal, name="reversal"),
            magnitude=check_number(self.magnitude, name="magnitude"),
            noise=check_noise(self.noise),
        )

    @property
    def schema(self) -> Schema:
        """Numeric attributes, two classes."""
        return Schema((0,) * self.n_features, 2)

    @property
    def exact_error(self) -> float:
        """The noise."""
        return self.noise

    @cached_property
    def _start(self) -> NDArray[np.float64]:
        rng = seeds.generator(self.model_seed, "Hyperplane", "weights")
        return np.array(self.weights or rng.random(self.n_features))

    def weights_at(self, t: ArrayLike) -> NDArray[np.float64]:
        """Weights at the times `t` >= 0 of shape (n,); shape (n, d)."""
        times = as_times(t)
        weights = np.tile(self._start, (times.size, 1))
        if self.drifting:
            weights[:, : self.drifting] += self._moved(times)
        return weights

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        rngs["attributes"].random(out=X)
        clean = self._label(X, t)
        return Filled(noisy(clean, self.noise, 2, rngs["noise"]), self.noise, clean)

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = ((X >= 0) & (X < 1)).all(axis=1)
        log_density = np.where(inside, 0.0, -np.inf)
        return label_log_joint(self._label(X, t), self.noise, 2, log_density)

    def _label(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.bool_]:
        above = np.einsum("ij,j->i", X, self._start) - self._start.sum() / 2
        if self.drifting:
            moved = self._moved(t)
            above += np.einsum("ij,ij->i", moved, X[:, : self.drifting])
            above -= np.einsum("ij->i", moved) / 2
        return above >= 0

    def _moved(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Change of the drifting weights up to the times `t` (n,); shape (n, drifting)."""
        periods = t / self.period
        check_fits(64 * self.drifting * int(periods.max()), name="t", value=float(t.max()))
        whole = periods.astype(np.int64)
        enough = 1 << int(whole.max()).bit_length()  # powers of 2, so that the cache is used
        way, come = _paths(self.model_seed, self.drifting, self.reversal, enough)
        return self.magnitude * (come[whole] + way[whole] * (periods - whole)[:, np.newaxis])


def _as_weights(values: Any) -> tuple[float, ...]:
    listed: list[Any] = as_list(values, name="weights", rule="a list of numbers")
    weights = tuple(check_number(w, name="weights") for w in listed)
    if weights and not any(weights):
        raise ValueError(f"weights must not all be 0; got {shown(weights)}")
    return weights


@lru_cache(maxsize=16)
def _paths(
    model_seed: int, drifting: int, reversal: float, periods: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Direction in each period, -1 or 1, and the sum of all earlier ones; (periods, drifting)."""
    rng = seeds.generator(model_seed, "Hyperplane", "directions")
    first = np.where(rng.random(drifting) < 0.5, -1.0, 1.0)
    turns = np.where(rng.random((periods, drifting)) < reversal, -1.0, 1.0)
    way: NDArray[np.float64] = first * np.cumprod(turns, axis=0)
    return way, np.cumsum(way, axis=0) - way
