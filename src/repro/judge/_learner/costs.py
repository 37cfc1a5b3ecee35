"""Sections: memory and time, failures, and each run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from repro.figures import panels, plot_curves, shared_legend
from repro.judge._learner.growth import LONGEST
from repro.judge._learner.runs import Runs
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section

__all__ = ["cost_section", "failure_section", "run_section"]


def cost_section(runs: Runs, table: pd.DataFrame, shown: list[str]) -> Section:
    """Section with memory and time: columns of the main `table`, and along a stream for `shown`."""
    stream = next(iter(runs.streams))
    text = (
        "Memory: the largest at the end of a run. That of our learners is exact; that of other "
        f"models is the size of the pickled model after the first {LONGEST:,} examples of "
        f"{stream} at most (a dash: it cannot be pickled). Time: predicting and learning one "
        "example, as measured when each run was made, maybe by an earlier call, beside whatever "
        "else the machine did, other runs included. It depends on the machine, and no verdict "
        f"rests on it. The figure shows both along the first draw of {stream}, run once more now."
    )
    columns = [name for name in table if name.startswith(("memory", "time"))]
    costs = table.loc[list(runs.entrants.learners), columns]
    figure, alt = _growth(runs, shown, stream)
    ordered = costs.sort_values(columns[1])
    return Section("cost", "Memory and time", text, ordered, figure, alt)


def run_section(runs: Runs) -> Section:
    """Section with the error of each run, for tests of your own."""
    rows = runs.table.pivot(index=["stream", "seed"], columns="learner", values="error")
    names = [*runs.entrants.learners, *([runs.entrants.optimal] if runs.with_optimum else [])]
    frame = 100 * rows.reindex(index=list(runs.streams), level="stream")[names].astype(float)
    text = (
        "Error of each run in percent, one row for each draw. The draws of different streams are "
        "independent: that of seed i on the stream called name is stream.sample("
        "repro.seeds.integer(i, 'judge', name)). A dash: the run failed."
    )
    return Section("runs", "Each run", text, frame.reset_index())


def _growth(runs: Runs, shown: list[str], stream: str) -> tuple[Figure, str]:
    """Memory and time of the learners `shown` along the stream, and the same in words."""
    sizes = {name: runs.growth(name).size / 1024 for name in shown}
    times = {name: 1e6 * runs.growth(name).seconds for name in shown}
    x = runs.growth(shown[0]).examples
    axes = panels(["Memory", "Time"])
    look: dict[str, Any] = {"x": x, "xlabel": "Examples learned", "yscale": "log"}
    for ax, curves, ylabel in (
        (axes[0], sizes, "Memory [KiB]"),
        (axes[1], times, "Time for an example [µs]"),
    ):
        plot_curves({label(name): c for name, c in curves.items()}, ylabel=ylabel, ax=ax, **look)
    ends = [f"{name} {sizes[name][-1]:,.3g} KiB" for name in sizes if np.isfinite(sizes[name][-1])]
    alt = f"Memory and time along {stream}; memory at the end: {sentence(ends)}."
    return shared_legend(axes[0]), alt


def failure_section(runs: Runs) -> Section | None:
    """Section with the runs that failed, one line for each error; None if none did."""
    if runs.failures.empty:
        return None
    lines = [
        f"{row.learner}: {row.failure}; {row.runs} runs, on {row.streams}."
        for row in runs.failures.itertuples()
    ]
    text = (
        "These runs stopped. A draw on which a learner stopped is left out for all; a learner that "
        "stopped on more than half of the draws of a stream counts as last there.\n\n"
    ) + "\n\n".join(lines)
    return Section("failures", "Failures", text, runs.failures)
