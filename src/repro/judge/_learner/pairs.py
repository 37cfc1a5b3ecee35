"""Your models beside each other learner: differences on the same draws, and what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from repro.judge._learner.runs import Runs
from repro.judge._learner.tables import MEAN, over_streams
from repro.judge._report.cells import with_error
from repro.judge.section import Section
from repro.statistics.estimates import LEVEL, PointEstimate
from repro.statistics.multiple import holm
from repro.statistics.power import paired_power

__all__ = ["EQUAL", "LESS", "MORE", "OPEN", "comparisons", "paired_section", "seeds_to_see"]

LESS, MORE, EQUAL, OPEN = "errs less", "errs more", "practically equal", "cannot tell"
POWER = 0.8
MOST_SEEDS = 10_000


def comparisons(runs: Runs, margin: float) -> pd.DataFrame:
    """Each of your models with each other learner, on each stream and over all streams.

    Columns: model, other, stream, draws that both ran, difference (error of the model minus that of
    the other, in points) with its standard error, the ends `low` and `high` of its interval, p
    (Student's paired test) and p after Holm's correction, the effect size (mean over standard
    deviation of the difference on a draw), the verdict, and the draws that would show a difference
    of `margin` points with a power of 80 %.

    The intervals hold together for the comparisons of one model on one stream (Bonferroni), and so
    do the p-values (Holm). Inside of the margin the two are "practically equal".
    """
    rows = [row for model in runs.entrants.mine for row in _rows(runs, model, margin)]
    table = pd.DataFrame(rows, columns=list(_row(runs, ("", "", ""), {}, 1, 0.0)))
    grouped = table.groupby(["model", "stream"])["p"]
    table.insert(list(table).index("p") + 1, "p, Holm", grouped.transform(holm) if rows else [])
    is_real = (table["p, Holm"] < LEVEL) & (table["verdict"] == OPEN)
    table.loc[is_real, "verdict"] = np.where(table["difference"] < 0, LESS, MORE)[is_real]
    return table


def _rows(runs: Runs, model: str, margin: float) -> list[dict[str, Any]]:
    others = [name for name in runs.entrants.learners if name != model]
    rows = []
    for other in others:
        of = {name: frame[model] - frame[other] for name, frame in runs.repeats.items()}
        parts = {name: {name: values} for name, values in of.items()}
        if len(of) > 1:
            parts[MEAN] = of
        names = {stream: (model, other, stream) for stream in parts}
        rows += [_row(runs, names[s], part, len(others), margin) for s, part in parts.items()]
    return rows


def _row(
    runs: Runs, names: tuple[str, str, str], of: dict[str, pd.Series], m: int, margin: float
) -> dict[str, Any]:
    estimate = over_streams(runs, of) if of else PointEstimate(np.nan, np.nan)
    level = LEVEL / m
    low, high = estimate.interval(level)
    draws = min((int(v.notna().sum()) for s, v in of.items() if s in runs.drawn), default=1)
    deviation = estimate.standard_error * draws**0.5 if draws > 1 else np.nan
    inside = -margin < low and high < margin
    return {
        **dict(zip(("model", "other", "stream"), names, strict=True)),
        "draws": draws,
        **with_error("difference", estimate),
        "low": low,
        "high": high,
        "p": estimate.p_value,
        "effect size": estimate.value / deviation if deviation > 0 else np.nan,
        "verdict": EQUAL if inside else OPEN,
        "draws to see the margin": seeds_to_see(margin, deviation, level),
    }


def seeds_to_see(difference: float, deviation: float, level: float = LEVEL) -> float:
    """Draws with which Student's paired test shows a `difference` with a power of 80 %.

    `deviation` is that of the difference on a draw. The result is nan where that is unknown, or 0:
    a few draws that differ equally say nothing of how others would. It is inf for more than 10 000
    draws.

    >>> seeds_to_see(1.0, 1.0)
    10.0
    """
    if not (deviation > 0 and difference > 0):
        return float("nan")
    low, high = 1, 2
    while paired_power(difference, deviation, high, 1 - level) < POWER:
        low, high = high, 2 * high
        if low > MOST_SEEDS:
            return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = paired_power(difference, deviation, middle, 1 - level) >= POWER
        low, high = (low, middle) if is_enough else (middle, high)
    return float(high)


def paired_section(runs: Runs, table: pd.DataFrame, margin: float) -> Section:
    """Section on the paired tests of your models, on each stream and over them."""
    text = (
        "Difference of the errors on the same draws, in points: negative where your model errs "
        "less. Tests are Student's over the draws, two-sided, with Holm's correction for the "
        f"comparisons of one model on one stream, at level {LEVEL:g}; low and high are the ends of "
        "intervals that hold for these comparisons together. Practically equal: the interval lies "
        f"within the margin, {margin:g} points. Effect size: the mean difference over its standard "
        "deviation on a draw. Draws to see the margin: with so many, a difference of the margin "
        f"would be shown with a power of {POWER:.0%}."
    )
    if len(runs.drawn) < len(runs.streams):
        text += (
            " A stream that exists only once is tested over 20 stretches of it: exact for learners "
            "that forget within a stretch, a guide for others."
        )
    over_all = table[table["stream"] == MEAN]
    if len(over_all):
        text += (
            f' Rows with the stream "{MEAN}" are about the mean over these {len(runs.streams)} '
            "streams, each with the same weight, and not about others."
        )
        table = pd.concat([over_all, table.drop(over_all.index)])
    return Section("tests", "Paired tests", text, table.reset_index(drop=True))
