"""Learners: frozen descriptions that start a state, and run compiled or online, and examples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import singledispatch
from struct import Struct
from struct import error as StructError
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_number, shown
from repro.kernels.bound import bound, loaded
from repro.kernels.compiling import kernel, outlined
from repro.kernels.states import copied, packed, state_bytes, unpacked
from repro.learners.growth import grown, growth_of
from repro.learners.verbs import alarmed, as_shares, learn, predicted, votes
from repro.streams.stream import Schema, check_schema

__all__ = ["Learner", "NoExample", "OnlineLearner", "check_example", "counts", "is_example"]

OF_STATE = {"_state", "_row", "_votes", "_pack", "_predict", "_learn"}  # set with the state
PLAIN = frozenset({bool, int, float, np.float64})  # numbers that need no conversion


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

    def online(self, schema: Schema, seed: int = 0) -> OnlineLearner:
        """The learner one example at a time; each step equals that of the compiled run."""
        return OnlineLearner(self, schema, seed)


class OnlineLearner:
    """A learner one example at a time: `predict_one`, `predict_proba_one`, `learn_one`.

    Online twin of `repro.prequential`: it calls the same kernels on the same state from Python.
    `drift_detected` tells whether the last example learned raised a drift alarm.

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
        self._seed = check_count(seed, name="seed", least=0)
        self.state = learner.start(self.schema, self._seed)
        self.drift_detected = False  #: whether the last example learned raised a drift alarm

    def __repr__(self) -> str:
        return f"{self.learner!r}.online({self.schema!r})"

    def __getstate__(self) -> dict[str, Any]:
        return self._settings() | {"state": packed(self.state)}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        vars(self).update(fields)
        self.state = unpacked(vars(self).pop("state"))

    def __deepcopy__(self, memo: dict[int, Any]) -> OnlineLearner:
        new = object.__new__(type(self))
        vars(new).update(self._settings())
        new.state = copied(self.state, memo)
        return new

    def __copy__(self) -> OnlineLearner:
        return deepcopy(self)  # two learners of one state would both change it

    @property
    def state(self) -> Any:
        """The state that learns, a NamedTuple of arrays."""
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        d, K = self.schema.n_features, self.schema.n_classes
        self._state = state
        self._row, self._votes = np.zeros(d + 2), np.zeros(K)
        arrays = state, np.array(self.schema.nominal, np.int64), self._row, self._votes
        self._pack: Callable[..., None] = Struct(f"{d + 2}d").pack_into
        self._predict, self._learn = bound(_predict, arrays), bound(_learn, arrays)

    def predict_one(self, x: ArrayLike) -> int:
        """The class with the most votes for `x` (d,); the lowest of equals, 0 without votes."""
        self._take(x, 0, 1.0)
        if (label := self._predict()) < 0:
            check_example(x, self.schema)
        return label

    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        """Votes for `x` (d,) as shares, shape (K,); equal shares when there are no votes."""
        self.predict_one(x)
        shares = self._votes.copy()
        as_shares(shares)
        return shares

    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        """Learn the example `x` (d,) of class `y`; a weight of 0 changes nothing."""
        K = self.schema.n_classes
        if (type(y) is not int or not 0 <= y < K) and check_count(y, name="y", least=0) >= K:
            raise ValueError(f"y must be a label 0..{K - 1}; got {y}")
        if type(weight) is not float or not 0 <= weight < np.inf:
            weight = check_number(weight, name="weight", least=0)
        self._take(x, y, weight)
        if (alarm := self._learn()) < 0:
            check_example(x, self.schema)
        self.drift_detected = alarm > 0

    def grow(self, schema: Schema, columns: ArrayLike | None = None) -> None:
        """Go on with a `schema` that has more attributes, classes or nominal values than before.

        What was learned is kept. Attributes that are new had the value 0 so far; what follows from
        that, and where it differs from knowing the schema from the start: `repro.learners.growth`.

        Parameters
        ----------
        schema : contains the old one: attributes keep their kind, and no number falls.
        columns : position of each old attribute in `schema`, rising; default 0, 1, 2, ...

        Raises TypeError unless `schema` is a Schema, ValueError where it has less than the old one
        or the learner's memory is too small for it; the learner is then unchanged.

        >>> from repro.learners import NaiveBayes
        >>> online = NaiveBayes().online(Schema(nominal=(0,), n_classes=1))
        >>> online.learn_one([0.0], 0)
        >>> online.grow(Schema(nominal=(0, 2), n_classes=2))
        >>> online.learn_one([0.5, 1], 1)
        >>> online.predict_one([0.5, 1])
        1
        """
        growth = growth_of(self.schema, schema, columns)
        if growth.new != self.schema:
            state = grown(self.learner, self.state, growth, self._seed)
            self.schema, self.state = growth.new, state

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes."""
        return self.learner.state_bytes(self.state)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the parts of the state, such as nodes or members, by name."""
        return self.learner.counts(self.state)

    def _settings(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in OF_STATE}

    def _take(self, x: ArrayLike, y: int, weight: float) -> None:
        """Write the example into the row that the kernels read; they check its values."""
        values = x.tolist() if type(x) is np.ndarray else x
        if type(values) is list and PLAIN.issuperset(map(type, values)):
            try:
                return self._pack(self._row, 0, *values, y, weight)
            except (StructError, OverflowError):
                pass
        self._pack(self._row, 0, *check_example(x, self.schema), y, weight)


@outlined
def _predict(kind, place):  # type: ignore[no-untyped-def]
    """Fill the votes for the example in the row; its predicted label, -1 if `x` is no example."""
    state, nominal, row, out = loaded(kind, place)
    x = row[: nominal.size]
    if not is_example(x, nominal):
        return -1
    votes(state, x, out)
    return predicted(out)


@outlined
def _learn(kind, place):  # type: ignore[no-untyped-def]
    """Learn the example in the row, if it has weight; 1 if that raised an alarm, -1 as above."""
    state, nominal, row, _ = loaded(kind, place)
    x, y, weight = row[: nominal.size], int(row[nominal.size]), row[nominal.size + 1]
    if not is_example(x, nominal):
        return -1
    if weight > 0:
        learn(state, x, y, weight)
    return 1 if alarmed(state) else 0


class NoExample(ValueError):
    """What was to be predicted or learned is no example of the schema; nothing was learned."""


def check_example(x: ArrayLike, schema: Schema) -> NDArray[np.float64]:
    """Return `x` (d,) as floats if it is an example of `schema`: finite, with codes in range."""
    try:
        array = np.asarray(x)
        array = np.asarray("text" if array.dtype.kind in "cUS" else array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != (schema.n_features,) or not np.isfinite(array).all():
        raise NoExample(f"x must hold {schema.n_features} finite numbers; got {x!r}")
    for j, values in enumerate(schema.nominal):
        if values and not (0 <= array[j] < values and array[j] == int(array[j])):
            raise NoExample(f"x[{j}] must be a code 0..{values - 1}; got {array[j]}")
    return array


@kernel
def is_example(x, nominal):  # type: ignore[no-untyped-def]
    """The rule of `check_example`."""
    for j in range(nominal.size):
        if not np.isfinite(x[j]):
            return False
        if nominal[j] > 0 and not (0 <= x[j] < nominal[j] and x[j] == int(x[j])):
            return False
    return True
