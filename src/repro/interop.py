"""Models of other libraries in, learners of ours out.

In: anything with river's ``predict_one`` / ``learn_one`` or scikit-learn's ``predict`` /
``partial_fit`` stands wherever a learner does. Out: `to_river` gives a learner of ours river's
protocol, with dictionaries for examples.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro.learners.learner import Learner
from repro.streams.stream import Schema

__all__ = ["Adapter", "RiverClassifier", "adapt", "to_river"]


class Adapter(Protocol):
    """What evaluation asks of a model: arrays in, integer labels and (K,) shares out."""

    drift_detected: bool

    def predict_one(self, x: NDArray[np.float64]) -> int:
        """Predicted label of `x` (d,)."""

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shares of the classes for `x` (d,), shape (K,)."""

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        """Learn one example."""


def adapt(model: Any, schema: Schema, seed: int = 0) -> Adapter:
    """A fresh copy of a river or scikit-learn `model`, called the way evaluation calls it.

    `seed` is given to a model that has a parameter `seed` (river) or `random_state`
    (scikit-learn) that is None. Raises TypeError for an object of neither kind.
    """
    if isinstance(model, type):
        raise TypeError(f"learner must be an instance, not the class; got {model.__name__}")
    if hasattr(model, "predict_one") and hasattr(model, "learn_one"):
        return _River(model, schema, seed)
    if hasattr(model, "predict") and hasattr(model, "partial_fit"):
        return _Sklearn(model, schema, seed)
    raise TypeError(
        "learner must be one of repro.learners, have predict_one and learn_one (river), or "
        f"predict and partial_fit (scikit-learn); got {type(model).__name__}"
    )


class _River:
    """A river classifier: attributes by position, nominal codes as integers."""

    drift_detected = False

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        self.model = _seeded(model, "seed", seed)
        self.schema = schema

    def __str__(self) -> str:
        return type(self.model).__name__

    def predict_one(self, x: NDArray[np.float64]) -> int:
        label = self.model.predict_one(self._as_dict(x))
        return 0 if label is None else int(label)

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        K = self.schema.n_classes
        if not hasattr(self.model, "predict_proba_one"):
            return np.eye(K)[self.predict_one(x)]
        given = self.model.predict_proba_one(self._as_dict(x))
        shares = np.array([float(given.get(k) or 0.0) for k in range(K)])
        return shares / shares.sum() if shares.sum() > 0 else np.full(K, 1 / K)

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        self.model.learn_one(self._as_dict(x), y)

    def _as_dict(self, x: NDArray[np.float64]) -> dict[int, float]:
        pairs = enumerate(zip(x.tolist(), self.schema.nominal, strict=True))
        return {j: int(value) if values else value for j, (value, values) in pairs}


class _Sklearn:
    """A scikit-learn classifier with `partial_fit`, one row at a time."""

    drift_detected = False

    def __init__(self, model: Any, schema: Schema, seed: int) -> None:
        self.model = _seeded(model, "random_state", seed)
        self.classes = np.arange(schema.n_classes)
        self.fitted = False

    def __str__(self) -> str:
        return type(self.model).__name__

    def predict_one(self, x: NDArray[np.float64]) -> int:
        return int(self.model.predict(x[None])[0]) if self.fitted else 0

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.fitted:
            return np.full(self.classes.size, 1 / self.classes.size)
        if not hasattr(self.model, "predict_proba"):
            return np.eye(self.classes.size)[self.predict_one(x)]
        return np.asarray(self.model.predict_proba(x[None])[0])

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        self.model.partial_fit(x[None], [y], classes=self.classes)
        self.fitted = True


def _seeded(model: Any, parameter: str, seed: int) -> Any:
    """A deep copy, its random parameter set from `seed` where it is None."""
    model = copy.deepcopy(model)
    if getattr(model, parameter, 0) is None:
        # scikit-learn takes 32 bits.
        setattr(model, parameter, seeds.integer(seed, "learner", type(model).__name__) % 2**32)
    return model


class RiverClassifier:
    """A learner of ours with river's protocol; made by `to_river`.

    Attributes are looked up by the names in `features`; labels are those in `labels`.
    """

    def __init__(
        self,
        learner: Learner,
        schema: Schema,
        features: tuple[Hashable, ...],
        labels: tuple[Hashable, ...],
        seed: int,
    ) -> None:
        self.learner, self.features, self.labels = learner, features, labels
        self._online = learner.online(schema, seed)

    def __repr__(self) -> str:
        return f"to_river({self.learner!r})"

    def predict_one(self, x: Mapping[Hashable, float]) -> Hashable:
        """Predicted label of the example `x`."""
        return self.labels[self._online.predict_one(self._as_row(x))]

    def predict_proba_one(self, x: Mapping[Hashable, float]) -> dict[Hashable, float]:
        """Share of the votes of each label."""
        shares = self._online.predict_proba_one(self._as_row(x))
        return dict(zip(self.labels, shares.tolist(), strict=True))

    def learn_one(self, x: Mapping[Hashable, float], y: Hashable, w: float = 1.0) -> None:
        """Learn the example `x` of the label `y` with the weight `w`."""
        if y not in self.labels:
            raise ValueError(f"y must be one of {self.labels}; got {y!r}")
        self._online.learn_one(self._as_row(x), self.labels.index(y), w)

    def _as_row(self, x: Mapping[Hashable, float]) -> list[float]:
        missing = [name for name in self.features if name not in x]
        if missing:
            raise ValueError(f"x must hold {list(self.features)}; got none for {missing}")
        return [x[name] for name in self.features]


def to_river(
    learner: Learner,
    schema: Schema,
    *,
    features: tuple[Hashable, ...] | None = None,
    labels: tuple[Hashable, ...] | None = None,
    seed: int = 0,
) -> RiverClassifier:
    """`learner` with river's protocol, for its pipelines and evaluators.

    `features` names the attributes in the order of the schema, default 0..d-1; `labels` the
    classes, default 0..K-1.

    >>> from repro.learners import NoChange
    >>> model = to_river(NoChange(), Schema((0,), 2), features=("price",), labels=("DOWN", "UP"))
    >>> model.learn_one({"price": 0.2}, "UP")
    >>> model.predict_one({"price": 0.3})
    'UP'
    """
    features = tuple(range(schema.n_features)) if features is None else tuple(features)
    labels = tuple(range(schema.n_classes)) if labels is None else tuple(labels)
    for name, given, wanted in (
        ("features", features, schema.n_features),
        ("labels", labels, schema.n_classes),
    ):
        if len(given) != wanted or len(set(given)) != wanted:
            raise ValueError(f"{name} must hold {wanted} different names; got {given}")
    return RiverClassifier(learner, schema, features, labels, seed)
