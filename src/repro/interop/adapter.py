"""The interface between evaluation and the models of other libraries."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._seeding import seeded
from repro.streams.stream import Schema

__all__ = ["Adapter", "Steps", "seeded"]


class Steps(NamedTuple):
    """Part of a prequential run: examples to predict, and labels to learn as they arrive."""

    start: int
    stop: int
    block: int  #: examples predicted together
    X: NDArray[np.float64]  #: (n, d)
    y: NDArray[np.int64]  #: (n,)
    order: NDArray[np.int64]  #: (n,) examples in the order in which their labels arrive
    arrived: NDArray[np.int64]  #: (n,) number of labels that have arrived after each prediction
    y_pred: NDArray[np.int64]  #: (n,) to be filled
    shares: NDArray[np.float64]  #: (n, K) to be filled; (0, K) where shares are not wanted
    offset: int = 0  #: index of the first row in the whole stream, for error messages


class Adapter(ABC):
    """A model as evaluation calls it: arrays in, integer labels and shares out.

    `example` is an index in the stream, for error messages. The model gets copies of the arrays, so
    writing into its input changes nothing outside.
    """

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        self.model, self.schema = seeded(model, seed), schema

    def __str__(self) -> str:
        return type(self.model).__name__

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised an alarm; False if the model cannot tell."""
        return getattr(self.model, "drift_detected", False) is True

    @abstractmethod
    def along(self, steps: Steps) -> list[int]:
        """Fill the predictions and shares of `steps`.

        Returns the examples at whose learning an alarm was raised.
        """

    @abstractmethod
    def predict(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        """Predicted labels of the examples `X` (b, d); shape (b,)."""

    @abstractmethod
    def learn(
        self, X: NDArray[np.float64], y: NDArray[np.int64], rows: NDArray[np.int64], block: int
    ) -> None:
        """Learn the examples `rows` (b,) of `X` (n, d) and `y` (n,), `block` at a time."""

    @abstractmethod
    def predict_one(self, x: NDArray[np.float64], example: int = 0) -> int:
        """Predicted label of `x` (d,)."""

    @abstractmethod
    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares of the classes for `x` (d,), shape (K,)."""

    @abstractmethod
    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        """Learn one example."""

    def _note(self, error: Exception, example: int) -> None:
        """Add to `error` at which example it was raised, unless its message names one."""
        if not re.search(r" for example \d+$", str(error)):
            error.add_note(f"at example {example}")

    def _as_label(self, label: Any, example: int) -> int:
        """The label that a model predicted for `example`; None (no label seen yet) is class 0."""
        if label is None:
            return 0
        K = self.schema.n_classes
        if type(label) is int and 0 <= label < K:  # the usual case first, for speed
            return label
        is_number = isinstance(label, Real | np.bool_)
        if not is_number or not 0 <= label < K or label != int(label):
            rule = f"learner must predict labels 0..{K - 1}"
            raise ValueError(f"{rule}; got {label!r} for example {example}")
        return int(label)
