"""Published detection delays beside ours: means that miss runs have to be compared twice.

The published numbers are files in ``data/published``; nothing here is typed in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact

from repro._checks import (
    check_choice,
    check_count,
    check_frame,
    check_mapping,
    check_number,
    check_text,
    shown,
)
from repro.metrics.outcome import outcome
from repro.published.verdict import BOUND, NOTHING, explained, read_file

__all__ = ["compare_both", "compare_delays", "delays_of", "read_delays"]

N_RUNS = 10  # behind each published mean
TABLES = ("estimators_table2", "estimators_table3")
KEYS = ["stream", "learner", "estimator"]


def read_delays(name: str) -> pd.DataFrame:
    """The published table `name`, one row per cell: stream, learner, estimator, and the numbers.

    The columns delay_mean, delay_sd and runs_missed are as in the file; runs_false_alarm is nan
    where the paper has none. An estimator is called as in the file, a ratio "short / long".
    """
    table = read_file(check_choice(name, TABLES, name="name"))
    if "short_estimator" in table:
        table["estimator"] = table["short_estimator"] + " / " + table["long_estimator"]
    numbers = ["delay_mean", "delay_sd", "runs_missed", "runs_false_alarm"]
    return table.reindex(columns=[*KEYS, *numbers])


def compare_delays(
    name: str,
    runs: pd.DataFrame,
    *,
    reasons: Mapping[tuple[str, str, str], str] = NOTHING,
    level: float = 0.05,
) -> pd.DataFrame:
    r"""Every cell of the published table `name` of delays beside its reproduction in `runs`.

    A cell is a mean delay over the runs that detected the change, and the number of runs that
    missed it, so it is compared in two steps:

    1. *Misses.* It differs if Fisher's exact test of (missed, detected) in our runs against the
       published ten has a p-value below `level`.
    2. *Delays.* Where both sides have at least two detections it differs if the intervals
       :math:`\bar d \pm 2\,\text{s.e.}` of the two means do not overlap, each with the standard
       error :math:`s / \sqrt{m}` of its own *m* detections.

    Otherwise it *agrees*; two cells that were missed in all runs agree. A cell with fewer than two
    runs is *not run*. False alarms are shown but not judged: the paper counts them in some places
    only.

    `runs` has a row per run and cell, with the columns stream, learner, estimator, seed, delay
    (nan: missed) and false_alarms (their number). The result has, in the published order, stream,
    learner, estimator; published, its s.e., published missed; reproduced, its s.e., missed, runs,
    false-alarm runs; difference and its s.e.; p of misses, verdict and reason. `reasons` says of
    (stream, learner, estimator) why a cell differs; it is shown only there.

    Raises ValueError for an unknown table and a frame without these columns.
    """
    check_choice(name, TABLES, name="name")
    numbers = ["delay", "false_alarms"]
    runs = check_frame(runs, [*KEYS, "seed", *numbers], name="runs", numbers=numbers)
    check_mapping(reasons, name="reasons", rule="cells to reasons")
    level = check_number(level, name="level", least=0)
    result = _published(name)
    ours = _reproduced(runs).reindex(pd.MultiIndex.from_frame(result[KEYS])).reset_index(drop=True)
    result = pd.concat([result, ours], axis=1)
    result["runs"] = result["runs"].fillna(0).astype(int)
    result["difference"] = result["reproduced"] - result["published"]
    result["s.e. of difference"] = np.hypot(result["s.e."], result["published s.e."])
    result["p of misses"] = [_p_of_misses(row) for row in result.to_dict("records")]
    far = result["difference"].abs() > BOUND * (result["s.e."] + result["published s.e."])
    differs = far | (result["p of misses"] < level)
    verdicts = np.where(differs, "differs", "agrees")
    result["verdict"] = np.where(result["runs"] < 2, "not run", verdicts)
    result["reason"] = explained(result, KEYS, reasons)
    return result


def compare_both(
    runs: pd.DataFrame, *, reasons: Mapping[tuple[str, str, str], str] = NOTHING
) -> pd.DataFrame:
    """`compare_delays` for the 88 cells of Table 2 and the 48 of Table 3, one below the other.

    The first column, table, is 2 or 3. No estimator is in both tables, so that `reasons` are clear.
    """
    parts = {int(name[-1]): compare_delays(name, runs, reasons=reasons) for name in TABLES}
    both = pd.concat(parts, names=["table", None])
    return both.reset_index("table").reset_index(drop=True)


def delays_of(table: pd.DataFrame, alarms: str = "alarms", *, after: int) -> pd.DataFrame:
    """One row per run and estimator from a sweep whose column `alarms` holds dicts of alarms.

    `table` has the columns stream, learner, seed, n and, under the name `alarms`, the result of
    `repro.detectors.watch`; `after` is the number of examples from the change to the end of each
    stream. The result has the columns stream, learner, seed, estimator, and those of
    `repro.metrics.outcome`: what `compare_delays` takes.

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


def _published(name: str) -> pd.DataFrame:
    table = read_delays(name)
    detected = N_RUNS - table["runs_missed"]
    return table[KEYS].assign(
        **{
            "published": table["delay_mean"],
            "published s.e.": table["delay_sd"] / np.sqrt(detected.where(detected > 0)),
            "published missed": table["runs_missed"],
        }
    )


def _reproduced(runs: pd.DataFrame) -> pd.DataFrame:
    cells = runs.groupby(KEYS)
    return pd.DataFrame(
        {
            "reproduced": cells["delay"].mean(),
            "s.e.": cells["delay"].sem(),
            "missed": cells["delay"].size() - cells["delay"].count(),
            "runs": cells["delay"].size(),
            "false-alarm runs": cells["false_alarms"].agg(lambda found: (found > 0).sum()),
        }
    )


def _p_of_misses(cell: Mapping[str, float]) -> float:
    if cell["runs"] == 0:
        return float("nan")
    theirs = [cell["published missed"], N_RUNS - cell["published missed"]]
    ours = [int(cell["missed"]), cell["runs"] - int(cell["missed"])]
    return float(fisher_exact([ours, theirs])[1])
