"""Means over streams with standard errors, ranks, and the main table of a report on learners."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from repro.interop.adapting import adapt
from repro.judge._learner_runs import Runs
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Stream

__all__ = ["Estimate", "excess_of", "excess_over_streams", "gains", "jackknife", "main_table"]
__all__ += ["mean_ranks", "of_repeats", "over_streams", "ranks", "verdict_on"]

NAN = float("nan")
MOST_EXAMPLES = 10_001  # learned by a model of another library to measure its memory


class Estimate(NamedTuple):
    """A mean, its standard error and the degrees of freedom of that."""

    value: float
    standard_error: float
    df: float = NAN

    @property
    def margin(self) -> float:
        """Half the length of Student's interval of level 95 %; nan without a standard error."""
        return float(student.ppf(0.975, self.df)) * self.standard_error if self.df > 0 else NAN

    def __str__(self) -> str:
        spread = "" if np.isnan(self.standard_error) else f" ± {self.standard_error:.2f}"
        return f"{self.value:.2f}{spread}"


def verdict_on(estimate: Estimate, limit: float) -> str:
    """``yes`` if `estimate` is below `limit`, ``no`` if above, by its interval; else ``undecided``.

    >>> [verdict_on(Estimate(0.5, 0.1, 9), limit) for limit in (1.0, 0.6, 0.0)]
    ['yes', 'undecided', 'no']
    """
    low, high = estimate.value - estimate.margin, estimate.value + estimate.margin
    return "yes" if high < limit else "no" if low > limit else "undecided"


def of_repeats(values: pd.Series) -> Estimate:
    """Mean of the `values` of repeats and its standard error; missing ones are left out."""
    known = values.dropna()
    return Estimate(float(known.mean()), float(known.sem()), len(known) - 1)


def over_streams(runs: Runs, values: dict[str, pd.Series]) -> Estimate:
    """Mean over streams of the mean `values` of their repeats.

    Streams that are drawn share their seeds: the standard error is that of the mean over these
    streams, over seeds. Streams that exist only once add their own variance.
    """
    each = {name: of_repeats(series) for name, series in values.items()}
    if not each:
        return Estimate(NAN, NAN)
    drawn = [name for name in values if not isinstance(runs.streams[name], Stream)]
    size = len(values)
    variance = sum((e.standard_error / size) ** 2 for n, e in each.items() if n not in drawn)
    df = min((e.df for n, e in each.items() if n not in drawn), default=np.inf)
    if drawn:
        by_seed = pd.DataFrame({name: values[name] for name in drawn}).mean(axis=1, skipna=False)
        shared = of_repeats(by_seed)
        variance += (shared.standard_error * len(drawn) / size) ** 2
        df = min(df, shared.df)
    return Estimate(float(np.mean([e.value for e in each.values()])), float(variance**0.5), df)


def excess_of(runs: Runs, learner: str, stream: str) -> pd.Series:
    """Error of `learner` minus that of the optimum on the same draws, in points, by repeat."""
    frame = runs.repeats[stream]
    if stream not in runs.known:
        return pd.Series(NAN, frame.index)
    return frame[learner] - frame[runs.entrants.optimal]


def excess_over_streams(runs: Runs, learner: str) -> Estimate:
    """`excess_of`, mean over the streams with a known optimum."""
    return over_streams(runs, {name: excess_of(runs, learner, name) for name in runs.known})


def gains(runs: Runs, learner: str, streams: list[str]) -> Estimate:
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
        return Estimate(NAN, NAN)
    share = over_streams(runs, won).value / whole
    rest = over_streams(runs, {name: won[name] - share * possible[name] for name in streams})
    return Estimate(100 * share, 100 * rest.standard_error / whole, rest.df)


def ranks(errors: pd.DataFrame) -> pd.DataFrame:
    """Ranks of the columns in each row, 1 the least; equal errors share ranks, nan is last."""
    return errors.rank(axis=1, na_option="bottom")


def mean_ranks(runs: Runs) -> pd.DataFrame:
    """Mean rank of each learner over the streams, and its standard error over seeds."""
    learners = list(runs.entrants.learners)

    def of(repeats: dict[str, pd.DataFrame]) -> np.ndarray[Any, Any]:
        means = pd.DataFrame({name: frame[learners].mean() for name, frame in repeats.items()}).T
        return ranks(means).mean().to_numpy()

    value = of(runs.repeats)
    return pd.DataFrame({"rank": value, "rank ± s.e.": jackknife(runs, of)}, index=learners)


def jackknife(
    runs: Runs, statistic: Callable[[dict[str, pd.DataFrame]], np.ndarray[Any, Any]]
) -> np.ndarray[Any, Any]:
    r"""Standard error over seeds of a `statistic` of the repeats of the streams.

    .. math:: \sqrt{\frac{m - 1}{m} \sum_i (s_{(i)} - \bar s)^2}

    where :math:`s_{(i)}` leaves out seed i on all streams (Efron 1982). nan with one seed, and
    where no stream is drawn.
    """
    fixed = {n: f for n, f in runs.repeats.items() if isinstance(runs.streams[n], Stream)}
    drawn = {n: f for n, f in runs.repeats.items() if n not in fixed}
    size = len(runs.seeds)
    if size < 2 or not drawn:
        return np.full_like(statistic(runs.repeats), NAN)
    without = [
        statistic({n: drawn[n].drop(index=s) if n in drawn else fixed[n] for n in runs.streams})
        for s in runs.seeds
    ]
    spread = np.array(without) - np.mean(without, axis=0)
    return np.asarray(np.sqrt((size - 1) / size * (spread**2).sum(axis=0)))


def main_table(runs: Runs) -> pd.DataFrame:
    """One row per learner, the optimum first, then by mean rank."""
    placed = mean_ranks(runs).sort_values("rank", kind="stable")
    names = [*([runs.entrants.optimal] if runs.known else []), *placed.index]
    rows = {name: _row(runs, name) for name in names}
    table = pd.DataFrame(rows).T.astype(float).rename_axis("learner")
    table.insert(6, "rank", placed["rank"].reindex(names))
    table.insert(7, "rank ± s.e.", placed["rank ± s.e."].reindex(names))
    return table


def _row(runs: Runs, name: str) -> dict[str, float]:
    is_optimum = name == runs.entrants.optimal
    streams = runs.known if is_optimum else list(runs.streams)
    error = over_streams(runs, {s: runs.repeats[s][name] for s in streams})
    excess, gain = excess_over_streams(runs, name), gains(runs, name, runs.known)
    row = {
        **_pair("error [%]", error if len(streams) == len(runs.streams) else Estimate(NAN, NAN)),
        **_pair("excess [points]", Estimate(0, 0) if is_optimum else excess),
        **_pair("share of the possible gain [%]", Estimate(100, 0) if is_optimum else gain),
    }
    if is_optimum:
        return row
    per_example = runs.table.query("learner == @name").eval("1e6 * seconds / n")
    memory = _memory(runs, name) / 1024
    return row | {"memory [KiB]": memory} | _pair("time per example [µs]", of_repeats(per_example))


def _pair(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name} ± s.e.": estimate.standard_error}


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
