"""Does the verdict depend on the order? Controlled permutations of one or two streams."""

from __future__ import annotations

import pandas as pd

from repro.judge._learner_runs import Runs, swept
from repro.judge._shared import sentence
from repro.judge.section import Section
from repro.permutations.summarize import summarize
from repro.streams.permuted import Permuted

__all__ = ["permutation_section", "permuted_streams"]

KINDS = ("time", "speed", "shape")
LONGEST = 50_000  # examples of a stream that is permuted
SEEDS = 5  # permutations of a kind


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
    found = pd.concat([_reactions(runs, name) for name in names], ignore_index=True)
    seeds = runs.seeds[:SEEDS]
    first = found.iloc[found["reaction [points]"].abs().argmax()] if len(found) else None
    text = (
        f"One draw of {sentence(names)} in {len(seeds)} orders of each kind of controlled "
        "permutation (Žliobaitė 2014, with its default strengths), which keep neighbouring "
        "examples together: is a learner good on this order of the changes only? Reaction: the "
        "mean change of the error against the original order, with its standard error over the "
        "orders; volatility: the standard deviation over the orders. Rank: of the mean error."
    )
    if first is not None:
        text += (
            f" The largest reaction is that of {first['learner']} to {first['kind']} permutations "
            f"of {first['stream']}: {first['reaction [points]']:+.1f} points."
        )
    return Section("permutations", "Controlled permutations", text, found)


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
