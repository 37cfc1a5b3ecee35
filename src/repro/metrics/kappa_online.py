"""The kappa measures online."""

from __future__ import annotations

from collections import deque
from math import sqrt

import numpy as np

from repro._checks import MOST_CLASSES, as_memory, check_count
from repro.kernels.fading import fade, fade_all
from repro.metrics._kappa import ROUNDING, as_label
from repro.metrics.baselines import Baselines

__all__ = ["Kappa"]


class Kappa:
    """Online twin of `kappa`, `kappa_majority`, `kappa_temporal`, `kappa_combined`, `baselines`.

    At each step its values equal the curves of these functions with the same `alpha` or `window`;
    with neither, they equal the curves with ``alpha=1``. Each value is nan before the first step.

    The state is 2k + 7 numbers for k classes, and with a `window` also the steps in it. (Paper 3
    counts 3k + 2 for kappa and kappa_temporal. Of its k numbers P(i, i) only the sum is needed. The
    majority's error takes some more, and so do the steps after the first, which alone have a
    predecessor.)

    Parameters
    ----------
    n_classes : number of classes k; labels are 0..k-1.
    alpha : fading factor in (0, 1].
    window : count the last so many steps only.

    >>> online = Kappa(n_classes=2)
    >>> for y, y_pred in [(0, 0), (0, 1), (1, 1), (1, 1)]:
    ...     online.update(y, y_pred)
    >>> online.kappa, round(online.kappa_temporal, 3)
    (0.5, 0.0)
    """

    def __init__(
        self, n_classes: int, alpha: float | None = None, window: int | None = None
    ) -> None:
        self.n_classes = check_count(n_classes, name="n_classes", most=MOST_CLASSES)
        self.alpha, _ = as_memory(alpha, window, 1)
        self.window = window
        self._labels, self._predictions = np.zeros(n_classes), np.zeros(n_classes)
        self._missed = 0.0
        # Of the steps after the first: their weight, and the errors of the predictions, of the
        # majority, and of no change.
        self._later = np.zeros(4)
        self._last = -1
        self._ring: deque[tuple[int, int, np.ndarray]] = deque()

    def update(self, y: int, y_pred: int) -> None:
        """Take in one label and its prediction, of the classes 0..n_classes-1."""
        y, y_pred = (as_label(v, self.n_classes, n) for v, n in ((y, "y"), (y_pred, "y_pred")))
        majority = int(self._labels.argmax())
        step = np.array([1.0, y != y_pred, y != majority, y != self._last])
        self._fade()
        self._add(y, y_pred, step if self._last >= 0 else 0 * step, 1.0)
        self._last = y

    @property
    def p(self) -> float:
        """Accuracy."""
        return 1 - self._missed / self._weight if self._weight else float("nan")

    @property
    def baselines(self) -> Baselines:
        """Accuracies of the baselines."""
        if not self._weight:
            return Baselines(1 / self.n_classes, *[float("nan")] * 4)
        weight, _, majority, no_change = self._later.tolist()
        most = float(self._labels.max() / self._weight)
        by_chance = float(self._labels @ self._predictions) / self._weight**2
        if not weight:
            return Baselines(1 / self.n_classes, most, float("nan"), float("nan"), by_chance)
        p_m, p_per = 1 - majority / weight, 1 - no_change / weight
        return Baselines(1 / self.n_classes, most, p_m, p_per, by_chance)

    @property
    def kappa(self) -> float:
        """Against chance."""
        # Weight of the pairs of a label and a prediction that differ, each counted at the larger of
        # its two classes. Subtracting the equal pairs from all would lose digits.
        labels, predictions = self._labels, self._predictions
        below = labels[1:] @ np.cumsum(predictions)[:-1] + predictions[1:] @ np.cumsum(labels)[:-1]
        return _share(self._missed * self._weight, float(below), self._weight**2)

    @property
    def kappa_majority(self) -> float:
        """Against the most frequent label so far."""
        return _share(self._later[1], self._later[2], self._later[0])

    @property
    def kappa_temporal(self) -> float:
        """Against no change."""
        return _share(self._later[1], self._later[3], self._later[0])

    @property
    def kappa_combined(self) -> float:
        """Geometric mean of `kappa` and `kappa_temporal`; 0 where one of them is negative."""
        product = np.maximum(0, self.kappa) * np.maximum(0, self.kappa_temporal)
        return sqrt(product)

    @property
    def _weight(self) -> float:
        return float(self._labels.sum())

    def _fade(self) -> None:
        for totals in (self._labels, self._predictions, self._later):
            fade_all(totals, self.alpha)
        self._missed = fade(self._missed, self.alpha)

    def _add(self, y: int, y_pred: int, step: np.ndarray, sign: float) -> None:
        self._labels[y] += sign
        self._predictions[y_pred] += sign
        self._missed += sign * (y != y_pred)
        self._later += sign * step
        if self.window is not None and sign > 0:
            self._ring.append((y, y_pred, step))
            if len(self._ring) > self.window:
                self._add(*self._ring.popleft(), -1.0)


def _share(missed: float, wrong: float, weight: float) -> float:
    return float(1 - missed / wrong) if wrong > ROUNDING * weight else float("nan")
