"""When could the two best learners be told apart? A section on comparisons at any time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from repro.judge._learner.runs import Runs
from repro.judge._report.shared import sentence
from repro.judge.section import Section
from repro.statistics.anytime import told_apart

__all__ = ["any_time_section"]

LOOKS = 1000  # along a draw, in equal ratios


def any_time_section(runs: Runs, order: list[str]) -> Section | None:
    """Section on the first two in `order`, which is by rank; None if there is one learner."""
    two = [name for name in order if name in runs.entrants.learners][:2]
    if len(two) < 2:
        return None
    rows = [row for name in runs.streams for row in _on(runs, name, two)]
    columns = ["stream", "draws", "told apart", "half of them by", *(f"{k} ahead" for k in two)]
    table = pd.DataFrame(rows, columns=columns)
    text = (
        f"{two[0]} and {two[1]} have the lowest mean ranks. A draw tells them apart where the 95 % "
        "confidence sequence of the mean difference of their losses leaves out 0. It holds at all "
        "times at once, so that one may look at any time and stop; "
        f"it is looked at {LOOKS} times here. Half of the draws that tell them apart do so by the "
        "example shown."
    )
    every = table.loc[table["told apart"] == table["draws"], "stream"]
    none = table.loc[table["told apart"] == 0, "stream"]
    if len(every):
        text += f" Each draw of {sentence(every)} tells them apart."
    if len(none):
        text += f" No draw of {sentence(none)} does."
    return Section("any_time", "When could the two best be told apart?", text, table)


def _on(runs: Runs, stream: str, two: list[str]) -> Iterator[tuple[object, ...]]:
    one, other = (runs.losses(name, stream) for name in two)
    draws = min(len(one), len(other))
    firsts, ahead = [], dict.fromkeys(two, 0)
    for difference in one[:draws] - other[:draws]:
        at = np.unique(np.geomspace(1, difference.size, LOOKS).round().astype(np.int64))
        told = told_apart(difference, at)
        if told[-1]:
            firsts.append(int(at[told.argmax()]))
            ahead[two[int(difference[: firsts[-1]].sum() > 0)]] += 1
    half = int(np.median(firsts)) if firsts else None
    yield (stream, draws, len(firsts), half, *ahead.values())
