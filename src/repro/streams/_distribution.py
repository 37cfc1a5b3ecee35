"""Streams with a known distribution: their draws, their posterior and their Bayes error."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import as_matrix, check_rng
from repro.streams._inputs import as_times, check_size
from repro.streams.description import BayesError
from repro.streams.stream import Schema, Stream

__all__ = ["Filled", "KnownDistribution"]


class Filled(NamedTuple):
    """Labels of the drawn rows and their truth; one number may be the risk of all rows."""

    y: NDArray[np.integer] | NDArray[np.bool_]
    bayes_risk: NDArray[np.float64] | float
    optimal: NDArray[np.integer] | NDArray[np.bool_]


class KnownDistribution(ABC):
    """A description that knows its distribution at every time; it meets `StreamDescription`."""

    n: int
    name: str

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""

    @property
    @abstractmethod
    def _sudden_changes(self) -> Sequence[int]:
        """Positions of all sudden changes, in order, also of those after the end."""

    @abstractmethod
    def _draw_rows(self, X: NDArray[np.float64], seed: int) -> Iterator[tuple[slice, Filled]]:
        """Draw the rows of `X` (n, d) for the times 0..n-1; yield the labels of each block."""

    @abstractmethod
    def _shares(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Posterior of the rows of `X` (m, d) at the times `t` (m,) or (1,); shape (K, m)."""

    @abstractmethod
    def _error_at(self, t: float) -> float | None:
        """Bayes error at the time `t`; None if it can only be estimated."""

    @abstractmethod
    def _risks(self, t: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Bayes risk (n,) of each of `n` examples drawn at the time `t`."""

    def sample(self, seed: int = 0, n: int | None = None) -> Stream:
        """The stream at the times 0..n-1 with its truth; the same for the same `seed`.

        A longer stream begins with the shorter one.
        """
        schema = self.schema
        size = check_size(self.n if n is None else n, row=schema.n_features + 3)
        X, y = np.empty((size, schema.n_features)), np.empty(size, np.int64)
        risk, optimal = np.empty(size), np.empty(size, np.int64)
        for block, filled in self._draw_rows(X, seed):
            y[block], risk[block], optimal[block] = filled
        return Stream(
            X,
            y,
            np.array(schema.nominal),
            schema.n_classes,
            drifts=[t for t in self._sudden_changes if t < size],
            bayes_risk=risk,
            optimal=optimal,
            name=self.name,
        )

    def posterior(self, X: ArrayLike, t: ArrayLike = 0) -> NDArray[np.float64]:
        """Probability of each class given `X` (n, d) at the times `t` (n,) or (); shape (n, K).

        A row is nan if its density is 0, such as a code that an attribute does not have, or if it
        is so far away that even its log density is below all floats.
        """
        X = as_matrix(X)
        if X.shape[1] != self.schema.n_features:
            raise ValueError(f"X must have {self.schema.n_features} columns; got {X.shape[1]}")
        times = as_times(t, n=len(X))
        with np.errstate(invalid="ignore", over="ignore"):  # -inf - -inf in rows of density 0
            return self._shares(X, times).T

    def bayes_error(
        self, t: ArrayLike = 0, rng: np.random.Generator | None = None, n: int = 20_000
    ) -> BayesError:
        r"""Lowest attainable error at the times `t` of shape (m,), with its standard error.

        .. math:: e(t) = \int \Bigl(\sum_k p(x, k \mid t) - \max_k p(x, k \mid t)\Bigr) dx

        Parameters
        ----------
        t : times >= 0.
        rng : None gives the exact value if there is one, with standard error 0. For mixtures that
            is an integral on a grid, to about 1e-4, in one and two dimensions, unless a component
            is too narrow for the grid.
        n : otherwise the mean risk ``1 - max_k P(k | x, t)``, which varies less than the loss, of
            `n` examples drawn at each time. Without `rng` they are the same in every call.
        """
        check_size(n, row=1, least=2)
        times = as_times(t)
        drawing = seeds.generator(0, "bayes_error") if rng is None else check_rng(rng)
        error, deviation = np.zeros(times.size), np.zeros(times.size)
        for i, s in enumerate(times):
            exact = self._error_at(s) if rng is None else None
            if exact is not None:
                error[i] = exact
            else:
                risk = self._risks(s, n, drawing)
                error[i], deviation[i] = risk.mean(), risk.std(ddof=1) / np.sqrt(n)
        return BayesError(error, deviation)
