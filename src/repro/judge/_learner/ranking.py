"""Ranks over the streams: Friedman's test, and the critical-difference diagram."""

from __future__ import annotations

import numpy as np
import pandas as pd

from repro import _folders
from repro.figures import panels
from repro.judge._learner.runs import Runs
from repro.judge._learner.tables import mean_ranks
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section
from repro.statistics.estimates import LEVEL
from repro.statistics.ranks import nemenyi, rank_test, ranks

__all__ = ["rank_section", "told_from"]

LEAST = 3  # streams, and learners, of the tests
TIE_BREAK = 1e-9  # of mean ranks, invisible in the diagram


def rank_section(runs: Runs) -> Section:
    """Section on the ranks: Friedman's test, and the critical-difference diagram."""
    errors = runs.errors[list(runs.entrants.learners)]
    by_stream, means = ranks(errors), mean_ranks(runs)
    n, k = by_stream.shape
    failed = [name for name in errors if errors[name].isna().any()]
    text = f"Mean rank over {n} stream{'s' * (n > 1)} of the mean error over the seeds; 1 is best."
    if failed:
        text += f" A learner that fails on a stream is last there: {sentence(failed)}."
    table = means.to_frame("rank").join(by_stream.T).rename_axis("learner").sort_values("rank")
    if n < LEAST or k < LEAST:
        text += " Friedman's test needs at least 3 streams and 3 learners."
        return Section("ranks", "Ranks", text, table)
    test = rank_test(by_stream)
    differ = "the learners differ" if test.p_value < LEVEL else "the learners cannot be told apart"
    text += (
        f" Friedman's test of equal learners: chi-squared {test.statistic:.1f} with {test.df} "
        f"degrees of freedom, p = {test.p_value:.2g}: {differ}. Mean ranks less than "
        f"{test.critical_difference:.2f} apart are not told apart by Nemenyi's test at level 0.05; "
        "with few streams it tells only large differences. The draws of different streams are "
        "independent, as these tests ask for."
    )
    if (ax := _diagram(means, by_stream)) is None:
        text += (
            "\n\nThe critical-difference diagram needs scikit-posthocs: "
            f"{_folders.install_command('judge')}"
        )
        return Section("ranks", "Ranks", text, table)
    order = means.sort_values()
    alt = (
        "Critical-difference diagram: learners on an axis of mean ranks, from "
        f"{order.index[0]} ({order.iloc[0]:.1f}) to {order.index[-1]} ({order.iloc[-1]:.1f}); "
        "bars join learners that Nemenyi's test does not tell apart."
    )
    return Section("ranks", "Ranks", text, table, ax.get_figure(root=True), alt)


def told_from(runs: Runs, name: str) -> list[str] | None:
    """The learners whose mean rank Nemenyi's test tells from that of `name`; None: no test."""
    by_stream = ranks(runs.errors[list(runs.entrants.learners)])
    if min(by_stream.shape) < LEAST:
        return None
    p = nemenyi(by_stream)[name]
    return [other for other in p.index if p[other] < LEVEL]


def _diagram(means: pd.Series, by_stream: pd.DataFrame):  # type: ignore[no-untyped-def]
    """The axes of the diagram; None without scikit-posthocs."""
    try:
        import scikit_posthocs
    except ModuleNotFoundError:
        return None
    p = nemenyi(by_stream).rename(index=label, columns=label)
    # The bars come from sets, whose order is that of hashes: ranks without ties put the bars in
    # order, and sorted points draw each of them in the same way in every process.
    means = means.rename(label).sort_index().sort_values(kind="stable")
    means += TIE_BREAK * np.arange(len(means))
    title = "Mean ranks; bars join what is not told apart"
    ax = panels([title], size=(8.0, 0.6 + 0.28 * len(p)))[0]
    labels = {"label_fmt_left": "{label} ({rank:.1f})", "label_fmt_right": "({rank:.1f}) {label}"}
    looks = {"crossbar_props": {"color": "black"}, "color_palette": ["gray"] * len(p)}
    drawn = scikit_posthocs.critical_difference_diagram(means, p, ax=ax, **labels, **looks)
    for line in (line for lines in drawn["crossbars"] for line in lines):
        line.set_xdata(np.sort(line.get_xdata()))
    for text in ax.texts:
        text.set_color("black")
    return ax
