"""A learner of ours as a classifier of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_random_state, check_X_y, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from repro._checks import check_count, check_flag, is_whole, shown
from repro.interop._nominal import AUTO, Coding, coding_of
from repro.interop._settings import all_settings, check_ours, with_settings
from repro.kernels.dispatch import runnable
from repro.learners.baselines import Majority, NoChange
from repro.learners.learner import Learner, OnlineLearner
from repro.learners.loops import learn_weighted_block, predict_block, shares_block
from repro.learners.temporal import Temporal, TemporalOnline
from repro.streams.stream import Schema

__all__ = ["SklearnClassifier"]

Floats = NDArray[np.float64]
#: What arrays are converted to: loops are compiled for arrays that can be written to.
NUMBERS: dict[str, Any] = {"dtype": np.float64, "order": "C", "force_writeable": True}


class SklearnClassifier(ClassifierMixin, BaseEstimator):
    """A learner of ours as scikit-learn's classifier; made by `repro.interop.to_sklearn`.

    Parameters
    ----------
    learner : of this package.
    nominal : "auto", or names or positions of the nominal columns.
    random_state : seeds the learner's own randomness.

    Attributes
    ----------
    classes_ : (K,) labels, sorted.
    online_ : the learner in its online form, which says its `counts` and `state_bytes`.
    n_features_in_, feature_names_in_ : columns.
    """

    online_: Any
    _coding: Coding
    _labels: NDArray[Any]  # (K,) in the order of the learner's classes

    def __init__(
        self,
        learner: Learner | Temporal,
        *,
        nominal: str | Sequence[Any] = AUTO,
        random_state: Any = 0,
    ) -> None:
        self.learner, self.nominal, self.random_state = learner, nominal, random_state

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> SklearnClassifier:
        """Forget everything, then learn the rows in order, each once."""
        return self._start(X, y, None, sample_weight)

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> SklearnClassifier:
        """Learn the rows in order, each once, after those learned before.

        `classes` names the labels to come; without it they may appear at any time.
        """
        if not self.__sklearn_is_fitted__():
            return self._start(X, y, classes, sample_weight)
        validate_data(self, X, reset=False, skip_check_array=True)
        coding = self._coding.extended(X)
        rows, row_labels, weights = self._checked(coding.codes(X), y, sample_weight)
        coming = _labels_to_come(row_labels, classes)
        labels = np.concatenate([self._labels, coming[~np.isin(coming, self._labels)]])
        self._grow(Schema(coding.nominal(rows.shape[1]), len(labels)))
        self._coding, self._labels = coding, labels
        _learn_rows(self.online_, rows, _positions(row_labels, labels), weights)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The predicted label of each row, the learner's first of equals; shape (n,)."""
        rows = self._rows(X)
        return self._labels[_predict_rows(self.online_, rows)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the votes, one column for each of `classes_`; shape (n, K)."""
        rows = self._rows(X)
        shares = _shares_of_rows(self.online_, rows)
        return shares[:, np.argsort(self._labels)]

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels met so far, sorted; shape (K,)."""
        check_is_fitted(self)
        return np.sort(self._labels)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Settings; those of the learner as ``learner__grace_period``, ``learner__base__leaf``."""
        outer = {name: getattr(self, name) for name in self._get_param_names()}
        inside = all_settings(self.learner) if check_flag(deep, name="deep") else {}
        return outer | {f"learner__{path}": value for path, value in inside.items()}

    def set_params(self, **params: Any) -> SklearnClassifier:
        """Change settings, also those inside the learner."""
        start = "learner__"
        inside = {p.removeprefix(start): v for p, v in params.items() if p.startswith(start)}
        outer = {path: value for path, value in params.items() if not path.startswith(start)}
        if inside:
            described = outer.get("learner", self.learner)
            outer["learner"] = with_settings(described, inside, name="learner")
        super().set_params(**outer)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "online_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = isinstance(self.learner, Majority | NoChange)
        return tags

    def _start(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> SklearnClassifier:
        """Learn the first rows; nothing changes if one of them is refused."""
        check_ours(self.learner)
        coding = coding_of(X, self.nominal)
        rows, row_labels, weights = self._checked(coding.codes(X), y, sample_weight)
        labels = _labels_to_come(row_labels, classes)
        schema = Schema(coding.nominal(rows.shape[1]), len(labels))
        online = self.learner.online(schema, _seed(self.random_state))
        _learn_rows(online, rows, _positions(row_labels, labels), weights)
        validate_data(self, X, reset=True, skip_check_array=True)  # the names of the columns
        self._coding, self._labels, self.online_ = coding, labels, online
        return self

    def _grow(self, schema: Schema) -> None:
        """Go on with a larger schema: more classes, more values of nominal columns."""
        if schema != self.online_.schema:
            self.online_.grow(schema)

    def _checked(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[np.float64]]:
        """(rows, labels, weights) to learn."""
        rows, labels = check_X_y(X, y, estimator=self, **NUMBERS)
        check_classification_targets(labels)
        if sample_weight is None:
            return rows, labels, np.ones(len(rows))
        options = {**NUMBERS, "ensure_2d": False, "input_name": "sample_weight"}
        weights = check_array(sample_weight, **options)
        if weights.shape != labels.shape:
            rule = f"sample_weight must have one weight per row of X, {len(rows)}"
            raise ValueError(f"{rule}; got shape {weights.shape}")
        if weights.min() < 0 or weights.max() == 0:
            worst = weights.min() if weights.min() < 0 else "only zeros"
            raise ValueError(f"sample_weight must be >= 0, and not always zero; got {worst}")
        return rows, labels, weights

    def _rows(self, X: Any) -> NDArray[np.float64]:
        """The rows of `X` as the learner takes them."""
        check_is_fitted(self)
        if not self._coding.values:
            return validate_data(self, X, reset=False, **NUMBERS)
        validate_data(self, X, reset=False, skip_check_array=True)
        return check_array(self._coding.codes(X), estimator=self, **NUMBERS)


def _seed(random_state: Any) -> int:
    """The seed that `random_state` means: itself, or one drawn from it."""
    if is_whole(random_state):
        return check_count(random_state, name="random_state", least=0)
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except (TypeError, ValueError):
        rule = "random_state must be a whole number >= 0, None or a numpy.random.RandomState"
        raise ValueError(f"{rule}; got {shown(random_state)}") from None


def _labels_to_come(row_labels: NDArray[Any], classes: ArrayLike | None) -> NDArray[Any]:
    """The sorted labels: `classes`, which must contain the `row_labels`, or these."""
    try:
        coming = np.unique(row_labels if classes is None else column_or_1d(classes))
    except (TypeError, ValueError) as error:
        raise ValueError(f"classes must hold labels; got {shown(classes)} ({error})") from None
    if not np.isin(row_labels, coming).all():
        outside = row_labels[~np.isin(row_labels, coming)][0]
        raise ValueError(f"y must hold labels of classes, {coming.tolist()}; got {outside!r}")
    return coming


def _positions(row_labels: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.int64]:
    """The position in `labels` (K,) of each of the `row_labels`."""
    order = np.argsort(labels)
    return order[np.searchsorted(labels, row_labels, sorter=order)]


def _learn_rows(
    online: OnlineLearner | TemporalOnline, X: Floats, y: NDArray[np.int64], weights: Floats
) -> None:
    """Learn the rows of `X` (m, d) of the classes `y` (m,) with `weights` (m,) >= 0, in order."""
    if isinstance(online, OnlineLearner):
        runnable(learn_weighted_block, online.state)(online.state, X, y, weights)
    else:
        for x, label, weight in zip(X, y.tolist(), weights.tolist(), strict=True):
            online.learn_one(x, label, weight)


def _predict_rows(online: OnlineLearner | TemporalOnline, X: Floats) -> NDArray[np.int64]:
    """The predicted class of each row of `X` (m, d); shape (m,)."""
    if not isinstance(online, OnlineLearner):
        return np.array([online.predict_one(x) for x in X], np.int64)
    classes, scratch = np.empty(len(X), np.int64), np.zeros(online.schema.n_classes)
    runnable(predict_block, online.state)(online.state, X, classes, scratch)
    return classes


def _shares_of_rows(online: OnlineLearner | TemporalOnline, X: Floats) -> Floats:
    """Shares of the votes of the classes for each row of `X` (m, d); shape (m, K)."""
    if not isinstance(online, OnlineLearner):
        return np.array([online.predict_proba_one(x) for x in X])
    shares = np.zeros((len(X), online.schema.n_classes))
    runnable(shares_block, online.state)(online.state, X, shares)
    return shares
