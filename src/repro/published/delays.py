"""Published tables of detection delays beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from repro._checks import check_count, check_frame, check_mapping, check_text, shown
from repro.metrics.first_detection import first_detection
from repro.published.files import read_file
from repro.published.verdict import equivalent, limits, too_coarse, verdicts
from repro.published.words import AGREES, DIFFERS, LEVEL, NOT_RUN, TOO_COARSE
from repro.statistics.differences import Means, Spread, spread_of_means
from repro.statistics.estimates import Floats
from repro.statistics.shares import SharesTest, equal_shares

__all__ = ["DetectionDelays", "delays_of"]

KEYS = ["stream", "learner", "estimator"]
#: Of each test of numbers of runs; the test of delays gets what the others leave of `LEVEL`.
RUNS_LEVEL = LEVEL / 4


@dataclass(frozen=True)
class DetectionDelays:
    r"""A published table of mean delays over the runs that detected, and of the runs that missed.

    A cell is judged three times, and differs if one of the three does; together they have the
    level 5 %:

    1. *Misses.* Fisher's exact test of (missed, detected), ours against the published runs, at
       1.25 %.
    2. *False alarms.* The same test of the runs with a false alarm, at 1.25 %.
    3. *Delays.* The means of the runs that detected, by the rule of `repro.published.verdict`.
       Given the number *k* of runs on both sides together, Fisher's test rejects equal shares with
       a known probability of at most 1.25 %; the delays are judged at what the two tests leave of
       5 %, so at 5 % where no run missed and none had a false alarm.

    The p-value of a cell is the smallest of :math:`4 p` of both tests of runs and
    :math:`p + \min(p, \alpha_k)` of the delays, with the sum :math:`\alpha_k` of what both
    tests take. The cell differs if it is at most 5 %, and smaller levels are kept as well.
    Delays are judged where both sides have a detection and one has two: a side with a single
    detection is taken to spread as the other does. A cell is too coarse to tell if the resolution
    of the delay is worse than a tenth of the published one.
    """

    name: str  #: of the file in ``data/published``
    n_runs: int  #: runs of each cell
    step: float  #: to which the delays are rounded

    keys = tuple(KEYS)

    def read(self) -> pd.DataFrame:
        """One row per cell: stream, learner, estimator, and the numbers.

        The columns delay_mean, delay_sd and runs_missed are as in the file; runs_false_alarm is
        nan where the table has none. A ratio of estimators is called "short / long".
        """
        table = read_file(self.name)
        if "short_estimator" in table:
            table["estimator"] = table["short_estimator"] + " / " + table["long_estimator"]
        numbers = ["delay_mean", "delay_sd", "runs_missed", "runs_false_alarm"]
        return table.reindex(columns=[*KEYS, *numbers])

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Every cell beside its runs in `frame`, with its verdict.

        `frame` has one row per run and cell, as `delays_of` makes it: stream, learner, estimator,
        seed, delay (nan: missed) and false_alarms (their number).
        """
        numbers = ["delay", "false_alarms"]
        frame = check_frame(frame, [*KEYS, "seed", *numbers], name="frame", numbers=numbers)
        published = self.read().fillna({"runs_false_alarm": 0})  # Table 2 has none, Section 5.2
        runs = _summary(frame).reindex(pd.MultiIndex.from_frame(published[KEYS]))
        runs = runs.reset_index(drop=True)
        theirs, ours = self._means(published), _means(runs)
        misses = self._runs_tests(runs, "missed", published["runs_missed"])
        false_alarms = self._runs_tests(runs, "false-alarm runs", published["runs_false_alarm"])
        pairs = zip(misses, false_alarms, strict=True)
        level = [LEVEL - one.level - other.level for one, other in pairs]
        spread = spread_of_means(theirs, ours, step=self.step, level=level)
        columns = {
            "published": theirs.mean,
            "published s.e.": theirs.deviation / np.sqrt(theirs.n),
            "published missed": published["runs_missed"],
            "published false-alarm runs": published["runs_false_alarm"].astype(int),
            "reproduced": ours.mean,
            "s.e.": ours.deviation / np.sqrt(ours.n),
            "missed": runs["missed"],
            "runs": runs["runs"].fillna(0).astype(int),
            "false-alarm runs": runs["false-alarm runs"],
        }
        any_number = Means(ours.mean, np.zeros(len(runs)), np.full(len(runs), np.inf))
        best = spread_of_means(theirs, any_number, step=self.step, level=level)
        judged = _verdict_columns(theirs.mean, ours.mean, spread, misses, false_alarms)
        judged["limit"] = limits(theirs.mean, spread, best)
        is_missed = np.isnan(theirs.mean) & np.isnan(ours.mean) & (runs["runs"] >= 2)
        judged["kind"] = np.where(is_missed, "missed", "cell")
        judged["verdict"] = np.where(runs["runs"] >= 2, judged["verdict"], NOT_RUN)
        judged["p"] = np.where(runs["runs"] >= 2, judged["p"], np.nan)
        return published[KEYS].assign(**columns, **judged)

    def _runs_tests(self, runs: pd.DataFrame, name: str, published: pd.Series) -> list[SharesTest]:
        each = zip(runs[name], runs["runs"], published, strict=True)
        return [equal_shares(*cell, self.n_runs, RUNS_LEVEL) for cell in each]

    def _means(self, published: pd.DataFrame) -> Means:
        detected = self.n_runs - published["runs_missed"]
        deviation = published["delay_sd"].where(detected > 1)
        return _arrays(published["delay_mean"], deviation, detected)


