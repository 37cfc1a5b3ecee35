"""Two small leagues: streams with a rare class, and labels that come a thousand examples late."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from leagues.learners import STREAMS, Entry
from leagues.runs import seconds_per_seed
from leagues.tables import read, write
from repro import Stream, metrics, prequential
from repro.streams import SEA, TESTBED, LabelChain, recurring

__all__ = ["COLUMNS", "DELAY", "LATE", "MEASURES", "RARE", "measure"]

DELAY = 1_000  # examples that are predicted between an example and its label
N = 10_000
SHARE = 0.03
A, B = TESTBED["NSGT"].classes
#: name -> description: the class 1 is rare; its share in SEA is 3 and 5.4 % in turn
RARE: dict[str, Any] = {
    "NSGT": replace(
        TESTBED["NSGT"], classes=(replace(A, weight=1 - SHARE), replace(B, weight=SHARE))
    ),
    "SEA": recurring(SEA(2.0, noise=0.01), SEA(3.0, noise=0.01), at=(2_500, 5_000, 7_500), n=N),
    "label chain": LabelChain(((0.99, 0.01), (0.3, 0.7)), (0.0, 2.0), n=N),
}
LATE = {name: STREAMS[name] for name in ("NSGT", "SEA", "LED")}
MEASURES = ["error", "G-mean", "recall", "AUC", "kappa", "Brier"]
COLUMNS = ["league", "learner", "stream", "seed", "version", "n", *MEASURES, "failure"]


def measure(
    path: Path,
    entries: Sequence[Entry],
    seeds: int,
    costs: pd.DataFrame,
    *,
    cap: float,
    examples: int | None = None,
    fresh: bool = False,
) -> None:
    """Make the runs that are missing in the table at `path`, the fast learners first.

    Parameters
    ----------
    path : of the table; the rows of a learner and a seed are written as soon as they are there.
    entries : learners.
    seeds : number of draws of each stream.
    costs : table of the runs of the league, which says what a learner takes.
    cap : seconds for one seed of the league; learners that take longer have no row.
    examples : only so many of each stream, the first.
    """
    cost = {entry.name: seconds_per_seed(costs, entry) for entry in entries}
    chosen = sorted((e for e in entries if cost[e.name] <= cap), key=lambda e: cost[e.name])
    for seed, entry in product(range(seeds), chosen):
        done = read(path, COLUMNS)
        own = (done["learner"] == entry.name) & (done["seed"] == seed)
        if (own & (done["version"] == entry.version)).any() and not fresh:
            continue
        leagues = {"rare": (RARE, 0), "late": (LATE, DELAY)}
        rows = [
            {"league": league, "learner": entry.name, "stream": name, "seed": seed}
            | {"version": entry.version}
            | _row(entry, stream.sample(seed=seed, n=examples), seed, delay)
            for league, (streams, delay) in leagues.items()
            for name, stream in streams.items()
        ]
        frames = [frame for frame in (done[~own], pd.DataFrame(rows)) if len(frame)]
        table = pd.concat(frames).reindex(columns=COLUMNS)
        write(path, table.sort_values(COLUMNS[:4], ignore_index=True))
        print(f"seed {seed}, rare classes and late labels: {entry.name}", flush=True)


def _row(entry: Entry, stream: Stream, seed: int, delay: int) -> dict[str, Any]:
    """The measures of one run; with three classes and more, the error alone."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            run = prequential(entry.on(stream.schema.n_classes), stream, seed, delay=delay)
    except Exception as error:
        return {"failure": " ".join(f"{type(error).__name__}: {error}".split())}
    row: dict[str, Any] = {"n": len(stream), "error": run.error, "failure": ""}
    if stream.schema.n_classes > 2 or delay:
        return row
    y = stream.y
    row |= {
        "G-mean": metrics.g_mean(y, run.y_pred),
        "recall": metrics.recalls(y, run.y_pred, n_classes=2)[1],
        "kappa": metrics.kappa(y, run.y_pred),
    }
    if run.proba is not None:  # the optimum has labels only
        row["AUC"] = metrics.roc_auc(y, run.proba[:, 1])
        row["Brier"] = metrics.brier_loss(y, run.proba).mean()
    return row
