"""What each drift does to the learners: does the error rise, does it come back, and when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from repro import seeds
from repro.figures import panels, plot_error, shared_legend
from repro.judge._learner.runs import WINDOW, Runs
from repro.judge._report.cells import with_error
from repro.judge._report.shared import bonferroni, label, sentence
from repro.judge.section import Section
from repro.statistics.estimates import LEVEL
from repro.statistics.recovery_times import RecoveryTime, recovery_time

__all__ = ["MARGIN", "Recoveries", "drifts_of", "recoveries_of", "recovery_section"]

MARGIN = 0.02  # excess above that before the drift that counts as recovered
MOST_DRIFTS = 12  # of a stream

#: (stream, drift, learner) -> what the drift does to the learner
Recoveries = dict[tuple[str, int, str], RecoveryTime]


def recoveries_of(runs: Runs) -> Recoveries:
    """Every learner but the baselines at every drift, from the losses on all draws.

    From the losses those of the optimum on the same examples are subtracted, where it is known.
    """
    found: Recoveries = {}
    for stream, draw in runs.draws.items():
        places = [0, *draw.drifts, len(draw)]
        parts = list(zip(places, places[1:], places[2:], strict=False))[:MOST_DRIFTS]
        for name in runs.entrants.learners if parts else ():
            excess = runs.losses(name, stream)
            if name in runs.entrants.baselines or not len(excess):
                continue
            if stream in runs.with_optimum:
                excess -= runs.losses(runs.entrants.optimal, stream)
            for start, at, stop in parts:
                rng = seeds.generator(runs.seeds[0], "judge", "recovery", stream, str(at), name)
                how: dict[str, Any] = {"start": start, "stop": stop, "margin": MARGIN}
                found[stream, at, name] = recovery_time(excess, at, rng, **how)
    return found


def drifts_of(found: Recoveries) -> set[tuple[str, int]]:
    """Stream and position of each drift: what is said of all of them holds together."""
    return {(stream, at) for stream, at, _ in found}


def recovery_section(runs: Runs, found: Recoveries, shown: list[str]) -> Section | None:
    """Section on the drifts; None for streams without one. `shown`: learners drawn."""
    if not found:
        return None
    kind = "excess error" if runs.with_optimum else "error"
    text = (
        f"Rise: the {kind} after the drift minus that before it, over 30, 100, 300, 1000 or 3000 "
        "examples, whichever shows it most clearly; p: of no rise, corrected for these five and "
        f"the number of drifts, {len(drifts_of(found))} (Bonferroni). Left: "
        "the same for the last quarter before the next drift, or the end. Back after: when the "
        f"mean over the draws, fitted by a falling curve and not by a window, is within "
        f"{100 * MARGIN:.0f} points of that before the drift (∞: never), with the interval of 95 % "
        "from resampled draws. A dash: too few draws for it."
    )
    at_places: dict[str, list[int]] = {}
    for stream, at, _ in found:
        at_places.setdefault(stream, []).append(at)
    names = list(at_places)[:6]
    axes = panels([label(name) for name in names])
    for ax, name in zip(axes, names, strict=True):
        _draw(runs, name, sorted(set(at_places[name])), shown, ax)
    alt = (
        f"Sliding error of {sentence(shown)} around the drifts (dotted lines) of "
        f"{sentence(names)}; the dashed line is the optimum where it is known."
    )
    title = "Recovery after each drift"
    return Section("recovery", title, text, _table(found), shared_legend(axes[0]), alt)


def _table(found: Recoveries) -> pd.DataFrame:
    rows, n_drifts = [], len(drifts_of(found))
    for (stream, at, name), recovery in found.items():
        row: dict[str, Any] = {"stream": stream, "drift at": at, "learner": name}
        row |= with_error("rise [points]", [100 * v for v in recovery.rise[:2]])
        p = bonferroni(recovery.p_value, n_drifts)
        row |= {"over [examples]": recovery.scale, "p": p}
        row |= with_error("left [points]", [100 * v for v in recovery.left[:2]])
        back = (recovery.examples, recovery.low, recovery.high)
        if p > LEVEL:
            back = (np.nan, np.nan, np.nan)
        names = "back after [examples]", "at least", "at most"
        rows.append(row | dict(zip(names, back, strict=True)))
    return pd.DataFrame(rows)


def _draw(runs: Runs, name: str, at: list[int], shown: list[str], ax: Any) -> None:
    n = len(runs.draws[name])
    reach = max(4 * WINDOW, n // 20)
    start, stop = max(0, min(at) - reach // 2), min(n, max(at) + reach)
    curves, truth = runs.curves_and_truth(shown, name)
    plot_error(curves, **truth, drift_at=at, start=start, stop=stop, yscale="symlog", ax=ax)
