"""What drift detectors say of a stream, and how often they and our test are wrong without drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import _folders
from repro.evaluation.prequential import prequential
from repro.judge._report.cells import with_error
from repro.judge._report.shared import sentence
from repro.judge._stream.drift_free import DETECTORS, Drawn, answers_without_drift
from repro.judge.section import Section
from repro.learners import NaiveBayes
from repro.statistics.drift import Aspect, Drift
from repro.statistics.estimates import LEVEL, mean_estimate
from repro.statistics.shares import share_interval
from repro.streams.stream import Stream
from repro.studies.engine import perform
from repro.studies.task import Part, Task

__all__ = ["TEST", "Trial", "detector_section", "false_alarms", "trial_on"]

TEST = "this report's test"
LONGEST = 40_000  # examples of a stream without drift
MOST_EXAMPLES = 100_000  # on which detectors run in other orders
COPIES = 3  # random orders of each kind
STREAMS, FEWEST_STREAMS = 100, 50  # without drift
WORK = 2_000_000  # examples of all of them together


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
        f"{name} {row['as it is']:.0f} ({row['examples in random order']:.1f})"
        for name, row in counts.items()
    )
    text = (
        "Drift detectors take losses for independent. Alarms on the losses of naive Bayes"
        f"{first}: {listed}; in parentheses with the examples in random order, where every alarm "
        "is false. What the stream has beyond that comes from drift or from runs of labels and "
        "losses: these detectors cannot tell which."
    )
    return Section("detectors", "What would drift detectors say?", text, table)


class Trial(NamedTuple):
    """What the tests said of streams like the one at hand, but without drift."""

    table: pd.DataFrame  # of `false_alarms`
    smallest: NDArray[np.float64]  # p-value of the drift test on each stream, the least of a stream
    n: int  # examples of each
    season: int

    def calibrated(self, drift: Drift) -> Drift:
        """`drift`, of which only that stays that is rarer than the level without drift.

        The p-value of an aspect becomes the share of the streams without drift on which any aspect
        has one as small, if that is larger: dependence that reaches beyond a block makes small ones
        frequent.
        """
        parts: dict[str, Any] = {}
        for name, aspect in drift._asdict().items():
            if not isinstance(aspect, Aspect) or not aspect.found:
                continue
            as_small = np.count_nonzero(self.smallest <= aspect.p_value)
            rare = (1 + as_small) / (1 + self.smallest.size)
            p_value = max(aspect.p_value, float(rare))
            kept = aspect if rare <= LEVEL else Aspect(aspect.blocks)
            parts[name] = kept._replace(p_value=p_value)
        return drift._replace(**parts)

    @property
    def section(self) -> Section:
        """How often the tests are wrong on streams without drift."""
        count = self.smallest.size
        wrong = round(count * self.table.at[TEST, "wrong [%]"] / 100)
        low, high = share_interval(wrong, count)
        season = self.season
        units = f"its seasons of {season} examples" if season else "its runs of equal labels"
        text = (
            f"{count} streams of {self.n:,} examples were made of {units} in random order, and "
            f"have no drift. The drift test alone would find drift in {wrong} of them "
            f"({100 * low:.1f} to {100 * high:.1f} % with 95 % confidence); the nominal level is "
            f"{LEVEL:.0%}. "
            "Where that is more, a p-value of this report is the share of these streams with one "
            "as small. "
            + sentence(f"{n} alarmed in {self.table.at[n, 'wrong [%]']:.0f} %" for n in DETECTORS)
            + f". These streams do not have dependence beyond {'a season' if season else 'a run'}, "
            "such as attributes that move slowly: how often it makes the test wrong, this cannot "
            "tell."
        )
        return Section("false_alarms", "How often is the drift test wrong?", text, self.table)


def trial_on(
    stream: Stream,
    season: int,
    seed: int,
    *,
    seasons: tuple[tuple[int, ...], ...] | None = None,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> Trial:
    """The tests on streams that are made of `stream`, but without drift.

    They are tested for the `seasons` of its attributes, as it is itself; by default for their own.
    """
    n = min(len(stream), LONGEST)
    count = int(np.clip(WORK // n, FEWEST_STREAMS, STREAMS))
    tasks = []
    for drawn in (Drawn(season, n, seed, number, seasons) for number in range(count)):
        parts = Part("", drawn), Part("the stream", stream)
        what = f"drift-free stream {drawn.number}", answers_without_drift
        tasks.append(Task(*what, drawn, stream, parts, ("p_value", "alarms")))
    folder = Path(cache or _folders.cache()) / "judge"
    how: dict[str, Any] = {"jobs": jobs, "desc": "drift-free streams", "unit": "stream"}
    outcomes = sorted(perform(tasks, folder, raises=True, **how), key=lambda o: o.number)
    answers = [outcome.result or {} for outcome in outcomes]
    smallest = np.array([answer["p_value"] for answer in answers])
    return Trial(false_alarms(answers), smallest, n, season)


def false_alarms(answers: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """How often each test finds drift in streams without drift, from its `answers_on` each.

    One row per test (of this report, and the detectors DDM, EDDM and ADWIN on the losses of naive
    Bayes); columns ``wrong [%]``, the share of streams with an alarm, and ``alarms``, their number
    per stream, each with its standard error. Streams that are too short for the test of this report
    count as without an alarm.
    """
    alarms = np.array([answer["alarms"] for answer in answers])
    rows = {name: _row(alarms[:, i]) for i, name in enumerate([TEST, *DETECTORS])}
    return pd.DataFrame(rows).T.rename_axis("test")


def _row(alarms: NDArray[np.int64]) -> dict[str, float]:
    share, n = float(np.mean(alarms > 0)), alarms.size
    spread = (share * (1 - share) / n) ** 0.5 if 0 < share < 1 else np.nan
    return {
        **with_error("wrong [%]", (100 * share, 100 * spread)),
        **with_error("alarms", mean_estimate(alarms)),
    }
