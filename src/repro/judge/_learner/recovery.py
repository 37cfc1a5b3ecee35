"""Recovery after each drift: of the error itself, and against learners on the two concepts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.figures import panels, plot_error, shared_legend
from repro.judge._learner.runs import WINDOW, Runs, step_of, swept
from repro.judge._report.cells import with_error
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section
from repro.metrics.recovery import recovery
from repro.statistics.estimates import jackknife, mean_estimate
from repro.streams.composition import Composition
from repro.streams.from_mixture import snapshot
from repro.streams.led import LED
from repro.streams.mixture import DriftingMixture
from repro.streams.random_tree import RandomTree
from repro.streams.sea import SEA
from repro.streams.waveform import Waveform

__all__ = ["SHARE", "Change", "changes_of", "recovery_section", "recovery_table"]

SHARE = 0.98  # of an accuracy, below which it has fallen, as in the testbed's notebook
NAN = float("nan")
LASTING = SEA, LED, Waveform, RandomTree  # concepts that do not change with time
LOOKS = 9  # times at which a mixture must be the same to count as lasting
MOST_DRIFTS = 12  # of a stream


class Change(NamedTuple):
    """A sudden change from one lasting concept to another: its place, and both as streams."""

    stream: str
    drift_at: int
    old: Any
    new: Any


def changes_of(name: str, stream: Any) -> list[Change]:
    """The changes of `stream` between concepts that last, which a recovery analysis asks for."""
    if isinstance(stream, DriftingMixture):
        parts = _of_mixture(stream)
        return [Change(name, p, *pair) for p, pair in parts.items()]
    if isinstance(stream, Composition) and not any(np.atleast_1d(stream.width)):
        pairs = zip(stream.at, stream.concepts, stream.concepts[1:], strict=False)
        return [
            Change(name, p, replace(old, n=stream.n), replace(new, n=stream.n))
            for p, old, new in pairs
            if isinstance(old, LASTING) and isinstance(new, LASTING)
        ]
    return []


def _of_mixture(mixture: DriftingMixture) -> dict[int, tuple[DriftingMixture, DriftingMixture]]:
    edges = [0, *mixture.drifts, mixture.n]
    lasts = [_is_constant(mixture, a, b - 1) for a, b in pairwise(edges)]
    return {
        edges[i]: (snapshot(mixture, edges[i - 1]), snapshot(mixture, edges[i + 1] - 1))
        for i in range(1, len(edges) - 1)
        if lasts[i - 1] and lasts[i]
    }


def _is_constant(mixture: DriftingMixture, start: int, stop: int) -> bool:
    first = snapshot(mixture, start).classes
    return all(snapshot(mixture, t).classes == first for t in np.linspace(start, stop, LOOKS))


def recovery_table(runs: Runs) -> pd.DataFrame:
    """One row per drift and learner; empty without drifts.

    Columns: stream, drift at, learner; `rise`, the excess error (or the error, where the optimum is
    unknown) of the 500 examples from the drift on minus that of the 500 before, in points; maximum
    loss and duration of `repro.metrics.recovery`, on the mean curves of the seeds. Standard errors
    are over seeds, those of the last two by the jackknife.
    """
    changes = [c for name, stream in runs.streams.items() for c in changes_of(name, stream)]
    concepts = {
        f"{c.stream}, {c.drift_at}, {part}": getattr(c, part)
        for c in changes
        for part in ("old", "new")
    }
    still = swept(runs.entrants.learners, concepts, runs.seeds, runs.options) if concepts else None
    change_at = {(c.stream, c.drift_at): c for c in changes}
    rows = [
        {"stream": name, "drift at": at, "learner": learner}
        | _rise(runs, name, at, learner)
        | _recovered(runs, still, change_at.get((name, at)), learner)
        for name, draw in runs.draws.items()
        for at in list(draw.drifts)[:MOST_DRIFTS]
        for learner in runs.entrants.learners
        if learner not in runs.entrants.baselines
    ]
    return pd.DataFrame(rows)


def _changes(runs: Runs) -> list[Change]:
    return [c for name, stream in runs.streams.items() for c in changes_of(name, stream)]


def _curves(table: pd.DataFrame, learner: str, stream: str) -> pd.Series:
    """Sliding errors by seed."""
    rows = table.query("learner == @learner and stream == @stream and failure == ''")
    return rows.set_index("seed")["curve"]


def _rise(runs: Runs, stream: str, at: int, learner: str) -> dict[str, float]:
    """Rise of the error at a drift; the sliding error of 500 examples later minus that before."""
    n = len(runs.draws[stream])
    step = step_of(n)
    width = min(WINDOW, at, n - at)
    before, after = (at - 1) // step, (at + width - 1) // step
    name = "rise [points]"
    if width < step or before < 0:
        return with_error(name, (NAN, NAN))
    curves = _curves(runs.table, learner, stream)
    rise = curves.map(lambda c: 100 * (c[after] - c[before]))
    if stream in runs.with_optimum:
        of_best = _curves(runs.table, runs.entrants.optimal, stream)
        rise -= of_best.map(lambda c: 100 * (c[after] - c[before]))
    return with_error(name, mean_estimate(rise.astype(float).dropna()))


def _recovered(
    runs: Runs, still: pd.DataFrame | None, change: Change | None, learner: str
) -> dict[str, float]:
    names = "maximum loss", "duration [examples]"
    columns = [column for name in names for column in (name, f"{name} ± s.e.")]
    if change is None or still is None:
        return dict.fromkeys(columns, NAN)
    where = f"{change.stream}, {change.drift_at}"
    curves = [_curves(runs.table, learner, change.stream)]
    curves += [_curves(still, learner, f"{where}, {part}") for part in ("old", "new")]
    seeds = curves[0].index.intersection(curves[1].index).intersection(curves[2].index)
    if seeds.empty:
        return dict.fromkeys(columns, NAN)
    step = step_of(len(runs.draws[change.stream]))
    parts = [np.stack(c.loc[seeds].to_list()) for c in curves]

    def of(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        error, old, new = (part[mask].mean(axis=0) for part in parts)
        loss, duration = recovery(error, old, new, change.drift_at // step, share=SHARE)
        return np.array([loss, duration * step])

    m = len(seeds)
    value, error = of(np.ones(m, dtype=bool)), np.full(2, NAN)
    if m > 1:
        error = jackknife([of(np.arange(m) != i) for i in range(m)])
    return dict(zip(columns, np.column_stack([value, error]).ravel().tolist(), strict=True))


def recovery_section(runs: Runs, table: pd.DataFrame, shown: list[str]) -> Section | None:
    """Section on the drifts; None for streams without a sudden one. `shown`: learners drawn."""
    if table.empty:
        return None
    text = (
        f"Rise: the {'excess ' if runs.with_optimum else ''}error of the {WINDOW} examples from "
        f"the drift on minus that of the {WINDOW} before. Maximum loss and duration are those of "
        "Shaker and Hüllermeier (2015): the learner is compared with itself on a stream of the old "
        "concept and on one of the new; the largest share of the attainable accuracy that is "
        f"lost, and the examples from the first time below {100 * SHARE:.0f} % of the old level to "
        "the first time at that share of the new one (∞: never; a dash: it never fell below). "
        "They apply where both concepts last."
    )
    lasting = [
        f"{c.stream} at {c.drift_at}" for n, s in runs.streams.items() for c in changes_of(n, s)
    ]
    text += f" Drifts with both: {sentence(lasting)}."
    drifting = table[["stream", "drift at"]].drop_duplicates()
    names = list(dict.fromkeys(drifting["stream"]))[:6]
    axes = panels([label(name) for name in names])
    for ax, name in zip(axes, names, strict=True):
        _draw(runs, name, drifting.query("stream == @name")["drift at"].tolist(), shown, ax)
    alt = (
        f"Sliding error of {sentence(shown)} around the drifts (dotted lines) of "
        f"{sentence(names)}; the dashed line is the optimum where it is known."
    )
    return Section(
        "recovery", "Recovery after each drift", text, table, shared_legend(axes[0]), alt
    )


def _draw(runs: Runs, name: str, at: list[int], shown: list[str], ax: Any) -> None:
    n = len(runs.draws[name])
    reach = max(4 * WINDOW, n // 20)
    start, stop = max(0, min(at) - reach // 2), min(n, max(at) + reach)
    curves, truth = runs.curves_and_truth(shown, name)
    plot_error(curves, **truth, drift_at=at, start=start, stop=stop, yscale="symlog", ax=ax)
