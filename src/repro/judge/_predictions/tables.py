"""The sections on errors, simple rules, classes and scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.figures import plot_bands, plot_curves
from repro.judge._predictions.facts import Facts
from repro.judge._report.cells import with_error
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section
from repro.metrics import (
    brier_loss,
    calibration,
    kappa,
    kappa_majority,
    kappa_standard_error,
    kappa_temporal,
    log_loss,
    pr_auc,
    roc_auc,
)
from repro.metrics.calibration import Calibration
from repro.statistics.shares import share_interval

__all__ = ["calibrations", "class_section", "error_section", "main_table", "read_section"]
__all__ += ["score_section", "target_of"]

Floats = NDArray[np.float64]
STRETCHES = 20  # of the stream, in the figure of the error
KAPPAS = {"kappa": kappa, "kappa_majority": kappa_majority, "kappa_temporal": kappa_temporal}
SHORT = {"kappa": "κ", "kappa_majority": "κ_m", "kappa_temporal": "κ_per"}
MOST_CLASSES = 20  # in the table of classes


def main_table(facts: Facts) -> pd.DataFrame:
    """Models and rules: errors, kappas, means of recalls."""
    y, rows = facts.log.y, {}
    for model, y_pred in facts.log.predictions.items():
        error = facts.mean(facts.losses[model])
        balanced, geometric = facts.mean_recalls(y_pred)
        rows[model] = _percent("error [%]", error)
        rows[model] |= _percent("balanced accuracy [%]", balanced)
        rows[model] |= _percent("G-mean [%]", geometric)
        for name, measure in KAPPAS.items():
            options = {"delay": facts.delay} if name == "kappa_temporal" else {}
            pair = measure(y, y_pred, **options), kappa_standard_error(y, y_pred, name, facts.block)
            rows[model] |= with_error(SHORT[name], pair)
    for rule, loss in facts.rules.items():
        rows[rule] = _percent("error [%]", facts.mean(loss))
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("model or rule")


def read_section(facts: Facts) -> Section:
    """What was read."""
    log = facts.log
    counts = pd.DataFrame(
        {"examples": log.counts, "share [%]": 100 * facts.shares},
        index=pd.Index(log.labels, name="class"),
    )
    for model, y_pred in log.predictions.items():
        counts[f"{model} [%]"] = 100 * np.bincount(y_pred, minlength=len(log.labels)) / len(log)
    one = len(log.predictions) == 1
    text = (
        f"{len(log):,} examples with a label and {'a prediction' if one else 'predictions'} of "
        f"{sentence(log.predictions)} were read. A column of the table with the name of a model is "
        "the share of its predictions."
    )
    if log.notes:
        text += "\n\nNotes: " + " ".join(f"{note[0].upper()}{note[1:]}." for note in log.notes)
    return Section("read", "What was read", text, counts)


def error_section(facts: Facts) -> Section:
    """The error along the stream, with its band."""
    n = len(facts.log)
    length = max(facts.block, -(-n // STRETCHES))
    starts = np.arange(0, n - length + 1, length)
    table = pd.DataFrame({"from": starts, "to": starts + length})
    curves = {}
    for model, loss in facts.losses.items():
        whole = facts.mean(loss)
        means = np.array([loss[a : a + length].mean() for a in starts])
        p = float(whole.value)
        inflation = whole.standard_error**2 * n / (p * (1 - p)) if 0 < p < 1 else 1.0
        size = length / max(1.0, inflation)
        low, high = share_interval(means * size, size)
        curves[label(model)] = means, low, high
        table[f"{model} [%]"] = 100 * means
        table[f"{model} [%] from"], table[f"{model} [%] to"] = 100 * low, 100 * high
    text = (
        f"The error in stretches of {length:,} examples, with its 95 % interval (exact, binomial). "
        "Losses that depend on each other count as fewer examples: as many as give the standard "
        f"error of the whole log, which is from blocks of {facts.block:,} examples. The interval "
        "holds for each stretch alone."
    )
    if flat := [m for m, loss in facts.losses.items() if np.ptp(loss) == 0]:
        text += f" The losses of {sentence(flat)} are all equal: they count as independent."
    ax = plot_bands(starts + length / 2, curves)
    ax.legend(frameon=False)
    ends = [
        f"{m} between {100 * c.min():.1f} and {100 * c.max():.1f} %"
        for m, (c, *_) in curves.items()
    ]
    alt = f"Error along the stream, in stretches of {length:,} examples: {'; '.join(ends)}."
    figure = ax.get_figure(root=True)
    return Section("error", "How large is the error, along the stream?", text, table, figure, alt)


def class_section(facts: Facts) -> Section:
    """Recall and precision of each class."""
    log, rows = facts.log, []
    there = [int(c) for c in np.argsort(facts.shares, kind="stable") if facts.shares[c] > 0]
    for c in there[:MOST_CLASSES]:
        for model, y_pred in log.predictions.items():
            row = {"class": log.labels[c], "model": model, "examples": int(log.counts[c])}
            row |= _percent("recall [%]", facts.recall(y_pred, c))
            row |= _percent("precision [%]", facts.precision(y_pred, c))
            rows.append(row)
    table = pd.DataFrame(rows).set_index(["class", "model"])
    largest = int(facts.shares.argmax())
    text = (
        "Recall is the share of the examples of a class that is found, precision the share of its "
        "predictions that is right; the rarest class comes first. A precision is missing where a "
        "class is never predicted."
    )
    if len(there) > MOST_CLASSES:
        text += f" The {MOST_CLASSES} rarest of {len(there)} classes are shown."
    if facts.is_unbalanced:
        text += (
            f" {log.labels[largest]} holds {facts.shares[largest]:.1%} of the labels: always "
            f"predicting it errs in {1 - facts.shares[largest]:.1%}, so the error says little. "
            "Look at the recalls, at balanced accuracy and at the G-mean."
        )
    return Section("classes", "Are all classes found?", text, table)


def target_of(facts: Facts, model: str) -> np.ndarray:
    """What the score of a `model` is about: the class `positive`, or that it is right."""
    log = facts.log
    if log.positive is None:
        return (log.predictions[model] == log.y).astype(np.int64)
    return (log.y == log.positive).astype(np.int64)


def calibrations(facts: Facts) -> dict[str, Calibration | None]:
    """The calibration of each model with scores; None where they are not probabilities."""
    found: dict[str, Calibration | None] = {}
    for model, score in facts.log.scores.items():
        is_share = bool(score.min() >= 0 and score.max() <= 1)
        found[model] = calibration(target_of(facts, model), score) if is_share else None
    return found


def score_section(facts: Facts, calibrated: dict[str, Calibration | None]) -> Section:
    """Ranking, losses of probabilities, and a figure of calibration."""
    log, rows, curves = facts.log, {}, {}
    for model, score in log.scores.items():
        y = target_of(facts, model)
        row: dict[str, object] = {"ROC AUC": roc_auc(y, score), "PR AUC": pr_auc(y, score)}
        row["share of class [%]"] = 100 * float(y.mean())
        if (made := calibrated[model]) is not None:
            row |= with_error("Brier loss", facts.mean(brier_loss(y, score)))
            row |= with_error("log loss", facts.mean(log_loss(y, score)))
            row |= with_error("gap [%]", (100 * made.gap, 100 * made.gap_standard_error))
            row |= with_error("slope", (made.slope, made.slope_standard_error))
            row |= {"ECE [%]": 100 * made.expected_error, "p (calibrated)": made.p_value}
            curves[label(model)] = made.frame
        rows[model] = row
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("model")
    what = (
        "that the predicted class is right"
        if log.positive is None
        else f"the class {log.labels[log.positive]}"
    )
    text = (
        f"Scores are about {what}. ROC AUC is the probability that an example of it has a higher "
        "score than another one, 0.5 without skill; PR AUC is the mean precision, which without "
        "skill is the share of the class."
    )
    if not curves:
        text += " The scores are not all between 0 and 1, so they are not judged as probabilities."
        return Section("scores", "Are the scores right?", text, table)
    text += (
        " Of examples with the probability p, a share p should occur: then the gap (mean "
        "probability less share) is 0 and the slope 1. A slope below 1 means that probabilities "
        "are too extreme. ECE is above 0 by chance and is not tested."
    )
    ax = plot_curves(
        {"right": [0.0, 1.0]}, x=[0.0, 1.0], xlabel="Probability", ylabel="Share that occurs"
    )
    for model, frame in curves.items():
        plot_curves(
            {model: frame["share"]},
            x=frame["probability"],
            ax=ax,
            xlabel="Probability",
            ylabel="Share that occurs",
        )
    ax.legend(frameon=False)
    worst = {m: float((f["share"] - f["probability"]).abs().max()) for m, f in curves.items()}
    far = sentence(f"{m} is off by up to {gap:.2f}" for m, gap in worst.items())
    alt = f"Share that occurs against the probability, in ten bins, beside the diagonal: {far}."
    return Section("scores", "Are the scores right?", text, table, ax.get_figure(root=True), alt)


def _percent(name: str, estimate: tuple[float, float, float]) -> dict[str, float]:
    return with_error(name, (100 * estimate[0], 100 * estimate[1]))
