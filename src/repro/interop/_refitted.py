"""A classifier that is fitted anew on the last examples, as an incremental one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError

from repro._checks import as_array, shown

__all__ = ["Refitted"]


class Refitted(ClassifierMixin, BaseEstimator):
    """A classifier with `partial_fit`; made by `repro.interop.refit`.

    Attributes
    ----------
    classes_ : (K,) labels that `partial_fit` was told, or else has seen, sorted.
    model_ : fitted last; None before the first fit and while the window holds one class.
    n_fits_ : number of fits so far.
    """

    classes_: NDArray[Any]
    model_: Any

    def __init__(self, model: Any, window: int, every: int) -> None:
        self.model, self.window, self.every = model, window, every

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Refitted:
        """Take in examples, and fit the model anew if `every` examples have come since."""
        rows, labels = np.array(_rows(X), dtype=np.float64), as_array(y).copy()
        if labels.shape != (len(rows),):
            raise ValueError(f"y must have a label for each row of X; got shape {labels.shape}")
        if not hasattr(self, "n_seen_"):
            self.n_seen_, self.n_fits_, self.model_ = 0, 0, None
            self.X_, self.y_ = rows[:0], labels[:0]
            self.classes_ = _sorted(classes, labels if classes is None else as_array(classes))
        self.classes_ = _sorted(y, self.classes_, labels)
        seen = self.n_seen_ + len(rows)
        later = seen % self.every  # examples after the last moment at which to fit
        stop = len(rows) - later
        if stop > 0:
            self._keep(rows[:stop], labels[:stop])
            self._fit()
            rows, labels = rows[stop:], labels[stop:]
        self._keep(rows, labels)
        self.n_seen_ = seen
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Labels (n,); the most frequent label of the window while there is no model."""
        self._check_seen()
        rows = _rows(X)
        if self.model_ is None:
            return np.full(len(rows), self._most_frequent())
        return np.asarray(self.model_.predict(rows))

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Shares of `classes_` (n, K); of the predicted label alone where the model has none."""
        self._check_seen()
        rows = _rows(X)
        shares = np.zeros((len(rows), self.classes_.size))
        if self.model_ is not None and hasattr(self.model_, "predict_proba"):
            columns = np.searchsorted(self.classes_, self.model_.classes_)
            shares[:, columns] = self.model_.predict_proba(rows)
        else:
            at = np.searchsorted(self.classes_, self.predict(rows))
            shares[np.arange(len(rows)), at] = 1.0
        return shares

    def _check_seen(self) -> None:
        if not hasattr(self, "n_seen_"):
            raise NotFittedError("this Refitted has seen no example yet: call partial_fit first")

    def _keep(self, rows: NDArray[np.float64], labels: NDArray[Any]) -> None:
        self.X_ = np.concatenate([self.X_, rows])[-self.window :]
        self.y_ = np.concatenate([self.y_, labels])[-self.window :]

    def _fit(self) -> None:
        self.model_ = None
        if np.unique(self.y_).size > 1:  # most classifiers refuse a single class
            self.model_ = clone(self.model).fit(self.X_, self.y_)
            self.n_fits_ += 1

    def _most_frequent(self) -> Any:
        values, counts = np.unique(self.y_, return_counts=True)
        return values[counts.argmax()]


def _sorted(value: Any, *labels: NDArray[Any]) -> NDArray[Any]:
    """Different labels in their order; `value` is what they come from, for the message."""
    try:
        return np.unique(np.concatenate([np.ravel(part) for part in labels]))
    except TypeError:
        rule = "y and classes must hold labels that sort together"
        raise ValueError(f"{rule}; got {shown(value)}") from None


def _rows(X: ArrayLike) -> NDArray[Any]:
    rows = np.asarray(X)
    if rows.ndim != 2:
        raise ValueError(f"X must have a row for each example, shape (n, d); got {rows.shape}")
    return rows
