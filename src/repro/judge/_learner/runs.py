"""The runs of a report on learners: every learner on every stream, and what repeats of them say.

A *repeat* is a seed, or for a stream that exists only once a stretch of it (`batch_means`). What
is compared is compared within repeats, so that the chance of a draw cancels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.evaluation.sweep import sweep
from repro.judge._learner.inputs import Entrants
from repro.judge._report.shared import label, one_line, sentence
from repro.learners.baselines import BayesOptimal
from repro.metrics.batch_means import batch_means
from repro.metrics.estimators import sliding_error
from repro.streams.stream import Stream

__all__ = ["POINTS", "WINDOW", "Options", "Runs", "run_all", "step_of", "swept"]

WINDOW = 500  # of the sliding error, as in the testbed's paper
POINTS = 10_000  # most values kept of a curve
STRETCHES = 20  # of a stream that exists only once


@dataclass(frozen=True)
class Options:
    """How sweeps run: processes, folder of stored results, whether to run all again, versions."""

    jobs: int
    cache: Any = None
    fresh: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Runs:
    """Results of every learner on every stream with every seed.

    Attributes
    ----------
    entrants : the learners.
    streams : name -> Stream or description.
    draws : name -> the draw with the first seed.
    seeds : of the draws; a Stream runs with the first one only.
    table : one row per run, as from `sweep`; columns `curve`, the sliding error at every `step`-th
        example, and `stretches`, the mean loss of each stretch.
    options : of further sweeps.
    """

    entrants: Entrants
    streams: Mapping[str, Any]
    draws: Mapping[str, Stream]
    seeds: list[int]
    table: pd.DataFrame
    options: Options

    @cached_property
    def with_optimum(self) -> list[str]:
        """Names of the streams whose optimum is known."""
        return [name for name, draw in self.draws.items() if draw.optimal is not None]

    @cached_property
    def drawn(self) -> list[str]:
        """Names of the streams that are drawn with each seed; a Stream exists only once."""
        return [name for name, stream in self.streams.items() if not isinstance(stream, Stream)]

    @cached_property
    def repeats(self) -> dict[str, pd.DataFrame]:
        """Errors in percent: by stream, a frame with a row per repeat and a column per learner."""
        return {name: self._repeats(name) for name in self.streams}

    def _repeats(self, name: str) -> pd.DataFrame:
        rows = self.table[self.table["stream"] == name]
        if name in self.drawn:
            return 100 * rows.pivot(index="seed", columns="learner", values="error")
        by_learner = rows.set_index("learner")
        size = max((np.size(v) for v in by_learner["stretches"]), default=1)
        parts = {
            learner: np.broadcast_to(stretches, size) + (error - np.mean(stretches))
            for learner, error, stretches in by_learner[["error", "stretches"]].itertuples()
        }
        return 100 * pd.DataFrame(parts)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """Mean error in percent, stream x learner; nan where all runs failed."""
        means = {name: frame.mean() for name, frame in self.repeats.items()}
        columns = [*self.entrants.learners, self.entrants.optimal]
        return pd.DataFrame(means).T.reindex(columns=columns)

    @cached_property
    def baseline(self) -> pd.Series:
        """By stream, the name of the better of majority and persistence."""
        return self.errors[self.entrants.baselines].idxmin(axis=1)

    def curve(self, learner: str, stream: str) -> NDArray[np.float64]:
        """Sliding error at every `step`-th example, mean over the seeds; all nan if none ran."""
        rows = self.table.query("learner == @learner and stream == @stream and failure == ''")
        curves = rows["curve"].tolist()
        size = len(np.arange(len(self.draws[stream]))[:: step_of(len(self.draws[stream]))])
        return np.mean(curves, axis=0) if curves else np.full(size, np.nan)

    def on_all_examples(self, learner: str, stream: str) -> NDArray[np.float64]:
        """`curve` with a value for each example, the last one known; shape (n,)."""
        n = len(self.draws[stream])
        return np.repeat(self.curve(learner, stream), step_of(n))[:n]

    def curves_and_truth(
        self, learners: Iterable[str], stream: str
    ) -> tuple[dict[str, NDArray[np.float64]], dict[str, Any]]:
        """What `plot_error` draws: the curves by label, and that of the optimum if it is known."""
        curves = {label(name): self.on_all_examples(name, stream) for name in learners}
        if stream not in self.with_optimum:
            return curves, {}
        best = self.on_all_examples(self.entrants.optimal, stream)
        return curves, {"bayes": best, "bayes_label": "Optimal"}

    @cached_property
    def failures(self) -> pd.DataFrame:
        """Failed runs: learner, failure, streams in words, runs.

        Failures that differ only in numbers, such as the example, count as one: the first is shown.
        """
        failed = self.table[self.table["failure"] != ""]
        kinds = failed["failure"].str.replace(r"\d+", "#", regex=True)
        rows = [
            {
                "learner": g["learner"].iloc[0],
                "failure": one_line(g["failure"].iloc[0]),
                "streams": sentence(g["stream"].unique()),
                "runs": len(g),
            }
            for _, g in failed.groupby([failed["learner"], kinds], sort=False)
        ]
        return pd.DataFrame(rows, columns=["learner", "failure", "streams", "runs"])


def run_all(
    entrants: Entrants,
    streams: Mapping[str, Any],
    draws: Mapping[str, Stream],
    seeds: list[int],
    options: Options,
) -> Runs:
    """Run the models to judge, then the others; raises RuntimeError if the models always fail."""
    mine = {name: entrants.learners[name] for name in entrants.mine}
    tables = [_on_all(mine, streams, seeds, options)]
    if (tables[0]["failure"] != "").all():
        row = tables[0].iloc[0]
        where = f"in all {len(tables[0])} runs, first on {row['stream']}"
        raise RuntimeError(f"{row['learner']} failed {where}: {one_line(row['failure'])}")
    others = {name: entrants.learners[name] for name in entrants.others}
    tables.append(_on_all(others, streams, seeds, options))
    with_optimum = {name: s for name, s in streams.items() if draws[name].optimal is not None}
    tables.append(_on_all({entrants.optimal: BayesOptimal()}, with_optimum, seeds, options))
    table = pd.concat([t for t in tables if len(t)], ignore_index=True)
    return Runs(entrants, streams, draws, seeds, table, options)


def _on_all(
    learners: Mapping[str, Any], streams: Mapping[str, Any], seeds: list[int], options: Options
) -> pd.DataFrame:
    """A Stream exists only once: it runs with the first seed."""
    once = {name: s for name, s in streams.items() if isinstance(s, Stream)}
    drawn = {name: s for name, s in streams.items() if name not in once}
    pairs = [(part, numbers) for part, numbers in ((drawn, seeds), (once, seeds[:1])) if part]
    tables = [swept(learners, part, numbers, options) for part, numbers in pairs]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def swept(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: list[int],
    options: Options,
    **label_measures: Callable[..., Any],
) -> pd.DataFrame:
    """`sweep` with the measures of a report, which names its failures itself."""
    measures: dict[str, Callable[..., Any]] = {
        "error": np.mean,
        "curve": _curve,
        "stretches": _stretches,
    }
    how: dict[str, Any] = {"jobs": options.jobs, "cache": options.cache, "fresh": options.fresh}
    how["keys"] = {n: v for n, v in options.keys.items() if n in learners or n in streams}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "task failed", RuntimeWarning)
        return sweep(
            learners, streams, seeds, measures=measures, label_measures=label_measures, **how
        )


def step_of(n: int) -> int:
    """Every how many of `n` examples a curve has a value."""
    return -(-n // (POINTS + 1))


def _curve(loss: NDArray[np.float64]) -> NDArray[np.float64]:
    return sliding_error(loss, window=min(WINDOW, loss.size))[:: step_of(loss.size)]


def _stretches(loss: NDArray[np.float64]) -> NDArray[np.float64]:
    return batch_means(loss, batches=min(STRETCHES, loss.size))
