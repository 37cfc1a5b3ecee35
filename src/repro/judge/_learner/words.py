"""The answer in words: one paragraph, and a verdict on each question with its evidence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from repro.judge._learner.runs import Runs
from repro.judge._learner.tables import (
    MEAN,
    excess_of,
    excess_over_streams,
    gains,
    in_words,
    over_streams,
    verdict_on,
)
from repro.judge._report.shared import sentence
from repro.statistics.estimates import LEVEL, PointEstimate

__all__ = ["Findings", "summary", "verdicts"]

NEAR = 1.0  # points of excess that count as near the optimum


class Findings(NamedTuple):
    """What the words are made of: the runs, the main table and those of two sections."""

    runs: Runs
    table: pd.DataFrame
    tests: pd.DataFrame
    recovery: pd.DataFrame


def summary(findings: Findings) -> str:
    """The answer in one paragraph."""
    return " ".join(_paragraph(findings, model) for model in findings.runs.entrants.mine)


def _paragraph(findings: Findings, model: str) -> str:
    runs, n = findings.runs, len(findings.runs.streams)
    k, row = len(runs.entrants.learners), findings.table.loc[model]
    rank = PointEstimate(row["rank"], row["rank ± s.e."])
    parts = [
        f"On {n} {_plural('stream', n)} {model} has place {_place(findings, model)} of {k} by "
        f"mean rank ({in_words(rank)})."
    ]
    error = PointEstimate(row["error [%]"], row["error [%] ± s.e."])
    if np.isfinite(error.value):
        parts.append(f"Its mean error is {in_words(error)} %{_above(findings, model)}.")
    near, far = _near(findings, model), _against_baselines(findings, model)
    if runs.with_optimum:
        good = [name for name in near if near[name] == "yes"]
        where = f"on {sentence(good)}" if good else "on none of them for certain"
        parts.append(f"It is within 1 point of the optimum {where}.")
    lost = [name for name in far if far[name] == "no"]
    if lost:
        parts.append(f"It fails on {sentence(lost)}, where majority or persistence errs less.")
    broken = [name for name in runs.streams if np.isnan(runs.errors.loc[name, model])]
    if broken:
        why = runs.failures.query("learner == @model")["failure"].iloc[0]
        parts.append(f"It stops with an error on {sentence(broken)}: {why}.")
    parts += _drifts_in_words(findings, model)
    return " ".join(parts)


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
    parts: list[str] = []
    if not len(findings.recovery):
        return parts
    for row in findings.recovery[findings.recovery["learner"] == model].to_dict("records"):
        where = f"the drift at {row['drift at']} of {row['stream']}"
        duration = row["duration [examples]"]
        if np.isinf(duration):
            parts.append(f"It does not recover from {where}.")
        elif np.isfinite(duration):
            parts.append(f"It recovers from {where} {_soon(duration)}.")
        elif np.isfinite(row["maximum loss"]):
            parts.append(f"It does not fall at {where}.")
    return parts


def verdicts(findings: Findings) -> pd.DataFrame:
    """One row per question, of each model; columns question, verdict, evidence."""
    rows = []
    for model in findings.runs.entrants.mine:
        prefix = f"{model}: " if len(findings.runs.entrants.mine) > 1 else ""
        rows += [(prefix + question, *rest) for question, *rest in _rows(findings, model)]
    return pd.DataFrame(rows, columns=["question", "verdict", "evidence"])


def _rows(findings: Findings, model: str) -> list[tuple[str, str, str]]:
    runs, k = findings.runs, len(findings.runs.entrants.learners)
    row = findings.table.loc[model]
    best = findings.table["rank"].idxmin()
    rank = PointEstimate(row["rank"], row["rank ± s.e."])
    place = f"place {_place(findings, model)} of {k}"
    least = f"{best} {findings.table.loc[best, 'rank']:.2f}"
    rows = [
        (
            "Which place does it have among the learners?",
            place,
            f"mean rank {in_words(rank)}; least: {least}",
        ),
        (
            "Is it better than majority and persistence?",
            *_whole(_against_baselines(findings, model)),
        ),
    ]
    if runs.with_optimum:
        question = f"Is it within {NEAR:g} point of the optimum?"
        rows.append((question, *_whole(_near(findings, model))))
    rows.append(("Is it better than the other learners?", *_compared(findings, model)))
    rows += _recovers(findings, model)
    failed = runs.failures.query("learner == @model")
    if len(failed):
        lines = [f"{r.failure} on {r.streams} ({r.runs} runs)" for r in failed.itertuples()]
        rows.append(("Does it run?", "partly", "; ".join(lines)))
    return rows


def _against_baselines(findings: Findings, model: str) -> dict[str, str]:
    """By stream, whether `model` errs less than the better of majority and persistence."""
    runs = findings.runs
    return {
        name: verdict_on(over_streams(runs, {name: frame[model] - frame[runs.baseline[name]]}), 0)
        for name, frame in runs.repeats.items()
    }


def _near(findings: Findings, model: str) -> dict[str, str]:
    runs = findings.runs
    of = {name: excess_of(runs, model, name) for name in runs.with_optimum}
    return {name: verdict_on(over_streams(runs, {name: of[name]}), NEAR) for name in of}


def _whole(by_stream: dict[str, str]) -> tuple[str, str]:
    """One verdict on all streams, and the streams behind it."""
    by_verdict = {
        word: [name for name in by_stream if by_stream[name] == word]
        for word in ("yes", "no", "undecided")
    }
    evidence = "; ".join(
        f"{word}: {sentence(names)}" for word, names in by_verdict.items() if names
    )
    if len(set(by_stream.values())) == 1:
        return next(iter(by_stream.values())), evidence
    return ("partly" if by_verdict["yes"] else "undecided"), evidence


def _compared(findings: Findings, model: str) -> tuple[str, str]:
    tests = findings.tests[findings.tests["model"] == model]
    over_all = tests[tests["stream"] == MEAN]
    tests = over_all if len(over_all) else tests
    is_real, less = tests["p, Holm"] < LEVEL, tests["difference"] < 0
    names = {
        "better than": tests.loc[is_real & less, "other"],
        "worse than": tests.loc[is_real & ~less, "other"],
        "undecided against": tests.loc[~is_real, "other"],
    }
    evidence = [f"{word} {sentence(which)}" for word, which in names.items() if len(which)]
    why = "mean over the streams, Wilcoxon with Holm" if len(over_all) else "Wilcoxon with Holm"
    if tests["p"].isna().all():
        why = "no test: too few seeds, or streams that exist only once"
    if (is_real & less).all():
        word = "yes"
    elif (is_real & ~less).all():
        word = "no"
    else:
        word = "partly" if (is_real & less).any() else "undecided" if not is_real.any() else "no"
    return word, f"{'; '.join(evidence)} ({why})"


def _recovers(findings: Findings, model: str) -> list[tuple[str, str, str]]:
    if not len(findings.recovery):
        return []
    rows = []
    for row in findings.recovery.query("learner == @model").to_dict("records"):
        if np.isnan(row["maximum loss"]):
            continue
        question = f"Does it recover from the drift at {row['drift at']} of {row['stream']}?"
        duration = row["duration [examples]"]
        loses = f"it loses at most {100 * row['maximum loss']:.1f} % of the attainable accuracy"
        if np.isinf(duration):
            rows.append((question, "no", f"not by the end; {loses}"))
        else:
            when = "it never fell" if np.isnan(duration) else _soon(duration)
            rows.append((question, "yes", f"{when}; {loses}"))
    return rows


def _soon(duration: float) -> str:
    return "at once" if duration <= 1 else f"in {duration:.0f} examples"


def _place(findings: Findings, model: str) -> int:
    ranks = findings.table["rank"].dropna()
    return int((ranks < ranks[model]).sum()) + 1


def _plural(word: str, n: int) -> str:
    return word if n == 1 else f"{word}s"
