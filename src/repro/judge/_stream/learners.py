"""Learners of this package on your stream: who is best, by how much, how certainly."""

from __future__ import annotations

import numpy as np
import pandas as pd

from repro.figures import plot_means
from repro.judge._report.shared import sentence, share_text
from repro.judge._stream.comparison import Comparison, short
from repro.judge._stream.source import Source
from repro.judge.section import Section
from repro.statistics.estimates import LEVEL

__all__ = ["best_of", "choice_text", "error_text", "learner_sections"]

MOST_NAMED = 3


def learner_sections(source: Source, comparison: Comparison) -> tuple[Section, Section]:
    """Which learner is best, and what it confuses."""
    table, best = comparison.table, comparison.best
    text = (
        f"Of the learners that use attributes, {best} errs least often: {error_text(comparison)}. "
        f"{choice_text(comparison)} "
        "Differences are tested over stretches of the stream (block test, corrected with Holm). "
        f"As {best} is chosen after its errors are seen, p below {LEVEL} says that a learner is "
        "not the best one, and not that these two differ. The test is exact for learners that "
        "forget within a stretch; for trees that still grow take it as a guide."
    )
    if comparison.left_out:
        text += (
            f"\n\nLeft out for the length of the stream: {sentence(comparison.left_out)}. "
            "They can be run on a part of it: judge.stream(stream.take(range(50_000)))."
        )
    for name, failure in comparison.failures.items():
        text += f"\n\n{name} failed: {failure}."
    points = table[["error [%]"]].set_axis([short(name) for name in table.index])
    bars = 2 * table[["error [%] ± s.e."]].to_numpy(np.float64)
    ax = plot_means(points, error_bars=bars, ylabel="Error [%]")
    alt = "Error of each learner with two standard errors: " + "; ".join(
        f"{name} ({short(name)}) {value:.1f} %" for name, value in table["error [%]"].items()
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


def best_of(comparison: Comparison, *first: str) -> str:
    """The `first` and the other learners that may be the best, in words; empty if there is none."""
    names = comparison.may_be_best
    others = [f"one of {len(names)} others"] if len(names) > MOST_NAMED else names
    return sentence([*first, *others], "or") if first or others else ""


def choice_text(comparison: Comparison) -> str:
    """Which learners may be the best, and whether it is better than the best rule."""
    is_open = bool(comparison.may_be_best)
    best = f"the best of them is {best_of(comparison, 'this one')}" if is_open else ""
    text = f"With {1 - LEVEL:.0%} confidence {best or 'it is the best of them'}."
    if comparison.baseline == comparison.best:
        return text
    differs = {
        1: "errs significantly more often",
        0: "cannot be told from it",
        -1: "errs significantly less often",
    }
    return f"{text} The rule “{comparison.baseline}” {differs[comparison.baseline_errs]}."


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
