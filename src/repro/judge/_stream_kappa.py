"""Is the accuracy real, or only persistence of the labels?"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from repro.figures import mark_level, plot_bands
from repro.judge._stream_learners import Comparison
from repro.judge.section import Section
from repro.metrics import KappaAdvice, kappa_advice, kappa_band
from repro.streams.stream import Stream

__all__ = ["advise", "section"]

WORK = 40_000_000  # steps of all resamples together
SHORT = {"kappa_temporal": "κ_per", "kappa_combined": "κ⁺"}


def advise(y: NDArray[np.int64], y_pred: NDArray[np.integer]) -> KappaAdvice:
    """Which kappa says something about these predictions, and what it says."""
    return kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred))


def section(
    stream: Stream, found: Comparison, advice: KappaAdvice, rng: np.random.Generator
) -> Section:
    """The advice in words, the measures with standard errors, and their course."""
    y, y_pred, n = stream.y, found.predictions[found.best], len(stream)
    window = max(50, n // 20)
    resamples = int(np.clip(WORK // n, 20, 200))
    curves = {}
    for measure, short in SHORT.items():
        band = kappa_band(y, y_pred, measure, rng, window=window, n_resamples=resamples, points=200)
        curves[short] = band[band.index >= window].dropna()
    shared = curves["κ_per"].index.intersection(curves["κ⁺"].index)
    text = (
        f"For {found.best}: {advice.text}\n\nκ_per compares with the rule that predicts the label "
        "before, κ⁺ with that rule and with chance; at 0 or below a learner gains nothing over "
        "them."
    )
    table = advice.frame[["value", "standard_error", "baseline", "baseline_accuracy", "meaningful"]]
    table = table.rename(columns={"standard_error": "value ± s.e."})
    if not len(shared):
        return Section("kappa", "Is the accuracy real?", text, table)
    parts = {
        short: tuple(band.loc[shared, column] for column in ("value", "low", "high"))
        for short, band in curves.items()
    }
    below = float((parts["κ_per"][0] <= 0).mean())
    text += (
        f" Over {window:,} examples at a time, {found.best} is no better than the previous label "
        f"in {below:.0%} of the stream."
    )
    ax = plot_bands(shared.to_numpy(float), parts, percent=False, ylabel=f"κ of {found.best}")
    mark_level(ax, 0, kind="zero")
    ax.legend(frameon=False)
    ends = [f"{s} between {p[0].min():.2f} and {p[0].max():.2f}" for s, p in parts.items()]
    alt = (
        f"κ_per and κ⁺ of {found.best} over the last {window:,} examples, along the stream, with "
        f"bands of 95 %: {' and '.join(ends)}."
    )
    return Section("kappa", "Is the accuracy real?", text, table, ax.get_figure(root=True), alt)
