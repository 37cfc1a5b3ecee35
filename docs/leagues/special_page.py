"""The part of docs/league.md about rare classes and late labels."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from leagues.markdown import listed, number, rounded, table, with_error
from leagues.special import DELAY, LATE, MEASURES, RARE
from leagues.standings import COLUMNS, excesses, finished

__all__ = ["special_part"]

TEXT = """
## Rare classes

Where a class is rare, the error says little: whoever never predicts it errs in few examples. On
{rare} the class 1 has about 3 or 4 % of the examples (in SEA 3 and 5.4 % in turn; in the label
chain labels depend on the labels before). *Recall* is that of the rare class, *G-mean* the root of
the product of the recalls, *AUC* the area under the ROC curve of the shares of votes, *kappa*
Cohen's, *Brier* the mean squared difference between the share of the rare class and the label.
All are means over the streams, with the standard error over {seeds} seeds where a learner has as
many. The order is that of the G-mean. The optimum here is that for the error, of those who know the
attributes alone: a learner may have a greater G-mean, and in the label chain one that uses the
label before has fewer errors.

{rare_table}

## Late labels

On {late} each label is learned only when {delay} more examples were predicted. *Excess* is the
error above that of the optimum, in points; *prompt* is the excess of the same learner on the same
draws where labels come at once.

{late_table}

{absent}

`python docs/make_league.py --only special --seeds 3 --cap 60` makes these tables.
"""


def special_part(rows: pd.DataFrame, runs: pd.DataFrame, names: Sequence[str]) -> str:
    """The part of the page; "" without a run.

    Parameters
    ----------
    rows : table of `leagues.special`.
    runs : of the league, for what prompt labels give.
    names : of all learners of the league.
    """
    if not len(rows):
        return ""
    good = rows[rows["failure"] == ""]
    failed = rows[rows["failure"] != ""].groupby("learner")["failure"].first()
    waiting = [name for name in names if name not in set(rows["learner"])]
    lines = [f"Not run yet: {listed(waiting)}."] if waiting else []
    seeds = good.groupby("learner")["seed"].nunique()
    for n, few in seeds[seeds < seeds.max()].groupby(seeds):
        what = "a single seed, so without a standard error" if n == 1 else f"{n} seeds"
        lines.append(f"With {what}: {listed(sorted(few.index))}.")
    lines += [f"{name} has failed somewhere: {why}" for name, why in failed.items()]
    return TEXT.format(
        rare=listed([*RARE]),
        late=listed([*LATE]),
        delay=rounded(DELAY),
        seeds=good["seed"].nunique(),
        rare_table=_rare(good[good["league"] == "rare"]),
        late_table=_late(good[good["league"] == "late"], runs),
        absent="\n".join(lines),
    )


def _rare(rows: pd.DataFrame) -> str:
    by_seed = finished(rows, [*RARE]).groupby(["learner", "seed"])[MEASURES].mean()
    mean, error = by_seed.groupby("learner").mean(), by_seed.groupby("learner").sem()
    order = mean.sort_values("G-mean", ascending=False, kind="stable").index
    lines = [[n, *(with_error(mean.at[n, m], error.at[n, m], 3) for m in MEASURES)] for n in order]
    return table(["learner", *MEASURES], lines)


def _late(rows: pd.DataFrame, runs: pd.DataFrame) -> str:
    late, at_once = (_excess(part) for part in (rows, runs))
    mean, error = late.groupby("learner").mean(), late.groupby("learner").sem()
    shared = at_once.reindex(late.index).groupby("learner").agg(lambda x: x.mean(skipna=False))
    order = mean.sort_values(kind="stable").index
    found = pd.DataFrame({"mean": mean, "error": error, "prompt": shared}).loc[order] * 100
    cells = [
        [name, with_error(row["mean"], row["error"]), number(row["prompt"])]
        for name, row in found.iterrows()
    ]
    return table(["learner", "excess", "prompt"], cells)


def _excess(rows: pd.DataFrame) -> pd.Series:
    """Mean excess over the streams with late labels, by learner and seed."""
    whole = finished(excesses(rows.reindex(columns=COLUMNS)), [*LATE])
    return whole.groupby(["learner", "seed"])["excess"].mean()
