"""Published tables of detection delays beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import hypergeom

from repro._checks import check_count, check_frame, check_mapping, check_text, shown
from repro.metrics.outcome import outcome
from repro.published.files import read_file
from repro.published.verdict import LEVEL, Floats, Means, Spread, spread_of_means, verdicts
from repro.published.words import AGREES, DIFFERS, NOT_RUN

__all__ = ["DetectionDelays", "delays_of"]

KEYS = ["stream", "learner", "estimator"]
MISS_LEVEL = LEVEL / 2  # of the test of misses; the test of delays gets what it leaves


@dataclass(frozen=True)
class DetectionDelays:
    r"""A published table of mean delays over the runs that detected, and of the runs that missed.

    A cell is judged twice, and differs if one of the two does; both together have the level 5 %:

    1. *Misses.* Fisher's exact test of (missed, detected), ours against the published runs, at
       2.5 %.
    2. *Delays.* The means of the runs that detected, by the rule of `repro.published.verdict`.
       Given the number *k* of missed runs on both sides, Fisher's test rejects equal rates with a
       known probability :math:`\alpha_k \le 2.5\,\%`; the delays are judged at
       :math:`5\,\% - \alpha_k`, so at 5 % where no run missed.

    Delays are judged where both sides have a detection and one has two: a side with a single
    detection is taken to spread as the other does. False alarms are shown and not judged, because
    the paper counts them in some of its tables only.
    """

    name: str  #: of the file in ``data/published``
    n_runs: int  #: runs of each cell
    step: float  #: to which the delays are rounded

    keys = tuple(KEYS)

    def read(self) -> pd.DataFrame:
        """One row per cell: stream, learner, estimator, and the numbers.

        The columns delay_mean, delay_sd and runs_missed are as in the file; runs_false_alarm is
        nan where the paper has none. A ratio of estimators is called "short / long".
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
        published = self.read()
        runs = _summary(frame).reindex(pd.MultiIndex.from_frame(published[KEYS]))
        runs = runs.reset_index(drop=True)
        theirs, ours = self._means(published), _means(runs)
        missed = zip(runs["missed"], runs["runs"], published["runs_missed"], strict=True)
        misses = [_misses(*cell, self.n_runs) for cell in missed]
        level = [LEVEL - cell.level for cell in misses]
        found = spread_of_means(theirs, ours, step=self.step, level=level)
        return published[KEYS].assign(
            **{
                "published": theirs.mean,
                "published s.e.": theirs.deviation / np.sqrt(theirs.n),
                "published missed": published["runs_missed"],
                "reproduced": ours.mean,
                "s.e.": ours.deviation / np.sqrt(ours.n),
                "missed": runs["missed"],
                "runs": runs["runs"].fillna(0).astype(int),
                "false-alarm runs": runs["false-alarm runs"],
            },
            **_verdict_columns(ours.mean - theirs.mean, found, misses, runs["runs"] >= 2),
        )

    def _means(self, published: pd.DataFrame) -> Means:
        detected = self.n_runs - published["runs_missed"]
        deviation = published["delay_sd"].where(detected > 1)
        return _arrays(published["delay_mean"], deviation, detected)


class _Misses(NamedTuple):
    """What Fisher's test says of the missed runs of one cell."""

    p: float
    level: float  # probability that it rejects equal rates, given the misses of both sides
    resolution: float  # least excess or lack of missed runs with which a cell of n runs differs


def _misses(missed: float, runs: float, published: int, n_runs: int) -> _Misses:
    if not runs >= 1:
        return _Misses(np.nan, 0.0, np.nan)
    n, a = int(runs), int(missed)
    test = _fisher(a + published, n, n_runs)
    expected = n * published / n_runs
    seen = [
        abs(k - expected)
        for k in range(n + 1)
        if _fisher(k + published, n, n_runs).p[k] <= MISS_LEVEL
    ]
    return _Misses(float(test.p[a]), test.level, min(seen, default=np.nan))


def _verdict_columns(
    difference: Floats, found: Spread, misses: list[_Misses], is_run: pd.Series
) -> dict[str, Any]:
    """The columns that compare delays and misses, and the verdict of both together."""
    is_far = verdicts(difference, found.resolution) == DIFFERS
    differs = is_far | [cell.p <= MISS_LEVEL for cell in misses]
    is_missing = np.isnan(difference)
    return {
        "difference": difference,
        "s.e. of difference": np.where(is_missing, np.nan, found.standard_error),
        "resolution": np.where(is_missing, np.nan, found.resolution),
        "p of misses": [cell.p for cell in misses],
        "resolution of missed": [cell.resolution for cell in misses],
        "verdict": np.where(is_run, np.where(differs, DIFFERS, AGREES), NOT_RUN),
    }


class _Fisher(NamedTuple):
    p: NDArray[np.float64]  # for each number of missed runs on our side, shape (ours + 1,)
    level: float


@cache
def _fisher(missed: int, ours: int, theirs: int) -> _Fisher:
    """Fisher's exact test, two-sided, given the number of `missed` runs on both sides together.

    Its p-value is the probability of all splits that are at most as likely as the one observed.
    """
    probability = hypergeom(ours + theirs, ours, missed).pmf(np.arange(ours + 1))
    at_most = probability <= probability[:, None] * (1 + 1e-7)  # equal up to rounding errors
    p = np.minimum((at_most * probability).sum(axis=1), 1.0)
    return _Fisher(p, float(probability[p <= MISS_LEVEL].sum()))


def delays_of(table: pd.DataFrame, alarms: str = "alarms", *, after: int) -> pd.DataFrame:
    """Delays and false alarms of a sweep: one row per run and estimator.

    The result has the columns stream, learner, seed, estimator, and those of
    `repro.metrics.outcome`. It is what `repro.published.compare` takes for a table of delays.

    Parameters
    ----------
    table : a sweep with the columns stream, learner, seed, n and `alarms`.
    alarms : name of the column with the results of `repro.detectors.watch`, a dict each.
    after : number of examples from the change to the end of each stream.

    >>> alarms = {"alpha=0.9970": [20, 70], "prequential": []}
    >>> run = {"stream": "LED", "learner": "MC", "seed": 0, "n": 100, "alarms": alarms}
    >>> delays_of(pd.DataFrame([run]), after=50)
      stream learner  seed     estimator  delay  false_alarms
    0    LED      MC     0  alpha=0.9970   20.0             1
    1    LED      MC     0   prequential    NaN             0
    """
    check_count(after, name="after")
    columns = ["stream", "learner", "seed", "n", check_text(alarms, name="alarms")]
    check_frame(table, columns, name="table")
    for run in table.to_dict("records"):
        check_mapping(run[alarms], name=f"table[{alarms!r}]", rule="estimators to alarms")
        if check_count(run["n"], name="table['n']") < after:
            raise ValueError(f"after must be at most n, {run['n']}; got {shown(after)}")
    rows = [
        {"stream": run["stream"], "learner": run["learner"], "seed": run["seed"]}
        | {"estimator": name}
        | outcome(found, run["n"] - after)._asdict()
        for run in table.to_dict("records")
        for name, found in run[alarms].items()
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
            "false-alarm runs": cells["false_alarms"].agg(lambda found: (found > 0).sum()),
        }
    )


def _means(runs: pd.DataFrame) -> Means:
    return _arrays(runs["mean"], runs["deviation"], runs["runs"] - runs["missed"])


def _arrays(mean: pd.Series, deviation: pd.Series, detected: pd.Series) -> Means:
    columns = (mean, deviation, detected.where(detected > 0))
    return Means(*(column.to_numpy(np.float64) for column in columns))
