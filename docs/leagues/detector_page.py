"""The part of docs/league.md about detectors."""

from __future__ import annotations

import pandas as pd

from leagues.detectors import ARL0, CALIBRATION, EXCLUDED, FAMILIES, KINDS, SEEDS
from leagues.injected_page import injected_part
from leagues.markdown import listed, number, rounded, table, with_error
from repro.judge._detector.losses import INDEPENDENT, LEVELS, REAL, SIZES, TOLERANCE, WIDTH

__all__ = ["detectors_part"]

TEXT = """
## Detectors

A detector that alarms more often detects sooner, so detectors are compared at the same rate of
false alarms. Of each, that value of one parameter is searched at which it alarms once in {arl0}
losses without a change; everything else has its default. It is then measured on other losses
without a change (*losses per false alarm*), and on losses whose error rate rises suddenly,
gradually or incrementally. *ARL1* is the number of losses waited for one detection; *missed* is the
share of the changes, in percent, without an alarm until {tolerance} examples after their end. A
missed change lengthens ARL1 and is never a delay of 0: `repro.metrics.detection_report` defines
both. The order is that of ARL1 at sudden changes. ± is the standard error over the runs, which
have {seeds} seeds; the parameter is found with {calibration} others.

{independent}

{real}
{injected}
{excluded} KSWIN runs in code of ours, which computes each result of its test once: it draws and
alarms as that of river, and a test compares them.

What not to conclude: at another rate of false alarms, on other error rates, or with another of its
parameters, a detector may have another place. Losses of a learner depend on each other, so that a
parameter found on independent ones gives another rate there.

`python docs/make_league.py --only detectors` makes these tables. Your own detector beside others:
`python -m repro judge detector yourpackage.module:YourDetector`.
"""
HEADS = {
    INDEPENDENT: (
        "### On independent losses\n\n"
        "Without a change, the probability of a loss is {levels}; changes go from {sizes}. Slow "
        "ones take {width} losses."
    ),
    REAL: (
        "### On the losses of a learner\n\n"
        "A Hoeffding tree on the streams of [notebook 03](../notebooks/03_drift_detection.ipynb), "
        "Section 3.14. It learns on, so that the rise of its error rate passes."
    ),
}


def detectors_part(alarms: pd.DataFrame, real: pd.DataFrame) -> str:
    """The part of the page.

    Parameters
    ----------
    alarms : table of `leagues.detectors`.
    real : table of `leagues.injected`, of streams of real data.
    """
    sizes = ", ".join(f"{before} to {after}" for before, after in SIZES)
    told = {"levels": " or ".join(map(str, LEVELS)), "sizes": sizes, "width": rounded(2 * WIDTH)}
    parts = {}
    for losses, head in HEADS.items():
        found = head.format(**told), _table(alarms, losses), _absent(alarms, losses)
        parts[losses] = "\n\n".join(filter(None, found))
    return TEXT.format(
        arl0=rounded(ARL0),
        tolerance=rounded(TOLERANCE),
        seeds=len(SEEDS),
        calibration=len(CALIBRATION),
        independent=parts[INDEPENDENT],
        real=parts[REAL],
        injected=injected_part(real),
        excluded="\n".join(
            f"`{name}` of river is left out: it {w}." for name, w in EXCLUDED.items()
        ),
    )


def _table(alarms: pd.DataFrame, losses: str) -> str:
    own = alarms[(alarms["losses"] == losses) & (alarms["failure"] == "")]
    own = own.sort_values("ARL1, sudden", kind="stable")
    head = ["detector", "with", "losses per false alarm"]
    head += [f"{what}, {kind}" for kind in KINDS for what in ("ARL1", "missed")]
    rows = []
    for _, row in own.iterrows():
        cells = [row["detector"], f"`{row['parameter']}={row['value']:.4g}`"]
        cells.append(_waited(row, "MTFA"))
        for kind in KINDS:
            missed = 100 * row[f"missed, {kind}"], 100 * row[f"missed ± s.e., {kind}"]
            cells += [_waited(row, "ARL1", f", {kind}"), with_error(*missed, 0)]
        rows.append(cells)
    return table(head, rows, left=2) if rows else ""


def _waited(row: pd.Series, name: str, kind: str = "") -> str:
    value, error = row[f"{name}{kind}"], row[f"{name} ± s.e.{kind}"]
    return f"{number(value, 0)} ± {number(error, 0)}" if error == error else number(value, 0)


def _absent(alarms: pd.DataFrame, losses: str) -> str:
    """Sentences on detectors without a row, and on those that failed."""
    own = alarms[alarms["losses"] == losses].set_index("detector")
    waiting = [name for name in FAMILIES if name not in own.index]
    lines = [f"Not run yet: {listed(waiting)}."] if waiting else []
    failed = own[own["failure"] != ""]["failure"]
    lines += [f"{name} has no place: {why}." for name, why in failed.items()]
    return "\n".join(lines)
