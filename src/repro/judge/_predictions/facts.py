"""What a report on a log of predictions rests on: estimates along the stream, and their tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.evaluation.prequential import prequential
from repro.interop.prediction_log import PredictionLog
from repro.learners import Majority, NoChange
from repro.metrics import default_block, g_mean, ratio_influence
from repro.statistics.anytime import compare_anytime
from repro.statistics.estimates import LEVEL, PointEstimate
from repro.statistics.multiple import holm
from repro.statistics.series import LEAST_BLOCKS, compare_groups, estimate_along
from repro.streams.stream import Stream

__all__ = ["Facts", "facts_of", "told"]

Losses = NDArray[np.float64]
LARGE = 0.8  # share of the largest class from which on the error says little
RARE = 0.1  # share of a class below which it is rare


@dataclass(frozen=True, eq=False)
class Facts:
    """A log, the losses of its models and of rules that ignore the attributes, and a block length.

    The block is the longest that the losses of a model or the labels ask for; all standard errors
    of the report use it.
    """

    log: PredictionLog
    losses: Mapping[str, Losses]
    rules: Mapping[str, Losses]
    delay: int  # examples by which labels are late, the median
    block: int

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-len(self.log) // self.block)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of each class (K,)."""
        return np.asarray(self.log.counts / len(self.log))

    @property
    def is_unbalanced(self) -> bool:
        """Whether the largest class holds so much that the error says little."""
        return bool(self.shares.max() >= LARGE)

    @cached_property
    def rare(self) -> list[int]:
        """Classes that are rare, the rarest first."""
        there = np.flatnonzero((self.shares > 0) & (self.shares < RARE))
        return sorted(map(int, there), key=lambda c: float(self.shares[c]))

    def mean(self, values: Losses) -> PointEstimate:
        """The mean of `values` (n,)."""
        return estimate_along(float(values.mean()), values - values.mean(), self.block)

    def ratio(self, numerator: Losses, denominator: Losses) -> PointEstimate:
        """The ratio of two sums (n,); nan where the second is 0."""
        if not (total := float(denominator.sum())):
            return PointEstimate(float("nan"), float("nan"), 0)
        influence = ratio_influence(numerator, denominator)
        return estimate_along(float(numerator.sum()) / total, influence, self.block)

    def gain(self, model: str, rule: str) -> PointEstimate:
        """Error of a `rule` less that of a `model`, on the same examples."""
        return self.mean(self.rules[rule] - self.losses[model])

    def recall(self, y_pred: NDArray[np.int64], c: int) -> PointEstimate:
        """Recall of class `c`."""
        is_c = self.log.y == c
        return self.ratio((is_c & (y_pred == c)) * 1.0, is_c * 1.0)

    def precision(self, y_pred: NDArray[np.int64], c: int) -> PointEstimate:
        """Precision of class `c`."""
        predicted = y_pred == c
        return self.ratio((predicted & (self.log.y == c)) * 1.0, predicted * 1.0)

    def lift(self, y_pred: NDArray[np.int64], c: int) -> PointEstimate:
        """Share of the predictions `c` among examples of that class, less that among the others."""
        groups = (self.log.y == c).astype(np.int64)
        row = compare_groups((y_pred == c) * 1.0, groups, self.block).loc[1]
        spread, blocks = row["difference_standard_error"], int(row["blocks"])
        return PointEstimate(row["difference"], spread, blocks - 1)

    def mean_recalls(self, y_pred: NDArray[np.int64]) -> tuple[PointEstimate, PointEstimate]:
        """Balanced accuracy and G-mean."""
        there = np.flatnonzero(self.shares > 0)
        right = (self.log.y == y_pred) * 1.0
        recalls = np.bincount(self.log.y, weights=right)[there] / self.log.counts[there]
        weights = np.zeros(self.shares.size)  # of an example of each class
        weights[there] = 1 / self.shares[there]
        levels = np.zeros(self.shares.size)
        levels[there] = recalls
        each = weights[self.log.y] * (right - levels[self.log.y])
        balanced = estimate_along(float(recalls.mean()), each / there.size, self.block)
        value = float(g_mean(self.log.y, y_pred))
        if not recalls.all():  # on the edge: a class is never found
            return balanced, PointEstimate(value, float("nan"), balanced.df)
        inverse = np.zeros(self.shares.size)
        inverse[there] = value / recalls / there.size
        return balanced, estimate_along(value, each * inverse[self.log.y], self.block)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Pairs of models: difference of errors, Holm's p-value, and when it could be told."""
        rows, estimates = [], []
        for a, b in combinations(self.losses, 2):
            one, other = self.losses[a], self.losses[b]
            estimates.append(self.mean(one - other))
            first = compare_anytime(one, other).first
            alone = int(((one == 1) & (other == 0)).sum()), int(((one == 0) & (other == 1)).sum())
            rows.append((a, b, *alone, np.nan if first is None else first + 1))
        columns = ["A", "B", "only A errs", "only B errs", "told after"]
        table = pd.DataFrame(rows, columns=columns)
        table["difference [%]"] = [100 * e.value for e in estimates]
        table["difference [%] ± s.e."] = [100 * e.standard_error for e in estimates]
        p = [e.p_value if e.df >= LEAST_BLOCKS - 1 else np.nan for e in estimates]
        table["p (corrected)"] = holm(p) if p else []
        return table


def told(estimate: PointEstimate, level: float = LEVEL) -> int:
    """1 or -1 where the sign of an `estimate` is known at the `level`; 0 where it is not."""
    if not estimate.df >= LEAST_BLOCKS - 1 or np.isnan(estimate.standard_error):
        return 0
    low, high = estimate.interval(level)
    return int(low > 0) - int(high < 0)


def facts_of(log: PredictionLog) -> Facts:
    """The losses of the models and rules of a `log`, and the length of a block."""
    delay = 0 if log.delays is None else int(np.median(log.delays.examples))
    stream = Stream(np.zeros((len(log), 1)), log.y, n_classes=len(log.labels))
    late = f"the label {delay + 1:,} examples before" if delay else "the label before"
    learners = {"the most frequent label so far": Majority(), late: NoChange()}
    rules = {
        name: prequential(learner, stream, proba=False, delay=delay).loss.astype(np.float64)
        for name, learner in learners.items()
    }
    losses = log.losses
    largest = (log.y == log.counts.argmax()) * 1.0
    series = [*losses.values(), largest]
    block = max(default_block(x - x.mean()) for x in series)
    return Facts(log, losses, rules, delay, block)
