"""A learner of ours as a river classifier, and the kinds of river's own models.

This module imports river, which need not be installed; other modules import it when needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from river import base
from river.compose import Pipeline

from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Schema

__all__ = ["RiverClassifier", "is_by_share", "kind"]


def kind(model: Any) -> str:
    """River's kind of `model`, "classifier", "regressor", ...; for a pipeline, of its last step."""
    final = _last_step(model)
    if isinstance(final, base.MultiLabelClassifier):
        return "multi-label classifier"
    kinds = base.Classifier, base.Regressor, base.Clusterer, base.AnomalyDetector, base.Transformer
    names = "classifier", "regressor", "clusterer", "anomaly detector", "transformer"
    found = (name for kind, name in zip(kinds, names, strict=True) if isinstance(final, kind))
    is_rivers = type(final).__module__.startswith("river.")
    return next(found, "model of another kind" if is_rivers else "classifier")


def is_by_share(model: Any) -> bool:
    """Whether `model` predicts the label with the largest share, river's default."""
    return getattr(type(_last_step(model)), "predict_one", None) is base.Classifier.predict_one


def _last_step(model: Any) -> Any:
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model


class RiverClassifier(base.Classifier):
    """A learner of ours with river's protocol; made by `repro.interop.to_river`.

    Parameters
    ----------
    learner : of this package.
    schema : of the stream.
    features : name of each attribute, in the order of the schema.
    labels : label of each class.
    seed : of the learner's own randomness; None lets an evaluation choose it.
    """

    def __init__(
        self,
        learner: Learner | Temporal,
        schema: Schema,
        features: tuple[Hashable, ...],
        labels: tuple[Hashable, ...],
        seed: int | None = None,
    ) -> None:
        # Attributes have the names of the arguments: river clones a model by them.
        self.learner, self.schema = learner, schema
        self.features, self.labels = features, labels
        self._learned = False
        self.seed = seed

    def __repr__(self) -> str:
        names = f"features={self.features!r}, labels={self.labels!r}"
        return f"to_river({self.learner!r}, {self.schema!r}, {names}, seed={self.seed!r})"

    @property
    def seed(self) -> int | None:
        """Seed of the learner's own randomness; None means 0, or the seed of an evaluation."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if self._learned:
            raise AttributeError("seed must be set before the first example is learned")
        self._seed, self._online = seed, self.learner.online(self.schema, seed or 0)

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised a drift alarm."""
        return self._online.drift_detected

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: Mapping[Hashable, Any], **kwargs: Any) -> Any:
        """Predicted label of the example `x`."""
        return self.labels[self._online.predict_one(self._as_row(x))]

    def predict_proba_one(self, x: Mapping[Hashable, Any], **kwargs: Any) -> dict[Any, float]:
        """Share of the votes of each label."""
        shares = self._online.predict_proba_one(self._as_row(x))
        return dict(zip(self.labels, shares.tolist(), strict=True))

    def learn_one(self, x: Mapping[Hashable, Any], y: Any, w: float = 1.0) -> None:
        """Learn the example `x` of the label `y` with the weight `w`."""
        if not isinstance(y, Hashable) or y not in self.labels:
            raise ValueError(f"y must be one of {self.labels}; got {y!r}")
        self._online.learn_one(self._as_row(x), self.labels.index(y), w)
        self._learned = True

    def _as_row(self, x: Mapping[Hashable, Any]) -> list[Any]:
        if not isinstance(x, Mapping):
            raise ValueError(f"x must be a dictionary of {list(self.features)}; got {x!r}")
        missing = [name for name in self.features if name not in x]
        if missing:
            raise ValueError(f"x must hold {list(self.features)}; got none for {missing}")
        return [x[name] for name in self.features]
