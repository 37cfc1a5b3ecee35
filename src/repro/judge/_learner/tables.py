"""Means over streams with standard errors, ranks, and the main table of a report on learners."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd

from repro.judge._learner.runs import Runs
from repro.judge._report.cells import with_error
from repro.judge._report.shared import number_text
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.statistics.estimates import LEVEL, PointEstimate, mean_estimate, mean_over_streams
from repro.statistics.ranks import ranks

__all__ = ["MEAN", "excess_of", "excess_over_streams", "gains", "in_words"]
__all__ += ["main_table", "mean_ranks", "on_each_stream", "over_streams", "verdict_on"]

NAN = float("nan")
MEAN = "all"


def verdict_on(estimate: PointEstimate, limit: float, level: float = LEVEL) -> str:
    """``yes`` if `estimate` is below `limit`, ``no`` if above, by its interval of `level`.

    Otherwise ``cannot tell``.

    >>> [verdict_on(PointEstimate(0.5, 0.1, 9), limit) for limit in (1.0, 0.6, 0.0)]
    ['yes', 'cannot tell', 'no']
    """
    low, high = estimate.interval(level)
    return "yes" if high < limit else "no" if low > limit else "cannot tell"


def in_words(estimate: PointEstimate) -> str:
    """``1.20 ± 0.05``, or the number alone where its standard error is unknown."""
    return number_text(estimate, ".2f", ".2f")


def over_streams(runs: Runs, values: dict[str, pd.Series]) -> PointEstimate:
    """Mean over streams of the mean `values` of their repeats; drawn streams share their seeds."""
    return mean_over_streams(values, [name for name in values if name in runs.drawn])


def excess_of(runs: Runs, learner: str, stream: str) -> pd.Series:
    """Error of `learner` minus that of the optimum on the same draws, in points, by repeat."""
    frame = runs.repeats[stream]
    if stream not in runs.with_optimum:
        return pd.Series(NAN, frame.index)
    return frame[learner] - frame[runs.entrants.optimal]


def excess_over_streams(runs: Runs, learner: str) -> PointEstimate:
    """`excess_of`, mean over the streams with a known optimum."""
    return over_streams(runs, {name: excess_of(runs, learner, name) for name in runs.with_optimum})


def on_each_stream(
    runs: Runs, learners: Iterable[str], values: Callable[[str, str], pd.Series]
) -> pd.DataFrame:
    """`values` of each learner (row) on each stream: the mean over the repeats, and its error."""
    rows = {}
    for learner in learners:
        estimates = {s: over_streams(runs, {s: values(learner, s)}) for s in runs.streams}
        rows[learner] = {k: v for s, e in estimates.items() for k, v in with_error(s, e).items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("learner")


def gains(runs: Runs, learner: str, streams: list[str]) -> PointEstimate:
    r"""Share of the possible gain over the better of majority and persistence, in percent.

    .. math:: \frac{\sum_s (b_s - e_s)}{\sum_s (b_s - o_s)}

    with the errors of the baseline, the learner and the optimum on stream s. The standard error is
    that of the linear part. nan if the baselines are optimal already.
    """
    won, possible = {}, {}
    for name in streams:
        frame, base = runs.repeats[name], runs.baseline[name]
        won[name] = frame[base] - frame[learner]
        possible[name] = frame[base] - frame[runs.entrants.optimal]
    whole = over_streams(runs, possible).value
    if not whole > 0:
        return PointEstimate(NAN, NAN)
    share = over_streams(runs, won).value / whole
    rest = over_streams(runs, {name: won[name] - share * possible[name] for name in streams})
    return PointEstimate(100 * share, 100 * rest.standard_error / whole, rest.df)


def mean_ranks(runs: Runs) -> pd.Series:
    """Mean rank of each learner over the streams; one that fails on a stream is last there."""
    return ranks(runs.errors[list(runs.entrants.learners)]).mean()


def main_table(runs: Runs) -> pd.DataFrame:
    """One row per learner, the optimum first, then by mean rank."""
    placed = mean_ranks(runs).sort_values(kind="stable")
    names = [*([runs.entrants.optimal] if runs.with_optimum else []), *placed.index]
    rows = {name: _row(runs, name) for name in names}
    table = pd.DataFrame(rows).T.astype(float).rename_axis("learner")
    table.insert(6, "rank", placed.reindex(names))
    return table


def _row(runs: Runs, name: str) -> dict[str, float]:
    if name == runs.entrants.optimal:
        of_known = over_streams(runs, {s: runs.repeats[s][name] for s in runs.with_optimum})
        error = of_known if len(runs.with_optimum) == len(runs.streams) else PointEstimate(NAN, NAN)
        excess, gain = PointEstimate(0, 0), PointEstimate(100, 0)
    else:
        error = over_streams(runs, {s: runs.repeats[s][name] for s in runs.streams})
        excess, gain = excess_over_streams(runs, name), gains(runs, name, runs.with_optimum)
    row = with_error("error [%]", error) | with_error("excess [points]", excess)
    row |= with_error("share of the possible gain [%]", gain)
    if name == runs.entrants.optimal:
        return row
    time = runs.table.query("learner == @name").eval("1e6 * seconds / n")
    row["memory [KiB]"] = _memory(runs, name) / 1024
    return row | with_error("time per example [µs]", mean_estimate(time.dropna()))


def _memory(runs: Runs, name: str) -> float:
    """Largest memory at the end of a run, in bytes; of another library's model along a stream."""
    if isinstance(runs.entrants.learners[name], Learner | Temporal):
        return float(runs.table.query("learner == @name")["state_bytes"].max())
    return float(runs.growth(name).size[-1])
