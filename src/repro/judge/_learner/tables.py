"""Means over streams with standard errors, ranks, and the main table of a report on learners."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from repro.interop.adapting import adapt
from repro.judge._learner.runs import Runs
from repro.judge._report.cells import with_error
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.statistics.estimates import PointEstimate, jackknife, mean_estimate, mean_over_streams
from repro.statistics.multiple import holm, signed_rank
from repro.statistics.ranks import ranks

__all__ = ["MEAN", "comparisons", "excess_of", "excess_over_streams", "gains", "in_words"]
__all__ += ["main_table", "mean_ranks", "on_each_stream", "over_streams", "verdict_on"]

NAN = float("nan")
MEAN = "mean over the streams"
MOST_EXAMPLES = 10_001  # learned by a model of another library to measure its memory


def verdict_on(estimate: PointEstimate, limit: float) -> str:
    """``yes`` if `estimate` is below `limit`, ``no`` if above, by its interval; else ``undecided``.

    >>> [verdict_on(PointEstimate(0.5, 0.1, 9), limit) for limit in (1.0, 0.6, 0.0)]
    ['yes', 'undecided', 'no']
    """
    low, high = estimate.interval()
    return "yes" if high < limit else "no" if low > limit else "undecided"


def in_words(estimate: PointEstimate) -> str:
    """``1.20 ± 0.05``, or the number alone where its standard error is unknown."""
    error = estimate.standard_error
    return f"{estimate.value:.2f}" + ("" if np.isnan(error) else f" ± {error:.2f}")


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


def mean_ranks(runs: Runs) -> pd.DataFrame:
    """Mean rank of each learner over the streams, and its standard error over seeds."""
    learners = list(runs.entrants.learners)

    def of(repeats: dict[str, pd.DataFrame]) -> np.ndarray[Any, Any]:
        means = pd.DataFrame({name: frame[learners].mean() for name, frame in repeats.items()}).T
        return ranks(means).mean().to_numpy()

    value = of(runs.repeats)
    return pd.DataFrame({"rank": value, "rank ± s.e.": _jackknife(runs, of)}, index=learners)


def _jackknife(
    runs: Runs, statistic: Callable[[dict[str, pd.DataFrame]], np.ndarray[Any, Any]]
) -> np.ndarray[Any, Any]:
    """Standard error over seeds of a `statistic` of the repeats: leaves out one on all streams.

    nan with one seed, and where no stream is drawn.
    """
    if len(runs.seeds) < 2 or not runs.drawn:
        return np.full_like(statistic(runs.repeats), NAN)
    without = [
        statistic({n: f.drop(index=s) if n in runs.drawn else f for n, f in runs.repeats.items()})
        for s in runs.seeds
    ]
    return jackknife(without)


def main_table(runs: Runs) -> pd.DataFrame:
    """One row per learner, the optimum first, then by mean rank."""
    placed = mean_ranks(runs).sort_values("rank", kind="stable")
    names = [*([runs.entrants.optimal] if runs.with_optimum else []), *placed.index]
    rows = {name: _row(runs, name) for name in names}
    table = pd.DataFrame(rows).T.astype(float).rename_axis("learner")
    table.insert(6, "rank", placed["rank"].reindex(names))
    table.insert(7, "rank ± s.e.", placed["rank ± s.e."].reindex(names))
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
    """Largest memory at the end of a run, in bytes.

    A model of another library is pickled after it has learned the first stream; nan if it cannot.
    """
    learner = runs.entrants.learners[name]
    if isinstance(learner, Learner | Temporal):
        return float(runs.table.query("learner == @name")["state_bytes"].max())
    stream = next(iter(runs.draws.values()))
    part = stream.take(np.arange(min(len(stream), MOST_EXAMPLES)))
    try:
        model = adapt(learner, part.schema, runs.seeds[0])
        model.learn(part.X, part.y, np.arange(len(part)), 1)
        return float(len(pickle.dumps(model.model)))
    except Exception:  # it has failed in its runs as well, or cannot be pickled
        return NAN


def comparisons(runs: Runs) -> pd.DataFrame:
    """Each of your models with each other learner, on each stream and over all streams.

    Columns: model, other, stream, difference (error of the model minus that of the other, in
    points) with its standard error, p (Wilcoxon's signed-rank test over the seeds) and p after
    Holm's correction for the comparisons of one model on one stream. p is nan for fewer than 6
    seeds and for a stream that exists only once.
    """
    rows = [row for model in runs.entrants.mine for row in _rows(runs, model)]
    names = ["model", "other", "stream", "difference", "difference ± s.e.", "p", "p, Holm"]
    table = pd.DataFrame(rows, columns=names[:-1])
    grouped = table.groupby(["model", "stream"])["p"]
    table["p, Holm"] = grouped.transform(holm) if len(table) else []
    return table


def _rows(runs: Runs, model: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for other in (name for name in runs.entrants.learners if name != model):
        of = {name: frame[model] - frame[other] for name, frame in runs.repeats.items()}
        for name, values in of.items():
            one = over_streams(runs, {name: values})
            p = signed_rank(values) if name in runs.drawn else NAN
            rows.append((model, other, name, one.value, one.standard_error, p))
        if len(of) > 1:
            every = over_streams(runs, of)
            by_seed = pd.DataFrame(of).mean(axis=1, skipna=False)
            p = signed_rank(by_seed) if len(runs.drawn) == len(of) else NAN
            rows.append((model, other, MEAN, every.value, every.standard_error, p))
    return rows
