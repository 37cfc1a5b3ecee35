"""Models of other libraries behind one interface: blocks of examples in, labels and shares out."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_labels
from repro._seeding import seeded
from repro.streams.stream import Schema

__all__ = ["Adapter", "RiverModel", "SklearnModel", "rows_as_shares"]

Both = tuple[NDArray[np.int64], NDArray[np.float64]]


class Adapter(ABC):
    """What evaluation asks of a model: arrays in, integer labels and shares out.

    Blocks `X` have shape (b, d); `first` is the index of their first example, for messages. The
    model gets copies, so what it writes into its input stays its own business.
    """

    alarmed: list[int]  #: positions in the last block learned at which an alarm was raised

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        self.model, self.schema = seeded(model, seed), schema
        self.alarmed = []

    def __str__(self) -> str:
        return type(self.model).__name__

    @abstractmethod
    def predict(self, X: NDArray[np.float64], first: int = 0) -> NDArray[np.int64]:
        """Predicted labels of the block, (b,)."""

    @abstractmethod
    def predict_both(self, X: NDArray[np.float64], first: int = 0) -> Both:
        """Predicted labels of the block, (b,), and the shares of the classes, (b, K)."""

    @abstractmethod
    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        """Learn the block `X` of the labels `y` (b,)."""

    @property
    def drift_detected(self) -> bool:
        """Whether the last block learned raised a drift alarm."""
        return bool(self.alarmed)

    def predict_one(self, x: NDArray[np.float64]) -> int:
        """Predicted label of `x` (d,)."""
        return int(self.predict(np.asarray(x)[None])[0])

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares of the classes for `x` (d,), shape (K,)."""
        return self.predict_both(np.asarray(x)[None])[1][0]

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        """Learn one example."""
        self.learn(np.asarray(x)[None], np.array([y]))

    def _as_label(self, given: Any, example: int) -> int:
        """The label that a model predicted for `example`; None, no label met yet, is class 0."""
        if given is None:
            return 0
        K = self.schema.n_classes
        if type(given) is int and 0 <= given < K:  # the usual case, at once
            return given
        is_number = isinstance(given, Real | np.bool_)
        if not is_number or not 0 <= given < K or given != int(given):
            rule = f"learner must predict labels 0..{K - 1}"
            raise ValueError(f"{rule}; got {given!r} for example {example}")
        return int(given)


