"""Answers to the questions on a learner's errors: its place, the optimum, the other learners."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from repro.judge._learner.pairs import EQUAL, LESS, MORE
from repro.judge._learner.ranking import told_from
from repro.judge._learner.recovery import Recoveries, drifts_of
from repro.judge._learner.repeated import Repeated
from repro.judge._learner.runs import Runs
from repro.judge._learner.tables import MEAN, excess_of, over_streams, verdict_on
from repro.judge._report.shared import sentence
from repro.statistics.estimates import LEVEL

__all__ = ["NEAR", "OPEN", "Findings", "against_baselines", "compared", "near", "place", "ranked"]
__all__ += ["whole"]

NEAR = 1.0  # points of excess that count as near the optimum
OPEN = "cannot tell"


class Findings(NamedTuple):
    """What the words are made of: the runs, the main table and what three sections rest on."""

    runs: Runs
    table: pd.DataFrame
    tests: pd.DataFrame
    recovery: Recoveries
    repeated: dict[str, Repeated]

    @property
    def level_of_drifts(self) -> float:
        """Level of what is said of one drift."""
        return LEVEL / max(1, len(drifts_of(self.recovery)))


def place(findings: Findings, model: str) -> int:
    """The place by mean rank; equal ranks share the better one."""
    ranks = findings.table["rank"].dropna()
    return int((ranks < ranks[model]).sum()) + 1


def ranked(findings: Findings, model: str) -> tuple[str, str]:
    """The place in words, and which learners its rank is told from."""
    runs, table = findings.runs, findings.table
    if runs.errors[model].isna().all():
        return OPEN, "it fails on every stream"
    least = table["rank"].idxmin()
    evidence = f"mean rank {table.loc[model, 'rank']:.2f}; least: {least} {table['rank'].min():.2f}"
    told = told_from(runs, model)
    if told is None:
        evidence += "; too few streams or learners to test ranks"
    elif told:
        evidence += f"; Nemenyi's test tells it from {sentence(told)} only"
    else:
        evidence += "; Nemenyi's test tells it from none of the others"
    shared = int((table["rank"] == table.loc[model, "rank"]).sum()) > 1
    verdict = f"place {place(findings, model)} of {len(runs.entrants.learners)}"
    return f"{verdict}{' (shared)' * shared}", evidence


def against_baselines(findings: Findings, model: str) -> dict[str, str]:
    """By stream, whether `model` errs less than majority and than persistence.

    The verdicts of all streams hold together.
    """
    runs = findings.runs
    level = LEVEL / len(runs.streams)
    verdicts = {}
    for name, frame in runs.repeats.items():
        words = {
            verdict_on(over_streams(runs, {name: frame[model] - frame[other]}), 0, level)
            for other in runs.entrants.baselines
            if other != model
        }
        verdicts[name] = next((word for word in ("no", OPEN) if word in words), "yes")
    return verdicts


def near(findings: Findings, model: str) -> dict[str, str]:
    """By stream with a known optimum, whether `model` is within a point of it, all together."""
    runs = findings.runs
    of = {name: excess_of(runs, model, name) for name in runs.with_optimum}
    level = LEVEL / max(1, len(of))
    return {name: verdict_on(over_streams(runs, {name: of[name]}), NEAR, level) for name in of}


def whole(by_stream: dict[str, str]) -> tuple[str, str]:
    """One verdict on all streams, and the streams behind it."""
    by_verdict = {
        word: [name for name in by_stream if by_stream[name] == word]
        for word in ("yes", "no", OPEN)
    }
    evidence = "; ".join(
        f"{word}: {sentence(names)}" for word, names in by_verdict.items() if names
    )
    if len(set(by_stream.values())) == 1:
        return next(iter(by_stream.values())), evidence
    return ("partly" if by_verdict["yes"] else OPEN), evidence


def compared(findings: Findings, model: str) -> tuple[str, str]:
    """Whether `model` is better than the others, and how it compares with each."""
    tests = findings.tests[findings.tests["model"] == model]
    groups: dict[str, list[str]] = {}
    for other, rows in tests.groupby("other", sort=False):
        word, more = _against(rows)
        groups.setdefault(word, []).append(f"{other}{more}")
    evidence = "; ".join(f"{word} {sentence(names)}" for word, names in sorted(groups.items()))
    if (tests["stream"] == MEAN).any():
        evidence += " (mean over these streams, and each stream; Student's paired test with Holm)"
    else:
        evidence += " (Student's paired test with Holm)"
    if not {*groups} - {BETTER}:
        return "yes", evidence
    if BETTER in groups:
        return "partly", evidence
    return ("no" if not {*groups} - {WORSE, SAME} else OPEN), evidence


BETTER, WORSE, SAME = "better than", "worse than", "practically equal to"
MIXED, UNTOLD = "better on some streams and worse on others than", "cannot be told from"
UNTOLD_MEAN = "cannot be told on average from"  # but on some streams


def _against(rows: pd.DataFrame) -> tuple[str, str]:
    """How a model compares with one other learner, and what to say beside its name."""
    of_streams = rows[rows["stream"] != MEAN]
    whole = rows["verdict"].iloc[-1]  # over all streams, where there are several
    less, more = (int((of_streams["verdict"] == word).sum()) for word in (LESS, MORE))
    counts = f" ({less} to {more} of {len(of_streams)} streams)"
    if less and more:
        return MIXED, counts
    if whole == EQUAL:
        return SAME, counts if less or more else ""
    if whole == LESS and not more:
        return BETTER, ""
    if whole == MORE and not less:
        return WORSE, ""
    if less or more:
        return UNTOLD_MEAN, counts
    needed = rows["draws to see the margin"].iloc[-1]
    more_draws = f" ({needed:.0f} draws would show a difference of the margin)"
    is_more = rows["draws"].iloc[-1] < needed < np.inf
    return UNTOLD, more_draws if is_more else ""
