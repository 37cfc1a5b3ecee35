"""What drift detectors say of a stream, and how often they and our test are wrong without drift."""

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
from repro.judge._report.cells import with_error
from repro.judge._report.shared import sentence
from repro.judge._stream.source import Source
from repro.judge.section import Section
from repro.learners import NaiveBayes
from repro.statistics.drift import drift_test
from repro.statistics.estimates import LEVEL, mean_estimate
from repro.streams.label_chain import LabelChain
from repro.streams.stream import Stream

__all__ = ["TEST", "detector_section", "false_alarms", "like", "trial_section"]

DETECTORS = {"DDM": DDM(), "EDDM": EDDM(), "ADWIN": ADWIN()}
TEST = "this report's test"
LONGEST = 10_000  # examples of a simulated stream
ORDERS = 199
MOST_CLASSES = 10
MOST_EXAMPLES = 100_000  # on which detectors run in other orders
COPIES = 3  # random orders of each kind
STREAMS = 200  # drift-free streams that are simulated


def detector_section(stream: Stream, rng: np.random.Generator) -> Section:
    """Alarms on the losses of naive Bayes: in the order of the stream, and in random order."""
    n = min(len(stream), MOST_EXAMPLES)
    part = stream if n == len(stream) else stream.take(np.arange(n))
    kinds = {
        "as it is": [np.arange(n)],
        "examples in random order": [rng.permutation(n) for _ in range(COPIES)],
    }
    counts: dict[str, dict[str, float]] = {name: {} for name in DETECTORS}
    for kind, orders in kinds.items():
        losses = [prequential(NaiveBayes(), part.take(o), proba=False).loss for o in orders]
        for name, detector in DETECTORS.items():
            estimate = mean_estimate([len(detector.alarms(loss)) for loss in losses])
            counts[name] |= with_error(kind, estimate) if estimate.df else {kind: estimate.value}
    table = pd.DataFrame(counts).T.rename_axis("detector")
    first = "" if n == len(stream) else f" on the first {n:,} examples"
    listed = sentence(
        f"{name} raises {row['as it is']:.0f} alarms ({row['examples in random order']:.1f})"
        for name, row in counts.items()
    )
    text = (
        f"Drift detectors take losses for independent. On the losses of naive Bayes{first}, "
        f"{listed}; in parentheses with the examples in random order, where every alarm is false. "
        "What the stream has beyond that comes from drift or from runs of labels and losses: "
        "these detectors cannot tell which."
    )
    return Section("detectors", "What would drift detectors say?", text, table)


def trial_section(source: Source, error: float, seed: int) -> Section:
    """How often the tests are wrong on simulated streams like this one, but without drift."""
    stream = source.stream
    chain = like(stream.y, error)
    table = false_alarms(chain, range(seed, seed + STREAMS))
    row = table.loc[TEST]
    shorter = "" if chain.n == len(stream) else f" of {chain.n:,} examples"
    text = (
        f"On {STREAMS} simulated streams{shorter} with your label persistence and no drift, the "
        f"test of this report found drift in {row['wrong [%]']:.1f} ± "
        f"{row['wrong [%] ± s.e.']:.1f} % (s.e.); the nominal level is {LEVEL:.0%}. "
        + sentence(f"{name} alarmed in {table.at[name, 'wrong [%]']:.0f} %" for name in DETECTORS)
        + " of them."
    )
    return Section("false_alarms", "How often is the drift test wrong?", text, table)


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
        drift = drift_test(stream, rng, level=level, orders=ORDERS)
        counts[TEST].append(sum(len(a.positions) + a.unplaced for a in drift.aspects.values()))
        loss = prequential(NaiveBayes(), stream, proba=False).loss
        for name, detector in DETECTORS.items():
            counts[name].append(len(detector.alarms(loss)))
    return pd.DataFrame({name: _row(np.array(c)) for name, c in counts.items()}).T.rename_axis(
        "test"
    )


def _row(alarms: NDArray[np.int64]) -> dict[str, float]:
    share, n = float(np.mean(alarms > 0)), alarms.size
    return {
        **with_error("wrong [%]", (100 * share, 100 * (share * (1 - share) / n) ** 0.5)),
        **with_error("alarms", mean_estimate(alarms)),
    }
