"""A log of predictions: labels, predictions, scores, delays of labels, groups of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["LabelDelays", "PredictionLog", "RowGroups"]

Labels = NDArray[np.int64]


class RowGroups(NamedTuple):
    """A column that divides the rows: the number of each row's group, and the groups' names."""

    codes: Labels
    names: tuple[str, ...]


class LabelDelays(NamedTuple):
    """How late the labels of a log came."""

    waits: NDArray[np.float64]  #: time from the prediction to the label, (n,)
    unit: str  #: of `waits`: "s" for dates, empty for numbers
    examples: Labels  #: that were predicted before the label came, (n,)


@dataclass(frozen=True, eq=False)
class PredictionLog:
    """Labels and the predictions of them in the order of time; `read_predictions` makes it."""

    name: str
    labels: tuple[str, ...]  #: names of the classes 0..K-1
    y: Labels  #: shape (n,)
    predictions: Mapping[str, Labels]  #: of each model, shape (n,)
    #: of each model that has them, shape (n,): of the class `positive` of two classes, otherwise of
    #: the class that is predicted
    scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    positive: int | None = None  #: the class that the scores are of; None with several classes
    delays: LabelDelays | None = None  #: of the labels, where their times are known
    groups: Mapping[str, RowGroups] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self.y.size)

    @property
    def losses(self) -> dict[str, NDArray[np.float64]]:
        """0/1 losses of each model, (n,)."""
        return {m: (p != self.y).astype(np.float64) for m, p in self.predictions.items()}

    @property
    def counts(self) -> Labels:
        """Number of examples of each class, (K,)."""
        return np.bincount(self.y, minlength=len(self.labels))
