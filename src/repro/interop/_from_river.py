"""Models with `predict_one` and `learn_one`, such as river's classifiers, called for evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.interop.adapter import Adapter, Steps
from repro.streams.stream import Schema

__all__ = ["RiverModel"]


class RiverModel(Adapter):
    """A river classifier: attributes are named by position, nominal codes are integers.

    `by_share`: the model predicts the label with the largest share, as river does by default.
    """

    def __init__(self, model: Any, schema: Schema, seed: int, by_share: bool = False) -> None:
        super().__init__(model, schema, seed)
        self.by_share = by_share

    def along(self, steps: Steps) -> list[int]:
        """Predict and learn one by one; `steps` says when the labels of a block arrive."""
        X, y, y_pred, shares = steps.X, steps.y, steps.y_pred, steps.shares
        alarms = []
        learned = steps.arrived[steps.start - 1] if steps.start else 0
        i = steps.start
        try:
            for i in range(steps.start, steps.stop):
                if len(shares):
                    y_pred[i], shares[i] = self._both(X[i], i + steps.offset)
                else:
                    y_pred[i] = self.predict_one(X[i], i + steps.offset)
                for example in steps.order[learned : steps.arrived[i]]:
                    self.learn_one(X[example], y[example])
                    if self.drift_detected:
                        alarms.append(int(example))
                learned = steps.arrived[i]
        except Exception as error:
            self._note(error, i + steps.offset)
            raise
        return alarms

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.array([self.predict_one(x, i) for i, x in enumerate(X)])

    def learn(
        self, X: NDArray[np.float64], y: NDArray[np.int64], rows: NDArray[np.int64], block: int
    ) -> None:
        for row in rows:
            self.learn_one(X[row], y[row])

    def predict_one(self, x: NDArray[np.float64], example: int = 0) -> int:
        return self._as_label(self._label(x), example)

    def predict_proba_one(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array(self._both(x, 0)[1])

    def learn_one(self, x: NDArray[np.float64], y: int) -> None:
        self.model.learn_one(self._as_dict(x), int(y))

    def _label(self, x: NDArray[np.float64]) -> Any:
        try:
            return self.model.predict_one(self._as_dict(x))
        except NotImplementedError as error:
            rule = "learner must predict labels or probabilities"
            raise TypeError(f"{rule}; got {self}, which does neither") from error

    def _both(self, x: NDArray[np.float64], example: int) -> tuple[int, list[float]]:
        said = None if self.by_share else self._label(x)
        shares = self._model_shares(x)
        if self.by_share:
            said = self._label(x) if shares is None else _largest(shares)
        label, votes = self._as_label(said, example), [0.0] * self.schema.n_classes
        for k, share in ({label: 1.0} if shares is None else shares).items():
            if share:  # ignore classes of share 0: it may have met them in another stream
                votes[self._as_label(k, example)] += _as_share(share, example)
        return label, _as_shares(votes)

    def _model_shares(self, x: NDArray[np.float64]) -> Mapping[Any, Any] | None:
        """The shares that the model gives; None if it gives no shares."""
        if not hasattr(self.model, "predict_proba_one"):
            return None
        try:
            shares = self.model.predict_proba_one(self._as_dict(x))
        except NotImplementedError:  # every river classifier has the method, not all implement it
            return None
        if not isinstance(shares, Mapping):
            rule = "learner.predict_proba_one must return a dictionary of shares"
            raise TypeError(f"{rule}; got {shares!r}")
        return shares

    def _as_dict(self, x: NDArray[np.float64]) -> dict[int, float]:
        pairs = enumerate(zip(x.tolist(), self.schema.nominal, strict=True))
        return {j: int(value) if values else value for j, (value, values) in pairs}


def _largest(shares: Mapping[Any, Any]) -> Any:
    """The label with the largest share, the first of equals; None without labels."""
    return max(shares, key=shares.__getitem__, default=None)


def _as_shares(votes: list[float]) -> list[float]:
    """`votes` over their sum, by the rule of `rows_as_shares`; faster than numpy for one row."""
    total = sum(votes)
    if 0 < total < float("inf") and min(votes) >= 0:
        return [vote / total for vote in votes]
    return [1 / len(votes)] * len(votes)


def _as_share(share: Any, example: int) -> float:
    if not isinstance(share, Real | np.bool_):
        rule = "learner must give each class a number as its share"
        raise ValueError(f"{rule}; got {share!r} for example {example}")
    return float(share)
