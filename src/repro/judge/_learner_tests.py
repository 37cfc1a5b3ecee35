"""Are the differences real? Friedman's test over streams, Wilcoxon's over seeds with Holm."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import friedmanchisquare, studentized_range, wilcoxon

from repro import _folders
from repro.figures import panels
from repro.judge._learner_numbers import mean_ranks, over_streams, ranks
from repro.judge._learner_runs import Runs
from repro.judge._shared import label, sentence
from repro.judge.section import Section
from repro.streams.stream import Stream

__all__ = [
    "LEVEL",
    "MEAN",
    "comparisons",
    "critical_difference",
    "holm",
    "paired_section",
    "rank_section",
]

LEVEL = 0.05
LEAST_SEEDS = 6  # with fewer Wilcoxon's two-sided test cannot reject at .05
NAN = float("nan")
MEAN = "mean over the streams"


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """p-values adjusted for the number of comparisons; nan are not counted.

    The i-th smallest of m is multiplied by m - i + 1, and is at least the one before it. Holm
    (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)[: int(np.isfinite(values).sum())]
    adjusted = np.full(values.shape, NAN)
    factors = len(order) - np.arange(len(order))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(factors * values[order]))
    return adjusted


def critical_difference(k: int, n: int) -> float:
    r"""Least difference of mean ranks of `k` learners on `n` streams that is significant.

    .. math:: q \sqrt{\frac{k (k + 1)}{6 n}}

    with the studentized range at level .05 over the root of 2: Nemenyi's test, as in Demšar (2006),
    JMLR 7, 1-30.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    q = studentized_range.ppf(1 - LEVEL, k, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))


def comparisons(runs: Runs) -> pd.DataFrame:
    """Each of your models with each other learner, on each stream and over all streams.

    Columns: model, other, stream, difference (error of the model minus that of the other, in
    points) with its standard error, p (Wilcoxon's signed-rank test over the seeds) and p after
    Holm's correction for the comparisons of one model on one stream. p is nan for fewer than 6
    seeds and for a stream that exists only once.
    """
    rows = [row for model in runs.entrants.mine for row in _rows(runs, model)]
    names = ["model", "other", "stream", "difference", "difference ± s.e.", "p", "p, Holm"]
    table = pd.DataFrame(rows, columns=names[:-1])
    grouped = table.groupby(["model", "stream"])["p"]
    table["p, Holm"] = grouped.transform(holm) if len(table) else []
    return table


def _rows(runs: Runs, model: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    drawn = [name for name in runs.streams if not isinstance(runs.streams[name], Stream)]
    for other in (name for name in runs.entrants.learners if name != model):
        of = {name: frame[model] - frame[other] for name, frame in runs.repeats.items()}
        for name, values in of.items():
            one = over_streams(runs, {name: values})
            p = _signed_rank(values) if name in drawn else NAN
            rows.append((model, other, name, one.value, one.standard_error, p))
        if len(of) > 1:
            every = over_streams(runs, of)
            by_seed = pd.DataFrame({name: of[name] for name in drawn}).mean(axis=1, skipna=False)
            p = _signed_rank(by_seed) if len(drawn) == len(of) else NAN
            rows.append((model, other, MEAN, every.value, every.standard_error, p))
    return rows


def _signed_rank(values: pd.Series) -> float:
    known = values.dropna().to_numpy()
    if known.size < LEAST_SEEDS:
        return NAN
    return float(wilcoxon(known).pvalue) if known.any() else 1.0


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
    if len(runs.seeds) < LEAST_SEEDS:
        text += (
            f" With {len(runs.seeds)} seeds that test cannot reject, so there is none: it needs "
            f"at least {LEAST_SEEDS}."
        )
    if any(isinstance(stream, Stream) for stream in runs.streams.values()):
        text += (
            " A stream that exists only once has no such test: its standard errors are those of "
            "means over 20 stretches of it."
        )
    return Section("tests", "Paired tests", text, shown)


def _counts(table: pd.DataFrame, model: str, other: str) -> dict[str, int]:
    own = table[(table["model"] == model) & (table["other"] == other) & (table["stream"] != MEAN)]
    is_real = own["p, Holm"] < LEVEL
    return {
        "streams better": int((is_real & (own["difference"] < 0)).sum()),
        "streams worse": int((is_real & (own["difference"] > 0)).sum()),
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
    statistic, p = friedmanchisquare(*by_stream.to_numpy().T)
    differ = "the learners differ" if p < LEVEL else "the learners cannot be told apart"
    text += (
        f" Friedman's test of equal learners: chi-squared {statistic:.1f} with {k - 1} degrees of "
        f"freedom, p = {p:.2g}: {differ}. Mean ranks less than {critical_difference(k, n):.2f} "
        "apart are not told apart by Nemenyi's test at level 0.05; with few streams it tells "
        "only large differences."
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
    p = scikit_posthocs.posthoc_nemenyi_friedman(by_stream.to_numpy())
    means = means.rename(label)
    p = pd.DataFrame(np.asarray(p), means.index, means.index)
    title = "Mean ranks; bars join what is not told apart"
    ax = panels([title], size=(8.0, 0.6 + 0.28 * len(p)))[0]
    labels = {"label_fmt_left": "{label} ({rank:.1f})", "label_fmt_right": "({rank:.1f}) {label}"}
    looks = {"crossbar_props": {"color": "black"}, "color_palette": ["gray"] * len(p)}
    scikit_posthocs.critical_difference_diagram(means, p, ax=ax, **labels, **looks)
    for text in ax.texts:
        text.set_color("black")
    return ax