def _verdict_columns(
    published: Floats,
    reproduced: Floats,
    spread: Spread,
    misses: list[SharesTest],
    false_alarms: list[SharesTest],
) -> dict[str, Any]:
    """The columns that compare delays, misses and false alarms, and the verdict of all three."""
    difference = reproduced - published
    resolution = np.where(np.isnan(difference), np.nan, spread.resolution)
    is_far = verdicts(difference, resolution) == DIFFERS
    p = np.where(is_far & np.isnan(spread.p(difference)), 0.0, spread.p(difference))  # exact delays
    tests = [p + np.fmin(p, LEVEL - spread.level)]
    for each in (misses, false_alarms):
        is_far |= [cell.p <= RUNS_LEVEL for cell in each]
        tests.append(np.array([cell.p * LEVEL / RUNS_LEVEL for cell in each]))
    is_coarse = too_coarse(published, resolution, step=spread.step)
    return {
        "difference": difference,
        "s.e. of difference": np.where(np.isnan(difference), np.nan, spread.standard_error),
        "resolution": resolution,
        "p of misses": [cell.p for cell in misses],
        "resolution of missed": [cell.resolution for cell in misses],
        "p of false alarms": [cell.p for cell in false_alarms],
        "p": np.minimum(np.fmin.reduce(tests), 1.0),
        "equivalent": equivalent(published, difference, spread) & ~is_far,
        "verdict": np.where(is_far, DIFFERS, np.where(is_coarse, TOO_COARSE, AGREES)),
    }


def delays_of(table: pd.DataFrame, alarms: str = "alarms", *, after: int) -> pd.DataFrame:
    """Delays and false alarms of a sweep: one row per run and estimator.

    The result has the columns stream, learner, seed, estimator, and those of
    `repro.metrics.first_detection`. It is what `repro.published.compare` takes for a table of
    delays.

    Parameters
    ----------
    table : a sweep with the columns stream, learner, seed, n and `alarms`.
    alarms : name of the column with the results of `repro.detectors.monitor_all`, a dict each.
    after : number of examples from the change to the end of each stream.

    >>> alarms = {"alpha=0.9970": [20, 70], "prequential": []}
    >>> run = {"stream": "LED", "learner": "MC", "seed": 0, "n": 100, "alarms": alarms}
    >>> delays_of(pd.DataFrame([run]), after=50)
      stream learner  seed     estimator  delay  false_alarms
    0    LED      MC     0  alpha=0.9970   20.0             1
    1    LED      MC     0   prequential    NaN             0
    """
    after = check_count(after, name="after")
    columns = ["stream", "learner", "seed", "n", check_text(alarms, name="alarms")]
    check_frame(table, columns, name="table")
    for run in table.to_dict("records"):
        check_mapping(run[alarms], name=f"table[{alarms!r}]", rule="estimators to alarms")
        if check_count(run["n"], name="table['n']") < after:
            raise ValueError(f"after must be at most n, {run['n']}; got {shown(after)}")
    rows = [
        {"stream": run["stream"], "learner": run["learner"], "seed": run["seed"]}
        | {"estimator": name}
        | first_detection(positions, run["n"] - after)._asdict()
        for run in table.to_dict("records")
        for name, positions in run[alarms].items()
    ]
    return pd.DataFrame(rows)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation of the delays of each cell, and the numbers of its runs."""
    cells = frame.groupby(KEYS)
    delay = cells["delay"]
    return pd.DataFrame(
        {
            "mean": delay.mean(),
            "deviation": delay.std(),
            "missed": delay.size() - delay.count(),
            "runs": delay.size(),
            "false-alarm runs": cells["false_alarms"].agg(lambda counts: (counts > 0).sum()),
        }
    )


def _means(runs: pd.DataFrame) -> Means:
    return _arrays(runs["mean"], runs["deviation"], runs["runs"] - runs["missed"])


def _arrays(mean: pd.Series, deviation: pd.Series, detected: pd.Series) -> Means:
    columns = (mean, deviation, detected.where(detected > 0))
    return Means(*(column.to_numpy(np.float64) for column in columns))
