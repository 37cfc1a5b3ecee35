"""How labels depend on each other: from one example to the next, over longer lags, in seasons."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.figures import mark_level, plot_bands, plot_curves
from repro.judge._report.cells import with_error
from repro.judge._stream.comparison import Comparison
from repro.judge.section import Section
from repro.metrics import Dependence, KappaAdvice, kappa_advice, kappa_band, label_dependence
from repro.statistics.dependence import correlation_time
from repro.statistics.seasons import MOST_LABELS, season
from repro.streams.stream import Stream

__all__ = ["GAIN", "Labels", "advise", "describe", "kappa_section", "label_section"]
__all__ += ["Copies", "copies_in"]

GAIN = "Is it better than simple rules?"
MOST_LAGS = 1000
EXACT = 5  # season squared per label, up to which simulations gave its exact length

WORK = 40_000_000  # steps of all resamples together
PARTS = 4  # of the labels, in which a season has the same phase
SLIP = 0.05  # of a season, between whose phases a part cannot tell
SHORT = {"kappa_temporal": "κ_per", "kappa_combined": "κ⁺"}


@dataclass(frozen=True, eq=False)
class Labels:
    """Dependence of labels: of neighbours, the correlation time, and the season (0: none)."""

    dependence: Dependence
    time: float
    season: int
    agreement: NDArray[np.float64]  # (lags + 1,): share of pairs so far apart that are equal
    low: float  # between which the agreement of a lag lies in random order, in 99 of 100 cases
    high: float
    n: int  # labels among which a season was looked for
    keeps_step: bool  # the season has the same phase at the end as at the beginning

    @property
    def season_text(self) -> str:
        """The length of the season, "about" where another fits as well, or none that is whole."""
        is_exact = self.season**2 <= EXACT * self.n and self.keeps_step
        return f"{'' if is_exact else 'about '}{self.season} examples"


def describe(y: NDArray[np.int64]) -> Labels:
    """The dependence of the labels `y` (n,)."""
    dependence = label_dependence(y)
    period = season(y)
    lags = min(max(100, 2 * period), MOST_LAGS, len(y) // 4)
    agreement = np.array([1.0, *(np.mean(y[k:] == y[:-k]) for k in range(1, lags + 1))])
    reach = 2.58 * dependence.standard_error
    low, high = dependence.expected - reach, dependence.expected + reach
    n, time = min(len(y), MOST_LABELS), correlation_time(y)
    return Labels(dependence, time, period, agreement, low, high, n, _keeps_step(y[:n], period))


def _keeps_step(y: NDArray[np.int64], period: int) -> bool:
    """Whether the season of each part of the labels fits best to that of the first as it is.

    It does not if the season is no whole number of examples, or if rows are missing.
    """
    if not period:
        return True
    size = max(len(y) // PARTS // period, 1) * period
    whole = 1.0 * (y == np.bincount(y).argmax())[: len(y) // size * size]
    profiles = whole.reshape(-1, size // period, period).mean(axis=1)
    profiles -= profiles.mean(axis=1, keepdims=True)
    waves = np.fft.rfft(profiles)
    shifts = np.fft.irfft(waves[1:] * waves[0].conj(), period).argmax(axis=1)
    return bool((np.minimum(shifts, period - shifts) <= max(1, period * SLIP)).all())


def label_section(labels: Labels, step: float = float("nan")) -> Section:
    """In words: do labels depend on each other, how long, and in which seasons.

    `step` is the time between two examples in seconds, if it is known.
    """
    d = labels.dependence
    reach = "Each example says as much as an independent one"
    if (time := round(labels.time)) > 1:
        reach = f"{time} consecutive examples say as much as one independent example"
    if not d.p_value < 0.01:
        first = (
            f"A label equals the one before it in {d.p_per:.1%} of the steps, and would in "
            f"{d.expected:.1%} if their order were random: no dependence is seen."
        )
    else:
        first = (
            f"A label equals the one before it in {d.p_per:.1%} of the steps; in random order it "
            f"would in {d.expected:.1%} ± {d.standard_error:.1%} (z = {d.z:.0f}). "
            f"{reach} about the shares of the classes."
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
    return f"They have a season of {labels.season_text}{_span(period * step)}{agree}."


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
    d = labels.dependence
    random = with_error("random order [%]", (100 * d.expected, 100 * d.standard_error))
    rows = [{"equal labels [%]": 100 * labels.agreement[k], **random} for k in lags]
    return pd.DataFrame(rows, index=pd.Index(lags, name="lag"))


def advise(y: NDArray[np.int64], y_pred: NDArray[np.integer]) -> KappaAdvice:
    """Which kappa says something about these predictions, and what it says."""
    return kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred))


def kappa_section(
    stream: Stream,
    comparison: Comparison,
    advice: KappaAdvice,
    copies: Copies,
    rng: np.random.Generator,
) -> Section:
    """The advice in words, the measures with standard errors, and their course."""
    best, n = comparison.best, len(stream)
    y, y_pred = stream.y, comparison.predictions[best]
    window = max(50, n // 20)
    resamples = int(np.clip(WORK // n, 20, 200))
    curves = {}
    for measure, short in SHORT.items():
        band = kappa_band(y, y_pred, measure, rng, window=window, n_resamples=resamples, points=200)
        curves[short] = band[band.index >= window].dropna()
    shared = curves["κ_per"].index.intersection(curves["κ⁺"].index)
    text = (
        f"For {best}: {advice.text}\n\nκ_per compares with the rule that predicts the label "
        "before, κ⁺ with that rule and with chance; at 0 or below a learner gains nothing over "
        f"them.\n\n{copies.text}"
    )
    table = advice.frame[["value", "standard_error", "baseline", "baseline_accuracy", "meaningful"]]
    table = table.rename(columns={"standard_error": "value ± s.e."})
    if not len(shared):
        return Section("kappa", GAIN, text, table)
    parts = {
        short: tuple(band.loc[shared, column] for column in ("value", "low", "high"))
        for short, band in curves.items()
    }
    below = float((parts["κ_per"][0] <= 0).mean())
    text += (
        f" Over {window:,} examples at a time, {best} is no better than the previous label "
        f"in {below:.0%} of the stream."
    )
    ax = plot_bands(shared.to_numpy(float), parts, percent=False, ylabel=f"κ of {best}")
    mark_level(ax, 0, kind="zero")
    ax.legend(frameon=False)
    ends = [f"{s} between {p[0].min():.2f} and {p[0].max():.2f}" for s, p in parts.items()]
    alt = (
        f"κ_per and κ⁺ of {best} over the last {window:,} examples, along the stream, with "
        f"bands of 95 %: {' and '.join(ends)}."
    )
    return Section("kappa", GAIN, text, table, ax.get_figure(root=True), alt)


class Copies(NamedTuple):
    """How many examples of all repeat an earlier one exactly, and a sentence on it."""

    repeats: int
    n: int
    text: str

    @property
    def share(self) -> float:
        """The share of all examples."""
        return self.repeats / self.n


def copies_in(stream: Stream) -> Copies:
    """The examples of `stream` that repeat an earlier one, by a hash of 64 bits of each."""
    examples = pd.DataFrame(stream.X).assign(label=stream.y)
    is_repeat = pd.util.hash_pandas_object(examples, index=False).duplicated()
    repeats, n = int(is_repeat.sum()), len(stream)
    if not repeats:
        return Copies(repeats, n, "No example repeats an earlier one exactly.")
    text = (
        f"{repeats:,} of {n:,} examples repeat{'s' * (repeats == 1)} an earlier one exactly, in "
        "all attributes and the label. If they are copies, a learner that remembers them can be "
        "worse on new examples."
    )
    return Copies(repeats, n, text)
