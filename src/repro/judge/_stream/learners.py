"""Learners of this package on your stream: who is best, by how much, how certainly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import seeds
from repro._progress import progress
from repro.evaluation.prequential import prequential
from repro.evaluation.sweep import sweep
from repro.figures import plot_means
from repro.judge._report.shared import sentence, share_text
from repro.judge._stream.source import Source
from repro.judge.section import Section
from repro.learners import (
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    LeveragingBag,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
    OzaBagAdwin,
    TemporallyAugmented,
)
from repro.metrics import batch_means, kappa, kappa_combined, kappa_standard_error, kappa_temporal
from repro.permutations import block_test
from repro.statistics.estimates import LEVEL, PointEstimate
from repro.statistics.multiple import holm
from repro.streams.stream import Stream

__all__ = ["AUGMENTED", "BASELINES", "FAST", "SHORT", "SLOW", "Comparison", "choose"]
__all__ += ["compare", "error_text", "learner_sections", "tied"]

MOST_COPIED = 100_000_000  # beyond that no learner that needs a copy of the attributes runs
MOST_NUMBERS = 15_000_000  # examples times attributes that the slow learners run on
IN_WORKERS = 30_000_000  # beyond that a stream stays in this process, which holds it once
MOST_NAMED = 3
BLOCKS = 20

AUGMENTED = "Hoeffding tree with the previous label"  # holds the stream once more
BASELINES: Mapping[str, Any] = {"majority": Majority(), "no change": NoChange()}
FAST: Mapping[str, Any] = {
    "naive Bayes": NaiveBayes(),
    "Hoeffding tree": HoeffdingTree(),
    "Hoeffding adaptive tree": HoeffdingAdaptiveTree(),
    AUGMENTED: TemporallyAugmented(HoeffdingTree()),
    "linear SVM": LinearSVM(),
}
SLOW: Mapping[str, Any] = {
    "dynamic weighted majority of naive Bayes": DynamicWeightedMajority(NaiveBayes()),
    "nearest neighbour": NearestNeighbors(),
    "OzaBag with ADWIN of Hoeffding trees": OzaBagAdwin(HoeffdingTree()),
    "leveraging bagging of Hoeffding trees": LeveragingBag(HoeffdingTree()),
}
SHORT: Mapping[str, str] = {
    "majority": "maj",
    "no change": "same",
    "naive Bayes": "NB",
    "Hoeffding tree": "HT",
    "Hoeffding adaptive tree": "HAT",
    AUGMENTED: "HT+",
    "linear SVM": "SVM",
    "dynamic weighted majority of naive Bayes": "DWM",
    "nearest neighbour": "NN",
    "OzaBag with ADWIN of Hoeffding trees": "OZAB",
    "leveraging bagging of Hoeffding trees": "LBAG",
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Predictions and losses of the learners, and the best of them that looks at attributes."""

    predictions: dict[str, NDArray[np.integer]]
    table: pd.DataFrame
    best: str
    baseline: str  # the better one of majority and no change
    left_out: tuple[str, ...]
    failures: dict[str, str]


def choose(stream: Stream, quick: bool) -> dict[str, Any]:
    """The learners that run on `stream`: the slow ones not if it is long or a `quick` look."""
    small = stream.X.size <= MOST_NUMBERS // (8 if quick else 1)
    learners = {**FAST, **(SLOW if small else {}), **BASELINES}
    if stream.X.size > MOST_COPIED:
        del learners[AUGMENTED]
    return learners


