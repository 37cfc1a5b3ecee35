"""A league of learners: from single runs to excess over the optimum, ranks and speed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from repro._checks import check_frame

__all__ = ["COLUMNS", "OPTIMUM", "excesses", "finished", "merged", "missing", "standings"]

OPTIMUM = "BayesOptimal"  #: the learner whose errors are the optimum
KEY = ["learner", "stream", "seed"]
#: of a table of runs; ``version`` is that of the library of the learner
COLUMNS = [*KEY, "version", "n", "error", "seconds", "state_bytes", "failure"]


def merged(runs: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """`runs` with the rows `new`, which replace rows of the same learner, stream and seed.

    Parameters
    ----------
    runs, new : tables with the columns `COLUMNS`.

    >>> row = pd.DataFrame([["NB", "SEA", 0, "1", 9, 0.2, 1.0, 8.0, ""]], columns=COLUMNS)
    >>> merged(row, row.assign(error=0.1))["error"].tolist()
    [0.1]
    """
    filled = [table[COLUMNS] for table in (runs, new) if len(table)]
    if not filled:
        return pd.DataFrame(columns=COLUMNS)
    both = pd.concat(filled).drop_duplicates(KEY, keep="last")
    return both.sort_values(KEY, ignore_index=True)


def missing(
    runs: pd.DataFrame, learner: str, streams: Sequence[str], seed: int, version: str
) -> list[str]:
    """Those of `streams` on which `runs` has no row of `learner` with `seed` and `version`.

    Parameters
    ----------
    runs : table with the columns `COLUMNS`.
    learner, seed, version : of the rows.
    streams : names.
    """
    own = runs[(runs["learner"] == learner) & (runs["seed"] == seed) & (runs["version"] == version)]
    done = set(own["stream"])
    return [name for name in streams if name not in done]


def excesses(runs: pd.DataFrame) -> pd.DataFrame:
    r"""The `runs` without a failure, each with its ``excess`` over the optimum of the same draw.

    .. math:: \text{excess} = \frac1n \sum_i L(\hat y_i, y_i) - \frac1n \sum_i L(y^*_i, y_i)

    for the predictions :math:`\hat y` of the learner and the Bayes-optimal labels :math:`y^*`. Both
    meet the same examples, so most of the chance of the draw cancels. Runs whose draw has no row of
    the learner `OPTIMUM` are left out.

    Parameters
    ----------
    runs : table with the columns `COLUMNS`.
    """
    check_frame(runs, COLUMNS, name="runs")
    good = runs[runs["failure"].fillna("") == ""]
    best = good[good["learner"] == OPTIMUM].set_index(["stream", "seed"])["error"]
    found = good[good["learner"] != OPTIMUM].join(best.rename("optimum"), on=["stream", "seed"])
    return found.assign(excess=found["error"] - found["optimum"]).dropna(subset=["excess"])


def finished(found: pd.DataFrame, streams: Sequence[str]) -> pd.DataFrame:
    """Those rows of `excesses` whose learner has finished their seed on every one of `streams`."""
    found = found[found["stream"].isin(streams)]
    count = found.groupby(["learner", "seed"])["stream"].transform("nunique")
    return found[count == len(streams)]


def standings(runs: pd.DataFrame, streams: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Learners from the least to the greatest mean excess, and their excess on each stream.

    Parameters
    ----------
    runs : table with the columns `COLUMNS`.
    streams : names of all streams of the league.

    Returns two frames, with one row for each learner:

    1. of the learners that have finished at least one seed on every stream: ``error``, ``excess``,
       ``excess ± s.e.`` (over the seeds finished on every stream, of the mean over the streams; nan
       with one), ``rank`` (mean over the streams of the rank by mean excess among these learners;
       ties share a rank), ``within`` (streams with an excess of at most 0.01), ``worst`` (stream of
       the greatest excess), ``speed`` (examples per second: of each stream the fastest seed),
       ``state_bytes`` (the most of all runs; nan where unknown) and ``seeds``;
    2. of all learners: a column for each stream with the mean excess over the seeds, and one called
       ``<stream> ± s.e.``; nan where nothing has finished.

    Raises ValueError if `runs` lack a column.
    """
    found = excesses(runs)
    whole = finished(found, streams)
    table = pd.DataFrame({name: _row(own) for name, own in whole.groupby("learner")}).T
    if len(table):
        ranks = whole.pivot_table(index="learner", columns="stream", values="excess").rank()
        table["rank"] = ranks.mean(axis=1)
        table = table.sort_values("excess", kind="stable")
    return table, _on_each(found[found["stream"].isin(streams)], streams)


def _row(own: pd.DataFrame) -> dict[str, object]:
    by_seed = own.groupby("seed")[["error", "excess"]].mean()
    on = own.groupby("stream")["excess"].mean()
    fastest = own.groupby("stream").agg({"n": "max", "seconds": "min"})
    return {
        "error": by_seed["error"].mean(),
        "excess": by_seed["excess"].mean(),
        "excess ± s.e.": by_seed["excess"].sem(),
        "rank": np.nan,
        "within": int((on <= 0.01).sum()),
        "worst": on.idxmax(),
        "speed": fastest["n"].sum() / fastest["seconds"].sum(skipna=False),
        "state_bytes": own["state_bytes"].max(),
        "seeds": len(by_seed),
    }


def _on_each(found: pd.DataFrame, streams: Sequence[str]) -> pd.DataFrame:
    groups = found.groupby(["learner", "stream"])["excess"]
    mean, error = groups.mean().unstack(), groups.sem().unstack()
    columns = {}
    for name in streams:
        columns[name] = mean.get(name)
        columns[f"{name} ± s.e."] = error.get(name)
    return pd.DataFrame(columns, index=mean.index)
