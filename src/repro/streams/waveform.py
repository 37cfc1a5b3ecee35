"""Waveform: three classes, each mixed from two of three triangular waves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from repro._checks import check_count
from repro.streams._distribution import Filled
from repro.streams._generator import Generator, Generators, relevant_columns, truth_of
from repro.streams._inputs import check_size
from repro.streams.stream import Schema

__all__ = ["Waveform"]

POINTS = 21
WAVES = np.maximum(6 - np.abs(np.arange(POINTS) - np.array([[10], [14], [6]])), 0).astype(float)
FIRST, SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])  # waves that each class is mixed from


@dataclass(frozen=True)
class Waveform(Generator):
    r"""Three equally likely classes of noisy waves (Breiman et al. 1984).

    .. math:: x = u h_a + (1 - u) h_b + \varepsilon, \quad u \sim U[0, 1], \;
              \varepsilon \sim N(0, I)

    with the triangles :math:`h_1(i) = \max(6 - |i - 11|, 0)`, :math:`h_2(i) = h_1(i - 4)` and
    :math:`h_3(i) = h_1(i + 4)` over i = 1..21, and (a, b) = (1, 2), (1, 3), (2, 3) in the classes
    0, 1, 2. Irrelevant attributes are N(0, 1). The integral over :math:`u` has a closed form,

    .. math:: p(x \mid k) \propto e^{-\lVert x - h_b \rVert^2 / 2 + q^2 / 2}
              \bigl(\Phi(s - q) - \Phi(-q)\bigr) / s, \quad
              s = \lVert h_a - h_b \rVert, \; q = (x - h_b) \cdot (h_a - h_b) / s,

    so the posterior is exact. The Bayes error is 0.1329, to about 1e-6 (the literature has 0.14).
    It is an integral over the plane of the three waves; the directions at right angles to it are
    noise.

    Parameters
    ----------
    drifting : number of the 21 attributes that have changed places with irrelevant ones (with each
        other if there are too few), chosen by `model_seed`. Use it in the concept after a drift.
    n_irrelevant : number of irrelevant attributes, 0 or 19 in the literature.
    model_seed : see `drifting`.

    Raises TypeError for a name that is no text, ValueError for a wrong value.

    >>> Waveform(n_irrelevant=19).sample(seed=0, n=100)
    Stream('Waveform', n=100, n_features=40, n_classes=3)
    """

    drifting: int = 0
    n_irrelevant: int = 0
    model_seed: int = 1

    PARTS: ClassVar = ("classes", "shares", "noise")
    ROWS: ClassVar = 1_000  # so few that BLAS uses one thread; several threads are slower

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.n_irrelevant, row=self.ROWS, name="n_irrelevant", least=0)
        check_count(self.model_seed, name="model_seed", least=0)
        relevant_columns(POINTS, self.n_irrelevant, self.drifting, self.model_seed)

    @property
    def schema(self) -> Schema:
        """Numeric attributes, three classes."""
        return Schema((0,) * (POINTS + self.n_irrelevant), 3)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """Columns of the points of the waves; shape (21,)."""
        return relevant_columns(POINTS, self.n_irrelevant, self.drifting, self.model_seed)

    @property
    def exact_error(self) -> float:
        """Integral of the joint density of all classes but the most probable one."""
        return _integrated_error()

    @cached_property
    def _waves(self) -> NDArray[np.float64]:
        """The three waves over all attributes, 0 at irrelevant ones; shape (3, d)."""
        waves = np.zeros((3, POINTS + self.n_irrelevant))
        waves[:, self.columns] = WAVES
        return waves

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        rngs["noise"].standard_normal(out=X)
        y, share = rngs["classes"].integers(0, 3, len(X)), rngs["shares"].random(len(X))
        mix = np.stack([share * (FIRST[y] == k) + (1 - share) * (SECOND[y] == k) for k in range(3)])
        X += mix.T @ self._waves
        return Filled(y, *truth_of(_relative(X, self._waves)))

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        constant = (X.shape[1] - 1) * np.log(2 * np.pi) + 2 * np.log(3)
        return _relative(X, self._waves) - ((X**2).sum(axis=1) + constant) / 2


def _relative(X: NDArray[np.float64], waves: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""log p(x | k) of the rows of X (m, d), without a term that all classes share; shape (3, m).

    The shared term is :math:`-(\lVert x \rVert^2 + (d - 1) \log 2\pi)/2`.
    """
    edge, origin = waves[FIRST] - waves[SECOND], waves[SECOND]
    length = np.linalg.norm(edge, axis=1)[:, np.newaxis]
    along, log_density = np.split(np.vstack([edge / length, origin]) @ X.T, 2)
    along -= (edge * origin).sum(axis=1)[:, np.newaxis] / length
    # The interval is reflected so that its upper end is at most length / 2. Then the difference
    # is never one of two numbers near 1, which would lose digits.
    upper = length / 2 - np.abs(along - length / 2)
    mass = ndtr(upper)
    mass -= ndtr(upper - length)
    with np.errstate(divide="ignore"):
        np.log(mass, out=mass)
    far = upper < -30  # ndtr is about 0; the lower end, ten deviations further, contributes nothing
    if far.any():
        mass[far] = log_ndtr(upper[far])
    log_density += mass
    along *= along / 2
    log_density += along
    log_density -= (origin**2).sum(axis=1)[:, np.newaxis] / 2 + np.log(length)
    return log_density


@lru_cache(maxsize=1)
def _integrated_error(points: int = 601, reach: float = 7.0) -> float:
    basis, _ = np.linalg.qr((WAVES[1:] - WAVES[0]).T)
    corners = WAVES @ basis
    axes = np.linspace(corners.min(axis=0) - reach, corners.max(axis=0) + reach, points)
    cell = np.prod(axes[1] - axes[0])
    total = 0.0
    for x in axes[:, 0]:  # one line at a time
        line = np.column_stack([np.full(points, x), axes[:, 1]])
        shared = ((line**2).sum(axis=1) + np.log(2 * np.pi)) / 2
        density = np.exp(_relative(line, corners) - shared) / 3
        total += float((density.sum(axis=0) - density.max(axis=0)).sum() * cell)
    return total