def compare(
    stream: Stream,
    learners: Mapping[str, Any],
    *,
    jobs: int,
    seed: int,
    cache: str | Path | None,
) -> Comparison:
    """Run `learners` along `stream`, and compare each with the best one block by block."""
    predictions, failures = _predictions(stream, learners, jobs, seed, cache)
    blocks = max(2, min(BLOCKS, len(stream) // 10))
    means = {  # one array of losses at a time: a stream may be long
        name: batch_means((y_pred != stream.y).astype(np.float64), blocks)
        for name, y_pred in predictions.items()
    }
    wrong = {name: np.count_nonzero(p != stream.y) for name, p in predictions.items()}
    ranked = sorted(wrong, key=lambda name: wrong[name])
    best = next((name for name in ranked if name not in BASELINES), ranked[0])
    baseline = min(BASELINES, key=lambda name: wrong[name])
    rows = {n: _row(stream.y, predictions[n], means[n], means[best]) for n in ranked}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("learner")
    others = table.index != best
    table.loc[others, "p"] = holm(table.loc[others, "p"].to_numpy(np.float64))
    table = table.rename(columns={"p": "p (Holm)"})
    out = tuple(name for name in [*FAST, *SLOW] if name not in learners)
    return Comparison(predictions, table, best, baseline, out, failures)


def _predictions(
    stream: Stream, learners: Mapping[str, Any], jobs: int, seed: int, cache: str | Path | None
) -> tuple[dict[str, NDArray[np.integer]], dict[str, str]]:
    if stream.X.size > IN_WORKERS:
        narrow = np.min_scalar_type(stream.schema.n_classes - 1)
        learner_seed = seeds.integer(seed, "learner")
        runs = progress(learners.items(), desc="learners", unit="learner")
        return {
            name: prequential(learner, stream, learner_seed, proba=False).y_pred.astype(narrow)
            for name, learner in runs
        }, {}
    how: dict[str, Any] = {"jobs": jobs, "cache": cache, "measures": {}}
    how["label_measures"] = {"predictions": lambda y, y_pred: y_pred}
    frame = sweep(learners, {"stream": stream}, [seed], **how).set_index("learner")
    failures = {str(name): text for name, text in frame["failure"].items() if text}
    return {n: frame.at[n, "predictions"] for n in frame.index if n not in failures}, failures


def _row(
    y: NDArray[np.int64],
    y_pred: NDArray[np.integer],
    means: NDArray[np.float64],
    best: NDArray[np.float64],
) -> dict[str, float]:
    test = block_test((means - best)[np.newaxis])
    row = {
        "error [%]": 100 * float(np.mean(y != y_pred)),
        "error [%] ± s.e.": 100 * means.std(ddof=1) / means.size**0.5,
        "behind the best [points]": 100 * test.difference,
        "behind the best [points] ± s.e.": 100 * test.standard_error,
        "p": float(PointEstimate(*test[:3]).p_value),  # also of stretches that differ equally
    }
    measures = {"kappa": kappa, "kappa_temporal": kappa_temporal, "kappa_combined": kappa_combined}
    for (name, function), short in zip(measures.items(), ("κ", "κ_per", "κ⁺"), strict=True):
        row[short] = float(function(y, y_pred))
        row[f"{short} ± s.e."] = kappa_standard_error(y, y_pred, name)
    return row


def learner_sections(source: Source, comparison: Comparison) -> tuple[Section, Section]:
    """Which learner is best, and what it confuses."""
    table, best = comparison.table, comparison.best
    others = tied(comparison)
    text = (
        f"Of the learners that use attributes, {best} errs least often: {error_text(comparison)}."
    )
    text += (
        f" It cannot be told from {others} at the level of {LEVEL:.0%}."
        if others
        else " Every other learner errs significantly more often."
    )
    text += (
        " Differences are tested over stretches of the stream (block test, corrected with Holm). "
        "The test is exact for learners that forget within a stretch; for trees that still grow "
        "take it as a guide."
    )
    if comparison.left_out:
        text += (
            f"\n\nLeft out for the length of the stream: {sentence(comparison.left_out)}. "
            "They can be run on a part of it: judge.stream(stream.take(range(50_000)))."
        )
    for name, failure in comparison.failures.items():
        text += f"\n\n{name} failed: {failure}."
    short = [SHORT[name] for name in table.index]
    points = table[["error [%]"]].set_axis(short)
    bars = 2 * table[["error [%] ± s.e."]].to_numpy(np.float64)
    ax = plot_means(points, error_bars=bars, ylabel="Error [%]")
    alt = "Error of each learner with two standard errors: " + "; ".join(
        f"{name} ({SHORT[name]}) {value:.1f} %" for name, value in table["error [%]"].items()
    )
    return (
        Section("learners", "Which learner is best?", text, None, ax.get_figure(root=True), alt),
        _confusion(source, comparison),
    )


def error_text(comparison: Comparison) -> str:
    """The error of the best learner with its standard error; if it never errs, the interval."""
    error, spread = comparison.table.loc[comparison.best, ["error [%]", "error [%] ± s.e."]]
    n = len(comparison.predictions[comparison.best])
    return share_text(round(error / 100 * n), n, spread / 100)


def tied(comparison: Comparison) -> str:
    """The learners that cannot be told from the best, in words; empty if there is none."""
    table = comparison.table
    names = [n for n in table.index if n != comparison.best and table.at[n, "p (Holm)"] >= LEVEL]
    if len(names) > MOST_NAMED:
        return f"{len(names)} of the {len(table) - 1} others"
    return sentence(names) if names else ""


def _confusion(source: Source, comparison: Comparison) -> Section:
    y, y_pred, K = source.stream.y, comparison.predictions[comparison.best], len(source.labels)
    counts = np.bincount(y * K + y_pred.astype(np.int64), minlength=K * K).reshape(K, K)
    shown = np.argsort(-counts.sum(axis=1), kind="stable")[:20]
    names = [source.labels[k] for k in shown]
    table = pd.DataFrame(counts[np.ix_(shown, shown)], names, names).rename_axis("true label")
    recall = np.diag(counts)[shown] / np.maximum(counts.sum(axis=1)[shown], 1)
    table.insert(0, "found [%]", 100 * recall)
    off = counts.copy()
    np.fill_diagonal(off, 0)
    a, b = np.unravel_index(off.argmax(), off.shape)
    text = (
        f"Rows are true labels, columns the predictions of {comparison.best}. "
        f"{source.labels[a]} taken for {source.labels[b]} is its most frequent mistake: "
        f"{off[a, b]:,} of {off.sum():,}."
        if off.sum()
        else f"{comparison.best} makes no mistake."
    )
    if K > 20:
        text += " Only the 20 largest classes are shown."
    return Section("confusion", "What does the best learner confuse?", text, table)
