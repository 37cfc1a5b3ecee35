"""A learner of ours as a river classifier; apart, since river need not be installed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from river.base import Classifier

from repro.learners.learner import Learner
from repro.streams.stream import Schema

__all__ = ["RiverClassifier"]


class RiverClassifier(Classifier):
    """A learner of ours with river's protocol; made by `repro.interop.to_river`.

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
        # Under the names of the arguments: river clones a model by them.
        self.learner, self.schema, self.seed = learner, schema, seed
        self.features, self.labels = features, labels
        self._online = learner.online(schema, seed)

    def __repr__(self) -> str:
        return f"to_river({self.learner!r})"

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
        if y not in self.labels:
            raise ValueError(f"y must be one of {self.labels}; got {y!r}")
        self._online.learn_one(self._as_row(x), self.labels.index(y), w)

    def _as_row(self, x: Mapping[Hashable, Any]) -> list[Any]:
        missing = [name for name in self.features if name not in x]
        if missing:
            raise ValueError(f"x must hold {list(self.features)}; got none for {missing}")
        return [x[name] for name in self.features]
