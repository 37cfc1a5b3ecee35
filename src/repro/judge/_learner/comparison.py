"""Are the differences real? Ranks over the streams, and paired tests over the seeds, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from repro import _folders
from repro.figures import panels
from repro.judge._learner.runs import Runs
from repro.judge._learner.tables import MEAN, mean_ranks
from repro.judge._report.shared import label, sentence
from repro.judge.section import Section
from repro.statistics.estimates import LEVEL
from repro.statistics.multiple import LEAST_PAIRS
from repro.statistics.ranks import nemenyi, rank_test, ranks

__all__ = ["paired_section", "rank_section"]

TIE_BREAK = 1e-9  # of mean ranks, invisible in the diagram


def paired_section(runs: Runs, table: pd.DataFrame) -> Section:
    """Section on the paired tests of your models."""
    rows = table[table["stream"] == MEAN] if (table["stream"] == MEAN).any() else table
    counted = [_counts(table, row.model, row.other) for row in rows.itertuples()]
    shown = rows.reset_index(drop=True)
    if (table["stream"] == MEAN).any():
        shown = shown.drop(columns="stream").join(pd.DataFrame(counted))
    text = (
        "Difference of the errors on the same draws, in points: negative where your model errs "
        "less. Wilcoxon's signed-rank test over the seeds, two-sided, with Holm's correction for "
        f"the comparisons of one model on one stream, at level {LEVEL}."
    )
    if len(runs.seeds) < LEAST_PAIRS:
        text += (
            f" With {len(runs.seeds)} seeds that test cannot reject, so there is none: it needs "
            f"at least {LEAST_PAIRS}."
        )
    if len(runs.drawn) < len(runs.streams):
        text += (
            " A stream that exists only once has no such test: its standard errors are those of "
            "means over 20 stretches of it."
        )
    return Section("tests", "Paired tests", text, shown)


def _counts(table: pd.DataFrame, model: str, other: str) -> dict[str, int]:
    tests = table[(table["model"] == model) & (table["other"] == other) & (table["stream"] != MEAN)]
    is_real = tests["p, Holm"] < LEVEL
    return {
        "streams better": int((is_real & (tests["difference"] < 0)).sum()),
        "streams worse": int((is_real & (tests["difference"] > 0)).sum()),
        "streams undecided": int((~is_real).sum()),
    }


def rank_section(runs: Runs) -> Section:
    """Section on the ranks: Friedman's test, and the critical-difference diagram."""
    errors = runs.errors[list(runs.entrants.learners)]
    by_stream, means = ranks(errors), mean_ranks(runs)
    n, k = by_stream.shape
    failed = [name for name in errors if errors[name].isna().any()]
    text = f"Mean rank over {n} streams of the mean error over the seeds; 1 is best."
    if failed:
        text += f" A learner that fails on a stream is last there: {sentence(failed)}."
    table = means.join(by_stream.T).rename_axis("learner").sort_values("rank")
    if n < 3 or k < 3:
        text += " Friedman's test needs at least 3 streams and 3 learners."
        return Section("ranks", "Ranks", text, table)
    test = rank_test(by_stream)
    differ = "the learners differ" if test.p_value < LEVEL else "the learners cannot be told apart"
    text += (
        f" Friedman's test of equal learners: chi-squared {test.statistic:.1f} with {test.df} "
        f"degrees of freedom, p = {test.p_value:.2g}: {differ}. Mean ranks less than "
        f"{test.critical_difference:.2f} apart are not told apart by Nemenyi's test at level 0.05; "
        "with few streams it tells only large differences."
    )
    if (ax := _diagram(means["rank"], by_stream)) is None:
        text += (
            "\n\nThe critical-difference diagram needs scikit-posthocs: "
            f"{_folders.install_command('judge')}"
        )
        return Section("ranks", "Ranks", text, table)
    order = means["rank"].sort_values()
    alt = (
        "Critical-difference diagram: learners on an axis of mean ranks, from "
        f"{order.index[0]} ({order.iloc[0]:.1f}) to {order.index[-1]} ({order.iloc[-1]:.1f}); "
        "bars join learners that Nemenyi's test does not tell apart."
    )
    return Section("ranks", "Ranks", text, table, ax.get_figure(root=True), alt)


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
