"""Learners that use previous labels: transforms of arrays around any learner.

`TemporallyAugmented` changes the input (more attributes), `TemporalCorrection` the output (other
posteriors). The learner inside may be one of this package, of river or of scikit-learn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.kernels.compiling import kernel
from repro.kernels.states import unpacked
from repro.learners.learner import Learner
from repro.streams.label_delay import schedule
from repro.streams.stream import Schema, Stream, check_schema

__all__ = ["Temporal", "TemporalOnline", "check_temporal_base", "newest_known"]

PAPER = "Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Machine Learning 98, 455-482"


class Temporal(ABC):
    """A transform of arrays around a learner `base`; evaluation and sweeps take it as a learner."""

    base: Any

    paper: ClassVar[str] = PAPER
    needs_proba: ClassVar[bool]  #: whether `after` uses the posteriors

    @abstractmethod
    def before(self, stream: Stream, delay: ArrayLike = 0) -> Stream:
        """The stream that `base` gets in place of `stream`, whose labels arrive after `delay`."""

    @abstractmethod
    def after(
        self, proba: NDArray[np.float64], stream: Stream, delay: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """The posteriors (n, K), given the posteriors of `base`.

        Parameters
        ----------
        proba : posteriors (n, K) of `base`.
        stream : the examples passed to `before`.
        delay : of the labels.
        """

    @abstractmethod
    def own_bytes(self, schema: Schema) -> int:
        """Memory of the information on previous labels, in bytes."""

    @abstractmethod
    def online(self, schema: Schema, seed: int = 0) -> TemporalOnline:
        """The learner one example at a time, each label known before the next example."""

    @property
    def randomised(self) -> bool:
        """Whether the learner inside draws random numbers of its own."""
        return bool(getattr(self.base, "randomised", True))


class TemporalOnline(ABC):
    """A `Temporal` learner one example at a time: `predict_one`, `predict_proba_one`, `learn_one`.

    It keeps the previous labels that it needs, and calls the online form of the learner inside.
    """

    def __init__(self, learner: Temporal, schema: Schema, inside: Schema, seed: int) -> None:
        """`inside` is the schema of the learner inside."""
        if not hasattr(learner.base, "online"):
            raise TypeError(
                "base must be one of repro.learners to run online (prequential takes any); "
                f"got {type(learner.base).__name__}"
            )
        self.learner, self.schema = learner, check_schema(schema)
        self.inner = learner.base.online(inside, seed)

    def __repr__(self) -> str:
        return f"{self.learner!r}.online({self.schema!r})"

    def __setstate__(self, fields: dict[str, Any]) -> None:
        # A pickle may give read-only arrays.
        arrays = {name: part for name, part in fields.items() if isinstance(part, np.ndarray)}
        vars(self).update(fields | {name: unpacked(part) for name, part in arrays.items()})

    @abstractmethod
    def predict_proba_one(self, x: ArrayLike) -> NDArray[np.float64]:
        """Posteriors for `x` (d,), shape (K,)."""

    @abstractmethod
    def learn_one(self, x: ArrayLike, y: int, weight: float = 1.0) -> None:
        """Learn the example `x` (d,) of class `y`; a weight of 0 changes nothing.

        Parameters
        ----------
        x : attributes, shape (d,).
        y : label 0..K-1.
        weight : >= 0.
        """

    @abstractmethod
    def grow(self, schema: Schema, columns: ArrayLike | None = None) -> None:
        """Go on with a `schema` that has more attributes, classes or nominal values than before.

        Parameters
        ----------
        schema : contains the old one: attributes keep their kind, and no number falls.
        columns : position of each old attribute in `schema`, rising; default 0, 1, 2, ...

        Raises as `OnlineLearner.grow` does.
        """

    def predict_one(self, x: ArrayLike) -> int:
        """The class with the largest posterior for `x` (d,); the lowest of equals."""
        return int(self.predict_proba_one(x).argmax())

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised a drift alarm."""
        return bool(self.inner.drift_detected)

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes."""
        return int(self.inner.state_bytes + self.learner.own_bytes(self.schema))

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the parts of the learner inside, by name."""
        return dict(self.inner.counts)


def check_temporal_base(base: Any) -> None:
    """Raise TypeError unless `base` is a learner of this package, of river or of scikit-learn."""
    if isinstance(base, type) or not (
        isinstance(base, Learner | Temporal)
        or hasattr(base, "learn_one")
        or hasattr(base, "partial_fit")
    ):
        name = base.__name__ if isinstance(base, type) else type(base).__name__
        raise TypeError(f"base must be a learner, of ours, river or scikit-learn; got {name}")


def newest_known(n: int, order: int, delay: ArrayLike) -> NDArray[np.int64]:
    """The `order` latest examples whose labels are known at each prediction; shape (n, order).

    Parameters
    ----------
    n : number of examples.
    order : number of labels to look back.
    delay : of the labels, as in `repro.prequential`.

    Entries are indices of examples, the latest first, and -1 where there are too few.
    """
    sequence, arrivals = schedule(n, delay)
    newest = np.full((n, order), -1)
    _fill_newest(sequence, arrivals, newest)
    return newest


@kernel
def _fill_newest(sequence, arrivals, newest):  # type: ignore[no-untyped-def]
    order = newest.shape[1]
    for t in range(1, newest.shape[0]):
        row = newest[t]
        for j in range(order):
            row[j] = newest[t - 1, j]
        for arrived in sequence[arrivals[t - 2] if t > 1 else 0 : arrivals[t - 1]]:
            rank = order
            while rank > 0 and row[rank - 1] < arrived:
                if rank < order:
                    row[rank] = row[rank - 1]
                rank -= 1
            if rank < order:
                row[rank] = arrived
