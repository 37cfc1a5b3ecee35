"""The runs of a report on learners: every learner on every stream, and what repeats of them say.

A *repeat* is a seed, or for a stream that exists only once a stretch of it (`batch_means`). What
is compared is compared within repeats, so that the chance of a draw cancels. Only draws on which
all learners ran are compared.
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

from repro.evaluation.late_labels import late_sweep
from repro.evaluation.sweep import sweep
from repro.judge._learner.growth import Growth, growth_along
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
    """How sweeps run: processes, folder of stored results, whether to run all again, versions.

    Labels arrive `delay` examples late, and only for a `share` of the examples.
    """

    jobs: int
    cache: Any = None
    fresh: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    delay: int = 0
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Runs:
    """Results of every learner on every stream with every seed.

    Attributes
    ----------
    entrants : the learners.
    streams : name -> Stream or description.
    draws : name -> the draw with the first seed.
    seeds : of the draws; a Stream runs with the first one only.
    table : one row per run, as from `sweep`; column `wrong`, the losses as bits.
    options : of further sweeps.
    """

    entrants: Entrants
    streams: Mapping[str, Any]
    draws: Mapping[str, Stream]
    seeds: list[int]
    table: pd.DataFrame
    options: Options
    _growths: dict[str, Growth] = field(default_factory=dict, init=False)

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

    @cached_property
    def common(self) -> dict[str, tuple[list[int], list[str]]]:
        """By stream, the seeds that are compared and the learners that ran with all of them.

        A learner that failed with some seeds costs the others these seeds, up to half of them; one
        that costs more fails on the stream.
        """
        return {name: self._common(name) for name in self.streams}

    def _common(self, stream: str) -> tuple[list[int], list[str]]:
        rows = self.table[self.table["stream"] == stream]
        ran = rows.pivot(index="seed", columns="learner", values="failure") == ""
        kept = ran.loc[:, ran.any()]
        while 2 * kept.all(axis=1).sum() < len(kept):
            kept = kept.drop(columns=kept.mean().idxmin())
        return kept.index[kept.all(axis=1)].tolist(), kept.columns.tolist()

    def _repeats(self, name: str) -> pd.DataFrame:
        seeds, ran = self.common[name]
        rows = self.table[(self.table["stream"] == name) & self.table["seed"].isin(seeds)]
        names = list(rows["learner"].unique())
        if name in self.drawn:
            errors = rows.pivot(index="seed", columns="learner", values="error")
        else:
            size = min(STRETCHES, len(self.draws[name]))
            losses = {a: self.losses(a, name)[0] for a in ran}
            parts = {a: batch_means(loss, size) for a, loss in losses.items()}
            errors = pd.DataFrame({a: m + (losses[a].mean() - m.mean()) for a, m in parts.items()})
        return 100 * errors[ran].reindex(columns=names).astype(float)

    def losses(self, learner: str, stream: str) -> NDArray[np.float64]:
        """Losses of `learner` on the draws that are compared, (draws, n); none if it fails."""
        seeds, ran = self.common[stream]
        n = len(self.draws[stream])
        if learner not in ran:
            return np.empty((0, n))
        rows = self.table.query("learner == @learner and stream == @stream").set_index("seed")
        bits = np.stack(rows.loc[seeds, "wrong"].to_list())
        return np.unpackbits(bits, axis=1, count=n).astype(np.float64)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """Mean error in percent, stream x learner; nan where all runs failed."""
        means = {name: frame.mean() for name, frame in self.repeats.items()}
        columns = [*self.entrants.learners, self.entrants.optimal]
        return pd.DataFrame(means).T.reindex(columns=columns)

    def growth(self, learner: str) -> Growth:
        """Memory and time of `learner` along the first draw of the first stream; run once."""
        if learner not in self._growths:
            of = self.entrants.learners[learner], next(iter(self.draws.values())), self.seeds[0]
            self._growths[learner] = growth_along(*of)
        return self._growths[learner]

    @cached_property
    def baseline(self) -> pd.Series:
        """By stream, the name of the better of majority and persistence."""
        return self.errors[self.entrants.baselines].idxmin(axis=1)

    def curve(self, learner: str, stream: str) -> NDArray[np.float64]:
        """Sliding error at every `step`-th example, mean over the seeds; all nan if none ran."""
        losses, n = self.losses(learner, stream), len(self.draws[stream])
        if not len(losses):
            return np.full(n, np.nan)[:: step_of(n)]
        return sliding_error(losses.mean(axis=0), window=min(WINDOW, n))[:: step_of(n)]

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
    measures: dict[str, Callable[..., Any]] = {"error": np.mean, "wrong": _bits}
    how: dict[str, Any] = {"jobs": options.jobs, "cache": options.cache, "fresh": options.fresh}
    how["keys"] = {n: v for n, v in options.keys.items() if n in learners or n in streams}
    how |= {"measures": measures, "label_measures": label_measures}
    if (options.delay, options.share) != (0, 1):
        late: dict[str, Any] = {"delay": options.delay, "share": options.share}
        return late_sweep(learners, streams, seeds, **late, **how)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "task failed", RuntimeWarning)
        return sweep(learners, streams, seeds, **how)


def step_of(n: int) -> int:
    """Every how many of `n` examples a curve has a value."""
    return -(-n // (POINTS + 1))


def _bits(loss: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.packbits(loss > 0)
