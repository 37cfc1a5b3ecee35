"""A learner of ours as a river classifier.

This module imports river, which need not be installed; other modules import it when needed.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from river import base

from repro._checks import check_number
from repro.interop._names import GivenNames, MetNames
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.learners.learner import Learner, NoExample
from repro.learners.temporal import Temporal
from repro.streams.stream import Schema

__all__ = ["RiverClassifier"]


class RiverClassifier(base.Classifier):
    """A learner of ours with river's protocol; made by `repro.interop.to_river`.

    Parameters
    ----------
    learner : of this package.
    schema : of the stream; None to take features and labels as they come.
    features : name of each attribute, in the order of the schema.
    labels : label of each class.
    seed : of the learner's own randomness; None lets an evaluation choose it.
    """

    def __init__(
        self,
        learner: Learner | Temporal,
        schema: Schema | None = None,
        features: tuple[Hashable, ...] | None = None,
        labels: tuple[Hashable, ...] | None = None,
        seed: int | None = None,
    ) -> None:
        # Attributes have the names of the arguments: river clones a model by them.
        self.learner, self.schema = learner, schema
        self.features, self.labels = features, labels
        self._learned = False
        self.seed = seed

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"learner": HoeffdingTree()}

    def __repr__(self) -> str:
        options = [] if self.schema is None else [repr(self.schema), f"features={self.features!r}"]
        options += [f"labels={self.labels!r}"] if self.labels else []
        return f"to_river({', '.join([repr(self.learner), *options, f'seed={self.seed!r}'])})"

    @property
    def seed(self) -> int | None:
        """Seed of the learner's own randomness; None means 0, or the seed of an evaluation."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if self._learned:
            raise AttributeError("seed must be set before the first example is learned")
        self._seed, self._online = seed, None
        if self.schema is None:
            self._names: GivenNames | MetNames = MetNames(self.labels or ())
        else:
            self._names = GivenNames(self.schema, self.features or (), self.labels or ())
            self._online = self.learner.online(self.schema, seed or 0)

    @property
    def drift_detected(self) -> bool:
        """Whether the last example learned raised a drift alarm."""
        return self._online is not None and self._online.drift_detected

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes; 0 before the first example."""
        return 0 if self._online is None else self._online.state_bytes

    @property
    def _raw_memory_usage(self) -> int:
        # River would count the pages that a state reserves, and those that it uses.
        return self.state_bytes + sum(map(sys.getsizeof, vars(self._names).values()))

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: Mapping[Hashable, Any], **kwargs: Any) -> Any:
        """Predicted label of the example `x`; None before any label is known."""
        names, online = self._names, self._online
        if online is None:
            return next(iter(names.order), None)
        try:
            label = online.predict_one(names.row(x))
        except (KeyError, TypeError, NoExample):
            label = online.predict_one(names.careful_row(x))
        return names.order[label if label < len(names.order) else 0]

    def predict_proba_one(self, x: Mapping[Hashable, Any], **kwargs: Any) -> dict[Any, float]:
        """Share of the votes of each label; empty before any label is known."""
        names, online = self._names, self._online
        if online is None or len(names.order) < 2:
            return {label: 1 / len(names.order) for label in names.order}
        try:
            shares = online.predict_proba_one(names.row(x))
        except (KeyError, TypeError, NoExample):
            shares = online.predict_proba_one(names.careful_row(x))
        return dict(zip(names.order, shares.tolist(), strict=True))

    def learn_one(self, x: Mapping[Hashable, Any], y: Any, w: float = 1.0) -> None:
        """Learn the example `x` of the label `y` with the weight `w`; 0 changes nothing."""
        names, online = self._names, self._online
        w = check_number(w, name="w", least=0)
        try:
            row, label = names.complete_row(x), names.labels[y]
            online.learn_one(row, label, w)  # type: ignore[union-attr]  # no names before it is set
            names.learned(row)
        except (KeyError, TypeError, NoExample):
            self._learn_carefully(x, y, w)
        self._learned = True

    def _learn_carefully(self, x: Mapping[Hashable, Any], y: Any, w: float) -> None:
        """Learn an example with new names or values, or say what is wrong with it."""
        names, online = self._names.meeting(x, y), self._online
        if w == 0:
            return
        if online is None:
            online = self.learner.online(names.schema, self._seed or 0)
        elif names is not self._names:
            online.grow(names.schema)
        row = names.careful_row(x)
        online.learn_one(row, names.labels[y], w)
        names.learned(row)
        self._names, self._online = names, online
