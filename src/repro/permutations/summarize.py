"""What repeated runs on permuted streams say: volatility, reactions, and stability of rankings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from repro._checks import check_frame, check_text, shown
from repro.permutations.agreement import kendall_w, rank_disagreement, rankings, switch_probability

__all__ = ["PermutationStudy", "summarize"]

NAN = float("nan")
RUN = ["learner", "stream", "seed"]


@dataclass(frozen=True, eq=False)
class PermutationStudy:
    """Result of `summarize`: three frames.

    Attributes
    ----------
    learners : one row per learner and kind; columns `runs`, `error` (mean over permutations), `sd`
        (over permutations: the volatility), `original_error` and `original_sd` (mean and sd over
        seeds in the original order: the learner's own randomness), `reaction` (mean error minus
        mean error in the original order), `reaction_standard_error`.
    kinds : one row per kind; columns `runs` (seeds with a result of every learner), `learners`,
        `kendall_w`, `n_rankings` (different ones), `ranking` (the most frequent, as a text),
        `ranking_share` (of the most frequent), `as_original` (share of the runs with the ranking
        of the original order).
    pairs : one row per pair of learners and kind; columns `runs`, `difference` (mean error of
        learner a minus that of b), `sd` (of the difference over permutations),
        `original_difference`, `switch` and `disagreement` (see `switch_probability` and
        `disagreement`).
    """

    learners: pd.DataFrame
    kinds: pd.DataFrame
    pairs: pd.DataFrame


def summarize(
    table: pd.DataFrame, original: str = "original", measure: str = "error"
) -> PermutationStudy:
    """Compare runs on permuted streams with runs on the original stream.

    Parameters
    ----------
    table : one row per run, with the columns learner, stream, seed and `measure`: what
        `repro.sweep` returns for ``{"original": stream, "time": Permuted(stream, "time"), ...}``.
        Each other stream is a kind of permutation, and each seed a permutation.
    original : name of the stream in its original order.
    measure : column with the error of the run; least is best.

    A run is compared with the run of the same seed in the original order, since that seed also
    seeds the learner's own randomness: a reaction is the mean of these differences, and its
    standard error their sd divided by the square root of their number. A standard error counts the
    permutations of *one* stream; it says nothing about other streams (see `crossed_test`). A failed
    run (nan) and a missing one are left out: in `pairs` for both learners, in `kinds` for all
    learners that have a run of this kind. An sd of fewer than two runs is nan, and so is everything
    without a run. Paper 4, Sec. 5.2, asks these three questions without formulas.

    Raises TypeError for a table that is not a DataFrame and a name that is not a text; ValueError
    for missing columns, a measure that is not a number, two runs of one learner on one stream with
    one seed, an unknown `original`, and a table without a permuted stream.

    >>> runs = [("NB", "original", 0, 0.25), ("NB", "time", 0, 0.5)]
    >>> runs += [("Tree", "original", 0, 0.5), ("Tree", "time", 0, 0.25)]
    >>> table = pd.DataFrame(runs, columns=["learner", "stream", "seed", "error"])
    >>> result = summarize(table)
    >>> result.learners["reaction"].tolist(), result.pairs["switch"].tolist()
    ([0.25, -0.25], [1.0])
    """
    errors, kinds = _as_errors(
        table, check_text(original, name="original"), check_text(measure, name="measure")
    )
    learners = list(errors.columns)
    base = errors.loc[original]
    rows = [_learner_row(errors.loc[k], base, name, k) for name in learners for k in kinds]
    pairs = [
        _pair_row(errors.loc[k], base, pair, k) for pair in combinations(learners, 2) for k in kinds
    ]
    return PermutationStudy(
        pd.DataFrame(rows),
        pd.DataFrame([_kind_row(errors.loc[k], base, k) for k in kinds]),
        pd.DataFrame(pairs, columns=None if pairs else PAIR),
    )


PAIR = [
    *("learner_a", "learner_b", "kind", "runs", "difference", "sd"),
    *("original_difference", "switch", "disagreement"),
]


def _as_errors(table: Any, original: str, measure: str) -> tuple[pd.DataFrame, list[Any]]:
    """Return errors (stream and seed x learner), and the names of the permuted streams."""
    frame = check_frame(table, [*RUN, measure], name="table", numbers=[measure])
    if frame[RUN].duplicated().any():
        first = frame.loc[frame[RUN].duplicated(), RUN].iloc[0].tolist()
        raise ValueError(
            f"table must have one row per learner, stream and seed; got two of {first}"
        )
    streams = list(frame["stream"].unique())
    if original not in streams:
        raise ValueError(f"original must be a stream of the table; got {shown(original)}")
    if len(streams) < 2:
        raise ValueError(f"table must hold a permuted stream; got only {shown(original)}")
    wide = frame.pivot(index=["stream", "seed"], columns="learner", values=measure)
    wide = wide[frame["learner"].unique()].replace([np.inf, -np.inf], NAN)
    return wide, [name for name in streams if name != original]


def _learner_row(
    errors: pd.DataFrame, base: pd.DataFrame, learner: Any, kind: Any
) -> dict[str, Any]:
    runs, before = errors[learner].dropna(), base[learner].dropna()
    change = (runs - before).dropna()
    return {
        "learner": learner,
        "kind": kind,
        "runs": len(runs),
        "error": runs.mean(),
        "sd": runs.std(),
        "original_error": before.mean(),
        "original_sd": before.std(),
        "reaction": change.mean(),
        "reaction_standard_error": change.std() / np.sqrt(len(change)) if len(change) else NAN,
    }


def _kind_row(errors: pd.DataFrame, base: pd.DataFrame, kind: Any) -> dict[str, Any]:
    present = errors.dropna(axis=1, how="all").dropna()
    names = list(present.columns)
    row = {"kind": kind, "runs": len(present), "learners": len(names), "kendall_w": NAN}
    row |= {"n_rankings": 0, "ranking": "", "ranking_share": NAN, "as_original": NAN}
    if present.empty:
        return row
    ranks = rankings(present)
    distinct, counts = np.unique(ranks, axis=0, return_counts=True)
    most = int(counts.argmax())
    row |= {"kendall_w": kendall_w(present), "n_rankings": len(distinct)}
    row |= {"ranking": _text(names, distinct[most]), "ranking_share": counts[most] / len(ranks)}
    both = base[names].dropna().reindex(present.index).dropna()
    if len(both):
        same = rankings(both) == rankings(present.loc[both.index])
        row["as_original"] = float(same.all(axis=1).mean())
    return row


def _text(names: list[Any], ranks: np.ndarray[Any, Any]) -> str:
    """Names from the best to the worst, with "<" between them, or "=" between equals."""
    order = np.argsort(ranks, kind="stable")
    pieces: Iterator[str] = (
        ("" if i == 0 else " = " if ranks[j] == ranks[order[i - 1]] else " < ") + str(names[j])
        for i, j in enumerate(order)
    )
    return "".join(pieces)


def _pair_row(
    errors: pd.DataFrame, base: pd.DataFrame, pair: tuple[Any, Any], kind: Any
) -> dict[str, Any]:
    first, second = pair
    differences = (errors[first] - errors[second]).dropna()
    before = (base[first] - base[second]).dropna()
    both = differences.index.intersection(before.index)
    values = [
        *(first, second, kind, len(differences), differences.mean(), differences.std()),
        before.mean(),
        switch_probability(differences[both], before[both]) if len(both) else NAN,
        rank_disagreement(differences) if len(differences) else NAN,
    ]
    return dict(zip(PAIR, values, strict=True))