def rows_as_shares(given: NDArray[np.float64]) -> NDArray[np.float64]:
    """`given` (b, K), each row over its sum.

    Equal shares where a row has nan, infinity or less than 0, and where all of it is 0.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = given.sum(axis=1, keepdims=True)
        good = (given >= 0).all(axis=1, keepdims=True) & (total > 0) & np.isfinite(total)
    return np.divide(given, total, out=np.full(given.shape, 1 / given.shape[1]), where=good)


class RiverModel(Adapter):
    """A river classifier: attributes by position, nominal codes as integers.

    `by_share`: its label is, by river's definition, the one with the largest share.
    """

    def __init__(self, model: Any, schema: Schema, seed: int, by_share: bool = False) -> None:
        super().__init__(model, schema, seed)
        self.by_share = by_share

    def predict(self, X: NDArray[np.float64], first: int = 0) -> NDArray[np.int64]:
        labels = [self._as_label(self._label(x), i) for i, x in enumerate(X, first)]
        return np.array(labels, dtype=np.int64)

    def predict_both(self, X: NDArray[np.float64], first: int = 0) -> Both:
        both = [self._both(x, i) for i, x in enumerate(X, first)]
        return np.array([label for label, _ in both]), np.array([shares for _, shares in both])

    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        self.alarmed = []
        for j, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            self.model.learn_one(self._as_dict(x), label)
            if getattr(self.model, "drift_detected", False) is True:
                self.alarmed.append(j)

    def _label(self, x: NDArray[np.float64]) -> Any:
        try:
            return self.model.predict_one(self._as_dict(x))
        except NotImplementedError as error:
            rule = "learner must predict labels or probabilities"
            raise TypeError(f"{rule}; got {self}, which does neither") from error

    def _both(self, x: NDArray[np.float64], example: int) -> tuple[int, list[float]]:
        said = None if self.by_share else self._label(x)
        given = self._given(x)
        if self.by_share and given:
            said = max(given, key=given.__getitem__)
        label, votes = self._as_label(said, example), [0.0] * self.schema.n_classes
        for k, share in ({label: 1.0} if given is None else given).items():
            if share:  # a class that it has met elsewhere, and gives nothing, does not matter
                votes[self._as_label(k, example)] += _as_share(share, example)
        return label, _as_shares(votes)

    def _given(self, x: NDArray[np.float64]) -> Mapping[Any, Any] | None:
        """The shares that the model gives, None if it has none."""
        if not hasattr(self.model, "predict_proba_one"):
            return None
        try:
            given = self.model.predict_proba_one(self._as_dict(x))
        except NotImplementedError:  # a river classifier has the method, whether it can or not
            return None
        if not isinstance(given, Mapping):
            rule = "learner.predict_proba_one must return a dictionary of shares"
            raise TypeError(f"{rule}; got {given!r}")
        return given

    def _as_dict(self, x: NDArray[np.float64]) -> dict[int, float]:
        pairs = enumerate(zip(x.tolist(), self.schema.nominal, strict=True))
        return {j: int(value) if values else value for j, (value, values) in pairs}


def _as_shares(votes: list[float]) -> list[float]:
    """`votes` over their sum, by the rule of `rows_as_shares`; for one row numpy takes longer."""
    total = sum(votes)
    if 0 < total < float("inf") and min(votes) >= 0:
        return [vote / total for vote in votes]
    return [1 / len(votes)] * len(votes)


def _as_share(given: Any, example: int) -> float:
    if not isinstance(given, Real | np.bool_):
        rule = "learner must give each class a number as its share"
        raise ValueError(f"{rule}; got {given!r} for example {example}")
    return float(given)


class SklearnModel(Adapter):
    """A scikit-learn classifier with `partial_fit`: each block in one call.

    One that is fitted already is used as it is. It can only learn the classes it was fitted with.
    """

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        super().__init__(model, schema, seed)
        self.fitted = _is_fitted(self.model)
        self.takes_classes = "classes" in _arguments(self.model.partial_fit)
        self.classes = self._classes() if self.fitted else np.arange(schema.n_classes)

    def predict(self, X: NDArray[np.float64], first: int = 0) -> NDArray[np.int64]:
        if not self.fitted:
            return np.zeros(len(X), np.int64)
        given = np.asarray(self.model.predict(np.array(X)))
        if given.shape != (len(X),):
            rule = f"learner must predict one label per example, shape ({len(X)},)"
            raise ValueError(f"{rule}; got shape {given.shape}")
        labels = [self._as_label(label, i) for i, label in enumerate(given.tolist(), first)]
        return np.array(labels, dtype=np.int64)

    def predict_both(self, X: NDArray[np.float64], first: int = 0) -> Both:
        labels, shares = self.predict(X, first), np.zeros((len(X), self.schema.n_classes))
        if self.fitted and not hasattr(self.model, "predict_proba"):
            shares[np.arange(len(X)), labels] = 1.0
        elif self.fitted:
            shares[:, self.classes] = self._given(X)
        return labels, rows_as_shares(shares)

    def learn(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
        unknown = y[~np.isin(y, self.classes)]
        if unknown.size:
            rule = "learner can learn only the classes that it was fitted with"
            raise ValueError(f"{rule}, {self.classes.tolist()}; got label {unknown[0]}")
        first = {} if self.fitted or not self.takes_classes else {"classes": self.classes.copy()}
        self.model.partial_fit(np.array(X), np.array(y), **first)
        self.fitted = True

    def _given(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """The shares that the model gives, one column for each of `classes`."""
        given = self.model.predict_proba(np.array(X))
        rule = f"learner.predict_proba must give one number per class, {self.classes.tolist()}"
        try:
            shares = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{rule}; got {type(given).__name__}") from error
        if shares.shape != (len(X), self.classes.size):
            raise ValueError(f"{rule}; got shape {shares.shape} for {len(X)} examples")
        return shares

    def _classes(self) -> NDArray[np.int64]:
        """Which column of the shares is which class: not all need have been seen."""
        given = getattr(self.model, "classes_", None)
        if given is None:
            return np.arange(self.schema.n_classes)
        return as_labels(given, n_classes=self.schema.n_classes, name="learner.classes_")


def _is_fitted(model: Any) -> bool:
    """As scikit-learn's `check_is_fitted`: it has learned once an attribute ends in "_"."""
    if hasattr(model, "__sklearn_is_fitted__"):
        return bool(model.__sklearn_is_fitted__())
    names = getattr(model, "__dict__", {})
    return any(name.endswith("_") and not name.startswith("__") for name in names)


def _arguments(function: Any) -> set[str]:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled ones do not say
        return {"classes"}
    open_ended = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    return {*parameters, "classes"} if open_ended else set(parameters)
