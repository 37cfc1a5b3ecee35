"""How often a drift test is wrong on streams that depend on themselves and do not drift."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from repro import seeds
from repro._progress import progress
from repro.detectors import ADWIN, DDM, EDDM
from repro.evaluation.prequential import prequential
from repro.judge._stream_tests import LEVEL, detect
from repro.learners import NaiveBayes
from repro.streams.label_chain import LabelChain

__all__ = ["DETECTORS", "TEST", "false_alarms", "like"]

DETECTORS = {"DDM": DDM(), "EDDM": EDDM(), "ADWIN": ADWIN()}
TEST = "this report's test"
LONGEST = 10_000  # examples of a simulated stream
ORDERS = 199
MOST_CLASSES = 10


def like(y: NDArray[np.int64], error: float) -> LabelChain:
    """A chain without drift whose labels follow each other as the labels `y` (n,) do.

    Classes beyond the largest nine are taken as one. The attribute is as informative as a naive
    Bayes error of `error` asks for, of two classes. Each transition is counted a little more often
    than it occurs, so that every class can be left and reached.
    """
    counts = np.bincount(y)
    kept = np.argsort(-counts, kind="stable")[: MOST_CLASSES - 1]
    codes = np.full(counts.size, kept.size)
    codes[kept] = np.arange(kept.size)
    K, labels = int(codes[y].max()) + 1, codes[y]
    pairs = np.bincount(labels[:-1] * K + labels[1:], minlength=K * K).reshape(K, K) + 1 / K
    transition = pairs / pairs.sum(axis=1, keepdims=True)
    distance = np.clip(2 * norm.isf(np.clip(error, 0.01, 0.45)), 0.3, 5.0)
    means = (distance * np.arange(K)).tolist()
    return LabelChain(transition.tolist(), means, n=min(y.size, LONGEST))


def false_alarms(chain: LabelChain, streams: Iterable[int], level: float = LEVEL) -> pd.DataFrame:
    """Share of drift-free streams of `chain` in which each test finds drift.

    Parameters
    ----------
    chain : draws the streams; their drifts are none.
    streams : seeds of the streams.
    level : of the test of this report.

    The frame has one row per test (of this report, and the detectors DDM, EDDM and ADWIN on the
    losses of naive Bayes); columns ``wrong [%]``, the share of streams with an alarm, and
    ``alarms``, their number per stream, each with its standard error. Streams that are too short
    for the test of this report count as without an alarm.
    """
    counts: dict[str, list[int]] = {TEST: [], **{name: [] for name in DETECTORS}}
    for seed in progress(list(streams), desc="drift-free streams", unit="stream"):
        stream = chain.sample(seed)
        rng = seeds.generator(seed, "judge", "orders")
        drift = detect(stream, rng, level=level, orders=ORDERS)
        counts[TEST].append(sum(len(aspect.positions) for aspect in drift.aspects.values()))
        loss = prequential(NaiveBayes(), stream, proba=False).loss
        for name, detector in DETECTORS.items():
            counts[name].append(len(detector.alarms(loss)))
    return pd.DataFrame({name: _row(np.array(c)) for name, c in counts.items()}).T.rename_axis(
        "test"
    )


def _row(alarms: NDArray[np.int64]) -> dict[str, float]:
    share, n = float(np.mean(alarms > 0)), alarms.size
    return {
        "wrong [%]": 100 * share,
        "wrong [%] ± s.e.": 100 * (share * (1 - share) / n) ** 0.5,
        "alarms": float(alarms.mean()),
        "alarms ± s.e.": float(alarms.std(ddof=1) / n**0.5) if n > 1 else float("nan"),
    }
