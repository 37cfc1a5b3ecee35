"""How labels depend on each other: from one example to the next, over longer lags, in seasons."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from repro.figures import mark_level, plot_curves
from repro.judge._stream_blocks import correlation_time
from repro.judge.section import Section
from repro.metrics import Dependence, label_dependence

__all__ = ["Labels", "describe", "season", "section"]

LONGEST = 2**17  # labels among which a season is looked for
MOST_LAGS = 1000
NEIGHBOURS = 101  # frequencies that say how strong a frequency is by chance
LEVEL = 0.001  # probability of a season in labels that have none
SAFETY = 1.5  # times the critical ratio, since the median is an estimate
CLASSES = 5  # the largest ones, in which a season is looked for


@dataclass(frozen=True, eq=False)
class Labels:
    """Dependence of labels: of neighbours, the correlation time, and the season (0: none)."""

    dependence: Dependence
    time: float
    season: int
    agreement: NDArray[np.float64]  # (lags + 1,): share of pairs so far apart that are equal
    low: float  # between which the agreement of a lag lies in random order, in 99 of 100 cases
    high: float


def describe(y: NDArray[np.int64]) -> Labels:
    """The dependence of the labels `y` (n,)."""
    dependence = label_dependence(y)
    period = season(y)
    lags = min(max(100, 2 * period), MOST_LAGS, len(y) // 4)
    agreement = np.array([1.0, *(np.mean(y[k:] == y[:-k]) for k in range(1, lags + 1))])
    reach = 2.58 * dependence.standard_error
    low, high = dependence.expected - reach, dependence.expected + reach
    return Labels(dependence, correlation_time(y), period, agreement, low, high)


def season(y: NDArray[np.int64]) -> int:
    r"""Length of the strongest season of the labels `y` (n,) in examples; 0 if there is none.

    The periodogram of each of the largest classes is divided by its median over neighbouring
    frequencies, which follows the smooth spectrum of runs of labels. Without a season, a ratio
    exceeds r with a probability of :math:`2^{-r}`, and the largest of M ratios with M times that
    at most. Periods of more than a tenth of the stream are not looked at.

    >>> rng = np.random.default_rng(0)
    >>> hour = np.arange(4800) % 24
    >>> season((rng.random(4800) < 0.3 + 0.2 * (hour < 12)).astype(int))
    24
    >>> season(rng.integers(0, 2, 4800))
    0
    """
    part = y[:LONGEST]
    n = len(part)
    first, last = 10, n // 2  # frequencies, in cycles along the part
    if last - first < 2 * NEIGHBOURS:
        return 0
    counts = np.bincount(part)
    chosen = [c for c in np.argsort(-counts, kind="stable")[:CLASSES] if 0 < counts[c] < n]
    best, period = 0.0, 0
    for c in chosen:
        power = np.abs(np.fft.rfft((part == c) - counts[c] / n)[first:last]) ** 2
        ratio = power / np.maximum(median_filter(power, NEIGHBOURS, mode="reflect"), 1e-300)
        at = int(ratio.argmax())
        if ratio[at] > best:
            best, period = float(ratio[at]), round(n / (first + at))
    tests = len(chosen) * (last - first)
    return period if chosen and best > SAFETY * log(tests / LEVEL, 2) else 0


def section(labels: Labels, step: float = float("nan")) -> Section:
    """In words: do labels depend on each other, how long, and in which seasons.

    `step` is the time between two examples in seconds, if it is known.
    """
    d = labels.dependence
    reach = f"{labels.time:.0f} consecutive examples say as much as one independent example"
    if not d.p_value < 0.01:
        first = (
            f"A label equals the one before it in {d.p_per:.1%} of the steps, and would in "
            f"{d.expected:.1%} if their order were random: no dependence is seen."
        )
    else:
        first = (
            f"A label equals the one before it in {d.p_per:.1%} of the steps; in random order it "
            f"would in {d.expected:.1%} ± {d.standard_error:.1%} (z = {d.z:.0f}). "
            f"{reach[0].upper()}{reach[1:]} about the shares of the classes."
        )
    text = f"{first} {_season_text(labels, step)}"
    table = _table(labels)
    ax = plot_curves(
        {"labels": 100 * labels.agreement[1:]},
        x=np.arange(1, labels.agreement.size),
        xlabel="Lag [examples]",
        ylabel="Equal labels [%]",
    )
    middle, half = 100 * d.expected, 50 * (labels.high - labels.low)
    mark_level(ax, middle, kind="reference", label="random order", reach=half)
    ax.legend(frameon=False)
    alt = (
        f"Share of pairs of labels that are equal, against their distance up to "
        f"{labels.agreement.size - 1} examples: {labels.agreement[1]:.0%} for neighbours, "
        f"{labels.agreement[-1]:.0%} at the largest distance; in random order {d.expected:.0%}."
    )
    return Section(
        "labels", "How dependent are the labels?", text, table, ax.get_figure(root=True), alt
    )


def _season_text(labels: Labels, step: float) -> str:
    period = labels.season
    if not period:
        return "No season is seen in them."
    agree = (
        f", with {labels.agreement[period]:.1%} equal labels at that distance"
        if period < labels.agreement.size
        else ""
    )
    return f"They have a season of {period} examples{_span(period * step)}{agree}."


def _span(seconds: float) -> str:
    """A time in words, in parentheses; nothing if it is not known."""
    if np.isnan(seconds):
        return ""
    units = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
    unit, size = next((u for u in units.items() if seconds >= u[1]), ("seconds", 1.0))
    return f" ({seconds / size:.3g} {unit})"


def _table(labels: Labels) -> pd.DataFrame:
    steps = [1, 2, 3, 5, 10, 20, 50, 100, labels.season]
    lags = sorted({k for k in steps if 0 < k < labels.agreement.size})
    random = {"random order [%]": 100 * labels.dependence.expected}
    error = {"random order [%] ± s.e.": 100 * labels.dependence.standard_error}
    rows = [{"equal labels [%]": 100 * labels.agreement[k], **random, **error} for k in lags]
    return pd.DataFrame(rows, index=pd.Index(lags, name="lag"))
