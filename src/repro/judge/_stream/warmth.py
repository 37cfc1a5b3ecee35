"""How long until a new learner is warm, and how many examples an estimate needs."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from repro.evaluation.prequential import prequential
from repro.figures import mark_level, plot_bands
from repro.judge._report.cells import with_error
from repro.judge._report.shared import points_text
from repro.judge._stream.comparison import Comparison
from repro.judge.section import Section
from repro.metrics import hoeffding_sample_size
from repro.statistics.dependence import examples_needed, variance_inflation
from repro.statistics.estimates import mean_estimate
from repro.statistics.recovery_times import RecoveryTime, recovery_time
from repro.streams.stream import Stream

__all__ = ["sizes", "warm"]

STARTS = 10  # places at which a learner starts anew
HORIZON = 20_000  # examples that it learns there, at most
CLOSE = 0.01  # excess error of a learner that is warm, at most
PRECISIONS = (0.01, 0.02, 0.05)
FEW = 5  # errors in a sample, below which their number is not nearly normal
HOEFFDING = "Hoeffding's bound, which holds for any independent losses"


def warm(
    stream: Stream, learner: Any, comparison: Comparison, rng: np.random.Generator, seed: int
) -> tuple[Section, tuple[str, str]]:
    """Excess error of a learner that starts anew, against one that learned all along.

    Returns the section, and the verdict with its evidence. A learner is warm where its excess is at
    most 1 point, and a tenth of what it gains over majority and persistence.
    """
    best, excess = comparison.best, _excess(stream, learner, comparison, rng, seed)
    errors = comparison.table["error [%]"] / 100
    gain = float(errors[comparison.baseline] - errors[best])
    close = min(CLOSE, gain / 10) if gain > 0 else CLOSE
    horizon = excess.shape[1]
    window = max(10, horizon // 20)
    # Before its start it has no excess.
    found = recovery_time(np.pad(excess, ((0, 0), (1, 0))), 1, rng, margin=close)
    verdict = _verdict(found, best, close, gain, horizon)
    centre, error, _ = mean_estimate([_smooth(row, window) for row in excess])
    t = np.arange(window, horizon + 1)
    text = (
        f"{best[0].upper()}{best[1:]} was started anew at {STARTS} random places and compared, on "
        f"the same examples, with itself after learning from the start. It is warm once its excess "
        f"error is at most {_limit(close)}. {verdict[0][0].upper()}{verdict[0][1:]}: {verdict[1]}. "
        f"The figure shows the error over {window:,} examples. A negative excess means that "
        "starting anew is better: what was learned before misleads."
    )
    ax = _drawn(best, t, centre, error, close)
    picks = np.unique(np.linspace(0, centre.size - 1, 8).astype(int))
    table = pd.DataFrame(
        with_error("excess [points]", (100 * centre[picks], 100 * error[picks])),
        index=pd.Index(t[picks], name="examples since the start"),
    )
    alt = (
        f"Error of {best} after a new start minus its error without one: "
        f"{100 * centre[0]:.1f} points at first and {100 * centre[-1]:.1f} after {horizon:,} "
        "examples."
    )
    title = "How long until a new learner is warm?"
    return Section("warm", title, text, table, ax.get_figure(root=True), alt), verdict


def _excess(
    stream: Stream, learner: Any, comparison: Comparison, rng: np.random.Generator, seed: int
) -> NDArray[np.float64]:
    """Losses after new starts minus those without one, shape (starts, examples)."""
    n, old = len(stream), comparison.predictions[comparison.best] != stream.y
    horizon = min(HORIZON, n // 3)
    excess = np.empty((STARTS, horizon))
    places = np.sort(rng.integers(n // 3, n - horizon + 1, STARTS))
    for row, place in zip(excess, places, strict=True):
        part = np.arange(place, place + horizon)
        row[:] = prequential(learner, stream.take(part), seed, proba=False).loss - old[part]
    return excess


def _limit(close: float) -> str:
    """The excess of a warm learner in words."""
    if close == CLOSE:
        return "1 point"
    return f"{100 * close:.2g} points, a tenth of what it gains over the simple rules"


def _verdict(
    found: RecoveryTime, best: str, close: float, gain: float, horizon: int
) -> tuple[str, str]:
    """How many examples it needs, and the evidence."""
    if gain <= 0:
        return "cannot tell", f"{best} gains nothing over the simple rules"
    evidence = (
        f"{best} errs {points_text(found.left)} points more than one that learned all along, in "
        f"the last quarter of {horizon:,} examples; warm: at most {_limit(close)}"
    )
    word = found.returns(close)
    if word == "no":
        return "not within the horizon", evidence
    if word == "cannot tell" or not np.isfinite(found.examples):
        return "cannot tell", evidence
    high = f"{found.high:,.0f}" if np.isfinite(found.high) else "more than the horizon"
    within = f"{best} is within {_limit(close)} of one that learned all along"
    return f"{found.examples:,.0f} examples", f"{within} (95 %: {found.low:,.0f} to {high})"


def _drawn(
    name: str,
    t: NDArray[np.int64],
    centre: NDArray[np.float64],
    error: NDArray[np.float64],
    close: float,
) -> Axes:
    """The excess with a band of two standard errors."""
    shown = slice(None, None, max(1, centre.size // 300))
    band = {name: (centre[shown], 2 * error[shown])}
    words: dict[str, Any] = {
        "xlabel": "Examples since the start",
        "ylabel": "Excess error [points]",
    }
    ax = plot_bands(t[shown], band, **words)
    label = f"{100 * close:.2g} point" + "s" * (close != 0.01)
    mark_level(ax, 100 * close, kind="reference", label=label)
    mark_level(ax, 0, kind="zero")
    ax.legend(frameon=False)
    return ax


def _smooth(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Means of each `window` consecutive values."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray((sums[window:] - sums[:-window]) / window)


def sizes(comparison: Comparison, stream: Stream, memory: float) -> tuple[Section, float]:
    """How many examples an estimate of the error needs, if losses depend as they do here."""
    loss = (comparison.predictions[comparison.best] != stream.y).astype(np.float64)
    p, (factor, error, _) = float(loss.mean()), variance_inflation(loss, memory)
    rows = [
        {
            "by Hoeffding, independent": ceil(hoeffding_sample_size(precision)),
            "independent": examples_needed(p, precision),
            "here": examples_needed(p, precision, factor),
            "here ± s.e.": examples_needed(p, precision, error),
        }
        for precision in PRECISIONS
    ]
    index = pd.Index([f"± {100 * e:.0f}" for e in PRECISIONS], name="precision [points]")
    table = pd.DataFrame(rows, index=index)
    if not 0 < p < 1:
        table = table[["by Hoeffding, independent"]]
        text = (
            f"All losses of {comparison.best} are equal, so how much they vary, and what an "
            f"estimate needs, cannot be told. {HOEFFDING}, asks for "
            f"{rows[0]['by Hoeffding, independent']:,} to know an error to ± 1 point."
        )
    else:
        text = _sizes_text(comparison.best, len(stream), p, (factor, error), rows[0])
    return Section("estimates", "How many examples does an estimate need?", text, table), factor


def _sizes_text(
    best: str, n: int, p: float, inflation: tuple[float, float], row: dict[str, int]
) -> str:
    """The numbers of one point of precision, in words."""
    factor, error = inflation
    text = (
        f"The variance of the mean loss of {best} is "
        f"{factor:.1f} ± {error:.1f} times that of independent losses, so {n:,} examples say as "
        f"much about an error as {n / factor:,.0f} independent ones. To know an error of {p:.1%} "
        f"to ± 1 point in about 95 of 100 cases takes {row['here']:,} examples here, and would "
        f"take {row['independent']:,} independent ones. {HOEFFDING}, asks for "
        f"{row['by Hoeffding, independent']:,}. Drift adds to the variance: then the number says "
        "how much the error of such a stretch varies."
    )
    if min(p, 1 - p) * row["independent"] < FEW:
        text += (
            " The numbers take sums of losses for normally distributed, which is rough where so "
            "few differ from the others."
        )
    return text
