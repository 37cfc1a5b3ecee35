"""Models of other libraries in, learners of ours out.

In: anything with river's ``predict_one`` / ``learn_one`` or scikit-learn's ``predict`` /
``partial_fit`` stands wherever a learner does. Out: `to_river` gives a learner of ours river's
protocol, with dictionaries for examples.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._install import install_command
from repro.learners.learner import Learner
from repro.streams.stream import Schema

if TYPE_CHECKING:
    from repro._river import RiverClassifier

__all__ = ["Adapter", "adapt", "seeded", "to_river"]


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
    """A copy of a river or scikit-learn `model`, `seeded`, called the way evaluation calls it.

    Raises TypeError for an object of neither kind.
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
        self.model = seeded(model, seed)
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
        self.model = seeded(model, seed)
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


def seeded(model: Any, seed: int) -> Any:
    """A copy of `model`, with each `seed` or `random_state` that is None set from `seed`.

    Also those of the models inside it. A river model in which one is set is a fresh one that has
    learned nothing: river makes its generators in the constructor.
    """
    if hasattr(model, "_get_params") and hasattr(model, "clone"):
        given = model._get_params()
        chosen = _filled(given, seed, (type(model).__name__,))
        return copy.deepcopy(model) if chosen == given else model.clone(chosen)
    model = copy.deepcopy(model)
    if hasattr(model, "get_params"):
        names = [name for name, value in model.get_params().items() if value is None]
        names = [name for name in names if name.split("__")[-1] == "random_state"]
        return model.set_params(**{n: _number(seed, (type(model).__name__, n)) for n in names})
    for name in ("seed", "random_state"):
        if getattr(model, name, 0) is None:
            setattr(model, name, _number(seed, (type(model).__name__, name)))
    return model


def _filled(parameters: Mapping[str, Any], seed: int, path: tuple[str, ...]) -> dict[str, Any]:
    """`parameters` as river nests them, (class, parameters) for a model, no `seed` left None."""
    filled: dict[str, Any] = {}
    for name, value in parameters.items():
        inner = (*path, str(name))
        match value:
            case None if name == "seed":
                filled[name] = _number(seed, inner)
            case dict():
                filled[name] = _filled(value, seed, inner)
            case (type() as kind, dict() as inside):
                filled[name] = kind, _filled(inside, seed, inner)
            case _:
                filled[name] = value
    return filled


def _number(seed: int, path: tuple[str, ...]) -> int:
    return seeds.integer(seed, "learner", *path) % 2**32  # scikit-learn takes 32 bits


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
    classes, default 0..K-1. It needs river, of the extra ``models``.

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
    try:
        from repro._river import RiverClassifier  # here: river is no dependency
    except ImportError as error:
        how = install_command("models")
        raise ImportError(f"to_river needs river, which is not installed: {how}") from error

    return RiverClassifier(learner, schema, features, labels, seed)
