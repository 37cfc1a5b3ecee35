"""The part of docs/league.md about detectors on real streams."""

from __future__ import annotations

import numpy as np
import pandas as pd

from leagues.detectors import ARL0, FAMILIES
from leagues.injected import CHANGES, LONGEST, PER_KIND, PLACES, TOLERANCE, measures
from leagues.markdown import listed, number, rounded, table

__all__ = ["injected_part"]

TEXT = """
### On real streams with a drift put in

In streams of real data nobody knows where drift is. Here it is put in: at {places} places of each
stream `repro.streams.injected` changes the priors of the classes (of all but one a quarter
remains), exchanges the labels of two classes, exchanges attributes, or lets only examples with some
values of one attribute pass. The losses are those of a Hoeffding tree that learns on. The streams
are the first {longest} examples of {sets}.{missing}

The parameter of a detector is that with which it alarms once in {arl0} losses of *the other
streams*, without a drift put in; *false alarms* are those in {arl0} losses of the stream itself.
The streams have drift of their own, at which a detector may rightly alarm: a false alarm here is
one where nothing was put in. A drift is *missed*, in percent, without an alarm until {tolerance}
examples after it; *delay* is the mean number of examples until the alarm, of those detected. The
order is that of the misses. ± is a standard error, by leaving out one stream at a time, where that
gives one: {n_sets} streams say little of others. Only detectors with equally many false alarms can
be compared; `random alarms` shows what no look at the losses gives.

{rows}

{absent}

*F1* is there for those who compare with the literature: twice the detected drifts, divided by
twice these, the missed and the false alarms. It depends on how often a stream drifts: each run here
has one drift in up to {longest} examples. In streams of half the length a detector with the same
delays, misses and rate of false alarms has half the false alarms for each drift, and a larger F1.
So F1 of different streams cannot be compared; *false alarms* and *missed* can.
"""


def injected_part(rows: pd.DataFrame) -> str:
    """The part of the page.

    Parameters
    ----------
    rows : table of `leagues.injected`.
    """
    known = list(dict.fromkeys(rows["stream"]))
    if not known:
        return ""
    fine = rows[rows["failure"] == ""]
    there = {name: set(fine[fine["stream"] == name]["kind"]) for name in known}
    lacking = {name: [k for k in CHANGES if k not in there[name]] for name in known}
    sentences = [
        f" `{name}` cannot have a drift of {listed(kinds)}."
        for name, kinds in lacking.items()
        if kinds
    ]
    return TEXT.format(
        places=len(PLACES),
        longest=rounded(LONGEST),
        sets=listed([f"`{name}`" for name in known]),
        missing="".join(sentences),
        arl0=rounded(ARL0),
        tolerance=rounded(TOLERANCE),
        n_sets=len(known),
        rows=_table(fine, known),
        absent=_absent(rows, known),
    )


def _table(rows: pd.DataFrame, known: list[str]) -> str:
    """A line for each detector with numbers on all streams, by its misses."""
    lines = []
    for name, own in rows.groupby("detector"):
        if set(own["stream"]) == set(known):
            values, without = measures(own), [measures(own[own["stream"] != s]) for s in known]
            parts = pd.DataFrame(without)
            with np.errstate(invalid="ignore"):
                errors = np.sqrt((len(known) - 1) * parts.var(ddof=0, skipna=False))
            lines.append((name, values, errors))
    lines.sort(key=lambda line: line[1][[f"missed, {kind}" for kind in CHANGES]].mean())
    head = [
        "detector",
        "false alarms",
        *(f"{what}, {kind}" for kind in CHANGES for what in PER_KIND),
    ]
    forms = {"missed": (100, 0), "delay": (1, 0), "F1": (1, 2)}
    cells = [
        [name, _cell(values, errors, "false alarms", 1, 1)]
        + [_cell(values, errors, f"{w}, {k}", *forms[w]) for k in CHANGES for w in PER_KIND]
        for name, values, errors in lines
    ]
    return table(head, cells) if cells else ""


def _cell(values: pd.Series, errors: pd.Series, name: str, unit: int, digits: int) -> str:
    value, error = unit * values[name], unit * errors[name]
    shown = number(value, digits)
    return f"{shown} ± {number(error, digits)}" if error > 0 else shown


def _absent(rows: pd.DataFrame, known: list[str]) -> str:
    """Sentences on detectors without rows, and on those that failed on a stream."""
    waiting = [name for name in FAMILIES if name not in set(rows["detector"])]
    lines = [f"Not run yet: {listed(waiting)}."] if waiting else []
    failed = rows[rows["failure"] != ""]
    for name, own in failed.groupby("detector"):
        where, why = own[["stream", "failure"]].to_numpy()[0]
        lines.append(
            f"{name} has no line: it failed on {len(own)} of {len(known)} streams (on "
            f"{where}: {why})."
        )
    return "\n".join(lines)
