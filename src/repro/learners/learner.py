"""Learners: frozen descriptions that start a state, and run compiled or online."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_number, shown
from repro.kernels.compiling import kernel
from repro.kernels.dispatch import is_interpreted
from repro.kernels.states import state_bytes
from repro.learners.verbs import alarmed, learn, votes
from repro.streams.stream import Schema, check_schema

__all__ = ["Learner", "Online", "as_shares", "check_example", "counts", "predicted"]


@singledispatch
def counts(state: Any) -> dict[str, int]:
    """Counts of the parts of `state`, by name; empty unless registered for its type."""
    return {}


@dataclass(frozen=True)
class Learner(ABC):
    """A description of a learner: its settings only; what it learns is in its state.

    A subclass is a frozen dataclass, names its `paper`, and implements `start`. Its file registers
    the kernels of its state (see `repro.learners.verbs`).
    """

    paper: ClassVar[str]  #: where the learner was published
    randomised: ClassVar[bool] = False  #: whether it draws random numbers of its own

    @abstractmethod
    def start(self, schema: Schema, seed: int = 0) -> Any:
        """The state before the first example: a NamedTuple of arrays, of bounded size."""

    def state_bytes(self, state: Any) -> int:
        """Memory that `state` uses, in bytes."""
        return state_bytes(state)

    def counts(self, state: Any) -> dict[str, int]:
        """Counts of the parts of `state`, such as nodes or members, by name."""
        return counts(state)

    def online(self, schema: Schema, seed: int = 0) -> Online:
        """The learner one example at a time; each step equals that of the compiled run."""
        return Online(self, schema, seed)


class Online:
    """A learner one example at a time: `predict_one`, `predict_proba_one`, `learn_one`.

    Online twin of `repro.prequential`: it calls the same kernels on the same state from Python.

    >>> from repro.learners import NaiveBayes
    >>> online = NaiveBayes().online(Schema(nominal=(0,), n_classes=2))
    >>> for x, y in [(0.0, 0), (0.5, 0), (3.0, 1), (3.5, 1)]:
    ...     online.learn_one([x], y)
    >>> online.predict_one([3.2]), online.predict_one([0.2])
    (1, 0)
    """

    def __init__(self, learner: Learner, schema: Schema, seed: int = 0) -> None:
        if not isinstance(learner, Learner):
            raise TypeError(f"learner must be one of repro.learners; got {shown(learner)}")
        self.learner, self.schema = learner, check_schema(schema)
        self.state = learner.start(self.schema, check_count(seed, name="seed", least=0))
        self._votes = np.zeros(self.schema.n_classes)
        self._is_interpreted = is_interpreted(self.state)

    def __repr__(self) -> str:
        return f"{self.learner!r}.online({self.schema!r})"

    def predict_one(self, x: ArrayLike) -> int:
        """The class with the most votes for `x` (d,); the lowest of equals, 0 without votes."""
        self._run(votes_of, self._check_x(x), self._votes)
        return int(self._votes.argmax())

    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        """Votes for `x` (d,) as shares, shape (K,); equal shares when there are no votes."""
        self._run(votes_of, self._check_x(x), self._votes)
        shares = self._votes.copy()
        as_shares(shares)
        return shares

    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        """Learn the example `x` (d,) of class `y`; a weight of 0 changes nothing."""
        x = self._check_x(x)
        if check_count(y, name="y", least=0) >= self.schema.n_classes:
            raise ValueError(f"y must be a label 0..{self.schema.n_classes - 1}; got {y}")
        if check_number(weight, name="weight", least=0) > 0:
            self._run(learn_one, x, int(y), float(weight))

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised a drift alarm."""
        return alarmed(self.state)

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes."""
        return self.learner.state_bytes(self.state)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the parts of the state, such as nodes or members, by name."""
        return self.learner.counts(self.state)

    def _run(self, kernel: Any, *args: Any) -> None:
        (kernel.py_func if self._is_interpreted else kernel)(self.state, *args)

    def _check_x(self, x: ArrayLike) -> NDArray[np.float64]:
        return check_example(x, self.schema)


def check_example(x: ArrayLike, schema: Schema) -> NDArray[np.float64]:
    """Return `x` (d,) as floats if it is an example of `schema`: finite, with codes in range."""
    try:
        array = np.asarray(x)
        array = np.asarray("complex" if array.dtype.kind == "c" else array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != (schema.n_features,) or not np.isfinite(array).all():
        raise ValueError(f"x must hold {schema.n_features} finite numbers; got {x!r}")
    for j, values in enumerate(schema.nominal):
        if values and not (0 <= array[j] < values and array[j] == int(array[j])):
            raise ValueError(f"x[{j}] must be a code 0..{values - 1}; got {array[j]}")
    return array


@kernel
def votes_of(state, x, out):  # type: ignore[no-untyped-def]
    """`votes` for callers in Python: one compiled function for each type of state."""
    votes(state, x, out)


@kernel
def learn_one(state, x, y, weight):  # type: ignore[no-untyped-def]
    """`learn` for callers in Python: one compiled function for each type of state."""
    learn(state, x, y, weight)


@kernel
def as_shares(shares):  # type: ignore[no-untyped-def]
    """Divide the votes `shares` (K,) by their sum, in place; equal shares when it is 0."""
    total = shares.sum()
    for k in range(shares.size):
        shares[k] = shares[k] / total if total > 0 else 1.0 / shares.size


@kernel
def predicted(out):  # type: ignore[no-untyped-def]
    """The class with the most votes in `out` (K,), the lowest of equals."""
    best = 0
    for k in range(1, out.size):
        if out[k] > out[best]:
            best = k
    return best
