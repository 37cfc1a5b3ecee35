"""Sections: errors and excess errors, other orders, repeated labels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.figures import panels, plot_error, plot_means, shared_legend
from repro.judge._learner.runs import WINDOW, Runs, swept
from repro.judge._learner.tables import excess_of, on_each_stream
from repro.judge._report.cells import with_error
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section
from repro.metrics.advice import KappaAdvice, kappa_advice
from repro.permutations.summarize import summarize
from repro.streams.permuted import Permuted

__all__ = [
    "advice_on",
    "error_section",
    "excess_section",
    "kappa_section",
    "permutation_section",
    "permuted_streams",
    "shown_learners",
]

MOST_PANELS = 12
MOST_LINES = 6

KINDS = ("time", "speed", "shape")
LONGEST = 50_000  # examples of a stream that is permuted
SEEDS = 5  # permutations of a kind
SYMBOLS = {
    "kappa": "κ",
    "kappa_majority": "κ_m",
    "kappa_temporal": "κ_per",
    "kappa_combined": "κ⁺",
}


def shown_learners(runs: Runs, order: list[str]) -> list[str]:
    """Your models, and the best of the others in `order`, which is by rank: at most six in all."""
    others = [name for name in order if name in runs.entrants.others]
    mine = list(runs.entrants.mine)[: MOST_LINES - 1]
    return [*mine, *others[: max(1, min(4, MOST_LINES - len(mine)))]]


def error_section(runs: Runs, order: list[str], shown: list[str]) -> Section:
    """Section with the error of each learner on each stream, and the curves of those `shown`."""

    def errors(learner: str, stream: str) -> pd.Series:
        return runs.repeats[stream].reindex(columns=[learner])[learner]

    frame = on_each_stream(runs, order, errors)
    text = (
        "Mean error over the whole stream in percent: each example is predicted, then learned. "
        f"The figure shows the error of the last {WINDOW} examples, its mean over the draws"
    )
    names = list(runs.streams)[:MOST_PANELS]
    rest = len(runs.streams) - len(names)
    text += f", on the first {MOST_PANELS} streams." if rest else "."
    axes = panels([label(name) for name in names])
    for ax, name in zip(axes, names, strict=True):
        draw = runs.draws[name]
        curves, truth = runs.curves_and_truth(shown, name)
        look: dict[str, Any] = {
            "start": min(100, len(draw) // 10),
            "every": max(1, len(draw) // 500),
        }
        plot_error(curves, **truth, drift_at=draw.drifts, **look, ax=ax)
    alt = f"Sliding error of {sentence(shown)} along {sentence(names)}"
    alt += ", beside that of the optimum (dashed)." if runs.with_optimum else "."
    return Section("errors", "Error on each stream", text, frame, shared_legend(axes[0]), alt)


def excess_section(runs: Runs, order: list[str], shown: list[str]) -> Section | None:
    """Section with the excess over the optimum on each stream; None where none is known."""
    if not runs.with_optimum:
        return None
    names = [name for name in order if name != runs.entrants.optimal]
    frame = on_each_stream(runs, names, lambda name, stream: excess_of(runs, name, stream))
    text = (
        "Error minus that of the Bayes-optimal classifier on the same draws, in points: what a "
        "better learner could gain. The bars of the figure are two standard errors long each way."
    )
    unknown = [name for name in runs.streams if name not in runs.with_optimum]
    if unknown:
        text += f" It is unknown on {sentence(unknown)}, where the truth is unknown."
    means = frame.loc[shown, runs.with_optimum].T
    bars = 2 * frame.loc[shown, [f"{name} ± s.e." for name in runs.with_optimum]].to_numpy().T
    ax = panels(["Excess over the optimum"], size=(max(6.4, 1.0 * len(means) + 2), 3.6))[0]
    named = means.rename(index=label, columns=label)
    plot_means(named, error_bars=np.nan_to_num(bars), ylabel="Excess error [points]", ax=ax)
    least = means.stack()
    alt = (
        f"Excess error of {sentence(shown)} on {sentence(runs.with_optimum)}: "
        f"from {least.min():.1f} points ({least.idxmin()[1]} on {least.idxmin()[0]}) to "
        f"{least.max():.1f} ({least.idxmax()[1]} on {least.idxmax()[0]})."
        if least.notna().any()
        else "Nothing to draw."
    )
    return Section("excess", "Excess over the optimum", text, frame, shared_legend(ax), alt)


def permuted_streams(runs: Runs) -> list[str]:
    """The first stream, and the first with a drift; none longer than 50 000 examples."""
    short = [name for name, draw in runs.draws.items() if len(draw) <= LONGEST]
    drifting = [name for name in short if runs.draws[name].drifts]
    return list(dict.fromkeys([*short[:1], *drifting[:1]]))


def permutation_section(runs: Runs) -> Section | None:
    """Section on controlled permutations; None where no stream is short enough."""
    names = permuted_streams(runs)
    if not names:
        return None
    reactions = pd.concat([_reactions(runs, name) for name in names], ignore_index=True)
    seeds = runs.seeds[:SEEDS]
    sizes = reactions["reaction [points]"].abs() if len(reactions) else None
    first = None if sizes is None else reactions.iloc[sizes.argmax()]
    orders = f"{len(seeds)} order{'s' * (len(seeds) > 1)}"
    text = (
        f"One draw of {sentence(names)} in {orders} of each kind of controlled permutation "
        "(Žliobaitė 2014, with its default strengths), which keep neighbouring "
        "examples together: is a learner good on this order of the changes only? Reaction: the "
        "mean change of the error against the original order, with its standard error over the "
        "orders; volatility: the standard deviation over the orders. Rank: of the mean error."
    )
    if first is not None:
        text += (
            f" The largest reaction is that of {first['learner']} to {first['kind']} permutations "
            f"of {first['stream']}: {first['reaction [points]']:+.1f} points."
        )
    return Section("permutations", "Controlled permutations", text, reactions)


def _reactions(runs: Runs, name: str) -> pd.DataFrame:
    draw, learners = runs.draws[name], runs.entrants.learners
    orders = {"original": draw} | {kind: Permuted(draw, kind) for kind in KINDS}
    table = swept(learners, orders, runs.seeds[:SEEDS], runs.options)
    rows = summarize(table).learners.rename(columns={"reaction": "reaction [points]"})
    places = rows.groupby("kind")["error"].rank()
    before = rows.groupby("kind")["original_error"].rank()
    values = {
        "stream": name,
        "kind": rows["kind"],
        "learner": rows["learner"],
        "error [%]": 100 * rows["error"],
        "volatility [points]": 100 * rows["sd"],
        "reaction [points]": 100 * rows["reaction [points]"],
        "reaction [points] ± s.e.": 100 * rows["reaction_standard_error"],
        "rank": places,
        "rank in the original order": before,
    }
    mine = rows["learner"].isin(runs.entrants.mine)
    return pd.DataFrame(values).iloc[(~mine).argsort(kind="stable")]


def advice_on(runs: Runs) -> pd.DataFrame:
    """Learner, stream and `advice` of the first seed, on the streams without a known optimum."""
    unknown = {name: s for name, s in runs.streams.items() if name not in runs.with_optimum}
    if not unknown:
        return pd.DataFrame(columns=["learner", "stream", "advice"])
    once = runs.seeds[:1]
    table = swept(runs.entrants.learners, unknown, once, runs.options, advice=_advice)
    return table.loc[table["failure"] == "", ["learner", "stream", "advice"]]


def _advice(y: NDArray[np.int64], y_pred: NDArray[np.int64]) -> KappaAdvice:
    return kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred))


def kappa_section(runs: Runs, advice: pd.DataFrame) -> Section | None:
    """Section on the streams without a known optimum; None if there are none."""
    if advice.empty:
        return None
    names = list(dict.fromkeys(advice["stream"]))
    text = (
        f"The optimum of {sentence(names)} is unknown, so the excess error is too. κ_per is the "
        "accuracy beyond that of repeating the previous label, κ_m beyond that of the most "
        "frequent label so far, κ⁺ beyond both random order and the previous label: 0 is no "
        "better, 1 is without error."
    )
    mine = advice[advice["learner"].isin(runs.entrants.mine)]
    for row in mine.itertuples():
        text += f"\n\n{row.learner} on {row.stream}. {_in_words(row.advice)}"
    rows = [_row(row.learner, row.stream, row.advice) for row in advice.itertuples()]
    return Section("kappa", "Accuracy beyond repeated labels", text, pd.DataFrame(rows))


def _in_words(advice: KappaAdvice) -> str:
    text = advice.text
    for name in sorted(SYMBOLS, key=len, reverse=True):
        text = text.replace(name, SYMBOLS[name])
    return text


def _row(learner: str, stream: str, advice: KappaAdvice) -> dict[str, Any]:
    row: dict[str, Any] = {"stream": stream, "learner": learner}
    for name, symbol in SYMBOLS.items():
        row |= with_error(symbol, advice.frame.loc[name, ["value", "standard_error"]])
    return row | {"report": SYMBOLS.get(advice.measure, "none")}
