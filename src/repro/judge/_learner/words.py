"""The answer in words: one paragraph, and a verdict on each question with its evidence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from repro.judge._learner.answers import (
    NEAR,
    OPEN,
    Findings,
    against_baselines,
    compared,
    near,
    place,
    ranked,
    whole,
)
from repro.judge._learner.recovery import MARGIN
from repro.judge._learner.repeated import TWICE
from repro.judge._learner.tables import excess_over_streams, gains, in_words
from repro.judge._report.shared import sentence
from repro.statistics.estimates import PointEstimate
from repro.statistics.recovery_times import RecoveryTime

__all__ = ["summary", "verdicts"]


def summary(findings: Findings) -> str:
    """The answer in one paragraph."""
    return " ".join(_paragraph(findings, model) for model in findings.runs.entrants.mine)


def _paragraph(findings: Findings, model: str) -> str:
    runs, n = findings.runs, len(findings.runs.streams)
    k, row = len(runs.entrants.learners), findings.table.loc[model]
    parts = [*_failures(findings, model)]
    if runs.errors[model].notna().any():
        parts.append(
            f"On {n} {_plural('stream', n)} {model} has place {place(findings, model)} of {k} by "
            f"mean rank ({row['rank']:.2f})."
        )
    error = PointEstimate(row["error [%]"], row["error [%] ± s.e."])
    if np.isfinite(error.value):
        parts.append(f"Its mean error is {in_words(error)} %{_above(findings, model)}.")
    to_optimum, to_simple = near(findings, model), against_baselines(findings, model)
    if runs.with_optimum:
        parts.append(_distance(to_optimum))
    lost = [name for name, word in to_simple.items() if word == "no"]
    if lost:
        parts.append(f"On {sentence(lost)} majority or persistence errs less.")
    parts += _drifts_in_words(findings, model)
    return " ".join(parts)


def _distance(answers: Mapping[str, str]) -> str:
    """How far from the optimum it is, from the answer on each stream."""
    near = [name for name, word in answers.items() if word == "yes"]
    if near:
        return f"It is within {NEAR:g} point of the optimum on {sentence(near)}."
    if all(word == "no" for word in answers.values()):
        return f"It is more than {NEAR:g} point above the optimum wherever that is known."
    return f"On no stream is it shown to be within {NEAR:g} point of the optimum."


def _failures(findings: Findings, model: str) -> list[str]:
    """What failed, in words: first of all, as the rest is about the other runs."""
    runs = findings.runs
    failed = runs.failures.query("learner == @model")
    if failed.empty:
        return []
    of_model = runs.table[runs.table["learner"] == model]
    first = failed.iloc[0]
    text = (
        f"{model} stopped with an error in {failed['runs'].sum()} of {len(of_model)} runs: "
        f"{first['failure']}, on {first['streams']}"
    )
    text += f", and {len(failed) - 1} other errors." if len(failed) > 1 else "."
    lost = [name for name in runs.streams if np.isnan(runs.errors.loc[name, model])]
    if lost:
        text += f" It counts as last on {sentence(lost)}."
    fewer = [
        name for name in of_model.query("failure != ''")["stream"].unique() if name not in lost
    ]
    if fewer:
        text += f" On {sentence(fewer)} only the draws are compared that all learners finished."
    return [text]


def _above(findings: Findings, model: str) -> str:
    runs = findings.runs
    if not runs.with_optimum:
        return "; the optimum is unknown"
    excess, gain = excess_over_streams(runs, model), gains(runs, model, runs.with_optimum)
    where = (
        "" if len(runs.with_optimum) == len(runs.streams) else f" on {sentence(runs.with_optimum)}"
    )
    text = f", {in_words(excess)} points above the optimum{where}"
    if np.isfinite(gain.value):
        text += f"; it has {in_words(gain)} % of the possible gain over majority and persistence"
    return text


def _drifts_in_words(findings: Findings, model: str) -> list[str]:
    parts = []
    for (stream, at, name), recovery in findings.recovery.items():
        if name == model and recovery.rises(findings.level_of_drifts):
            word, where = recovered(findings, stream, recovery)[0], f"the drift at {at} of {stream}"
            if word == "yes":
                after = f"after about {recovery.examples:,.0f} examples"
                parts.append(f"It recovers from {where} {after}.")
            elif word == "no":
                parts.append(f"It does not recover from {where}.")
            else:
                parts.append(f"Whether it recovers from {where} cannot be told.")
    return parts


def verdicts(findings: Findings) -> pd.DataFrame:
    """One row per question, of each model; columns question, verdict, evidence."""
    rows = []
    for model in findings.runs.entrants.mine:
        prefix = f"{model}: " if len(findings.runs.entrants.mine) > 1 else ""
        rows += [(prefix + question, *rest) for question, *rest in _rows(findings, model)]
    return pd.DataFrame(rows, columns=["question", "verdict", "evidence"])


def _rows(findings: Findings, model: str) -> list[tuple[str, str, str]]:
    runs = findings.runs
    rows = [
        ("Which place does it have among the learners?", *ranked(findings, model)),
        (
            "Is it better than majority and persistence?",
            *whole(against_baselines(findings, model)),
        ),
    ]
    if runs.with_optimum:
        question = f"Is it within {NEAR:g} point of the optimum?"
        rows.append((question, *whole(near(findings, model))))
    rows.append(("Is it better than the other learners?", *compared(findings, model)))
    rows += _recovers(findings, model)
    if model in findings.repeated:
        rows.append((TWICE, *findings.repeated[model].verdict))
    failed = runs.failures.query("learner == @model")
    if len(failed):
        lines = [f"{r.failure} on {r.streams} ({r.runs} runs)" for r in failed.itertuples()]
        ran = runs.errors[model].notna().any()
        rows.append(("Does it run?", "partly" if ran else "no", "; ".join(lines)))
    return rows


def _recovers(findings: Findings, model: str) -> list[tuple[str, str, str]]:
    return [
        (
            f"Does it recover from the drift at {at} of {stream}?",
            *recovered(findings, stream, recovery),
        )
        for (stream, at, name), recovery in findings.recovery.items()
        if name == model
    ]


def recovered(findings: Findings, stream: str, recovery: RecoveryTime) -> tuple[str, str]:
    """The verdict on a drift, and its evidence; the verdicts of all drifts hold together."""
    known, level = stream in findings.runs.with_optimum, findings.level_of_drifts
    kind = "excess error" if known else "error"
    if np.isnan(recovery.p_value):
        return OPEN, "one draw says nothing about chance"
    rise = PointEstimate(*(100 * part for part in recovery.rise[:2]))
    over = f"over the {recovery.scale} examples after it"
    if not recovery.rises(level):
        return "no rise seen", f"the {kind} changes by {in_words(rise)} points {over}"
    evidence = f"the {kind} rises by {in_words(rise)} points {over}"
    left = PointEstimate(*(100 * part for part in recovery.left[:2]))
    word, margin = recovery.returns(MARGIN, level), f"{100 * MARGIN:.0f} points"
    if word == "yes":
        when = f"{recovery.examples:,.0f} examples"
        if np.isfinite(recovery.low):
            high = "never" if np.isinf(recovery.high) else f"{recovery.high:,.0f}"
            when += f" (95 %: {recovery.low:,.0f} to {high})"
        return word, f"{evidence}, and is back within {margin} after about {when}"
    evidence += f"; {in_words(left)} points are left at the end"
    if word == "no" and not known:
        return OPEN, f"{evidence}, and the new concept may be harder"
    return word, evidence


def _plural(word: str, n: int) -> str:
    return word if n == 1 else f"{word}s"
