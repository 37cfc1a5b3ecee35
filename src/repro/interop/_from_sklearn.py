"""scikit-learn's classifiers with `partial_fit`, called for evaluation."""

from __future__ import annotations

import inspect
import reprlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_labels
from repro.interop.adapter import Adapter, Steps
from repro.streams.stream import Schema

__all__ = ["SklearnModel", "rows_as_shares"]


class SklearnModel(Adapter):
    """A scikit-learn classifier with `partial_fit`: each block is one call.

    A fitted classifier is used as it is, and learns only the classes that it was fitted with.
    """

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        super().__init__(model, schema, seed)
        self.fitted = _is_fitted(self.model)
        self.takes_classes = "classes" in _arguments(self.model.partial_fit)
        self.classes = self._classes() if self.fitted else np.arange(schema.n_classes)

    def along(self, steps: Steps) -> list[int]:
        """Predict and learn block by block; `steps` start at the start of a block."""
        X, y, y_pred, shares = steps.X, steps.y, steps.y_pred, steps.shares
        learned = steps.arrived[steps.start - 1] if steps.start else 0
        for first in range(steps.start, steps.stop, steps.block):
            now = slice(first, min(first + steps.block, steps.stop))
            try:
                y_pred[now] = self._labels(X[now], first + steps.offset)
                if len(shares):
                    shares[now] = self._shares(X[now], y_pred[now])
                examples = steps.order[learned : steps.arrived[now.stop - 1]]
                self.learn(X, y, examples, steps.block)
            except Exception as error:
                self._note(error, first + steps.offset)
                raise
            learned = steps.arrived[now.stop - 1]
        return []

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._labels(X, 0)

    def learn(
        self, X: NDArray[np.float64], y: NDArray[np.int64], rows: NDArray[np.int64], block: int
    ) -> None:
        for first in range(0, len(rows), block):
            now = rows[first : first + block]
            self._learn(X[now], y[now])

    def predict_one(self, x: NDArray[np.float64], example: int = 0) -> int:
        return int(self._labels(x[None], example)[0])

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._shares(x[None], self._labels(x[None], 0))[0]

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        self._learn(x[None].copy(), np.array([y]))

    def _labels(self, X: NDArray[np.float64], first: int) -> NDArray[np.int64]:
        if not self.fitted:
            return np.zeros(len(X), np.int64)
        said = self.model.predict(np.array(X))
        try:
            answers = np.asarray(said)
        except ValueError:  # rows of several lengths
            answers = np.empty(0)
        if answers.shape != (len(X),):
            rule = f"learner must predict one label per example, shape ({len(X)},)"
            raise ValueError(f"{rule}; got {reprlib.repr(said)}")
        labels = [self._as_label(label, i) for i, label in enumerate(answers.tolist(), first)]
        return np.array(labels, dtype=np.int64)

    def _shares(self, X: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        shares = np.zeros((len(X), self.schema.n_classes))
        if self.fitted and not hasattr(self.model, "predict_proba"):
            shares[np.arange(len(X)), labels] = 1.0
        elif self.fitted:
            shares[:, self.classes] = self._model_shares(X)
        return rows_as_shares(shares)

    def _learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        unknown = y[~np.isin(y, self.classes)]
        if unknown.size:
            rule = "learner can learn only the classes that it was fitted with"
            raise ValueError(f"{rule}, {self.classes.tolist()}; got label {unknown[0]}")
        first = {} if self.fitted or not self.takes_classes else {"classes": self.classes.copy()}
        self.model.partial_fit(X, y, **first)
        self.fitted = True

    def _model_shares(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """The shares that the model gives, one column for each class in `classes`."""
        answer = self.model.predict_proba(np.array(X))
        rule = f"learner.predict_proba must give one number per class, {self.classes.tolist()}"
        try:
            shares = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{rule}; got {type(answer).__name__}") from error
        if shares.shape != (len(X), self.classes.size):
            raise ValueError(f"{rule}; got shape {shares.shape} for {len(X)} examples")
        return shares

    def _classes(self) -> NDArray[np.int64]:
        """The class of each column of the shares: the model may not have seen all classes."""
        classes = getattr(self.model, "classes_", None)
        if classes is None:
            return np.arange(self.schema.n_classes)
        return as_labels(classes, n_classes=self.schema.n_classes, name="learner.classes_")


def _is_fitted(model: Any) -> bool:
    """Whether `model` has learned, by the rule of `check_is_fitted`: an attribute ends in "_"."""
    if hasattr(model, "__sklearn_is_fitted__"):
        return bool(model.__sklearn_is_fitted__())
    names = getattr(model, "__dict__", {})
    return any(name.endswith("_") and not name.startswith("__") for name in names)


def _arguments(function: Any) -> set[str]:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled functions have no signature
        return {"classes"}
    open_ended = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    return {*parameters, "classes"} if open_ended else set(parameters)


def rows_as_shares(votes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row of `votes` (b, K) over its sum.

    A row becomes equal shares if it has a value that is negative or not finite, or if it sums to 0.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = votes.sum(axis=1, keepdims=True)
        good = (votes >= 0).all(axis=1, keepdims=True) & (total > 0) & np.isfinite(total)
    return np.divide(votes, total, out=np.full(votes.shape, 1 / votes.shape[1]), where=good)
