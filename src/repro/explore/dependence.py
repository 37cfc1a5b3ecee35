"""Kappa and kappa against no change, with sliders for the label delay and the window."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from repro import metrics
from repro.evaluation import Run, prequential
from repro.explore._controls import DELAYS, WINDOWS, slider, up_to
from repro.explore._view import Shown, View
from repro.figures import mark_level, plot_curves
from repro.streams import Stream
from repro.streams.stream import check_stream

__all__ = ["dependence"]


def dependence(learner: Any, stream: Stream, seed: int = 0) -> View:
    """Is a learner better than repeating the last label, and what if labels come late?

    Each delay that is chosen runs the `learner` again, on the whole stream.

    Parameters
    ----------
    learner, stream, seed : as in `repro.prequential`, with the same errors.

    Source: see `repro.metrics.kappa_temporal`.

    >>> from repro.learners import NoChange
    >>> view = dependence(NoChange(), Stream([[0.0]] * 6, [0, 0, 1, 1, 0, 0]))
    >>> view.controls["delay"].value = 1
    >>> view.shown.table["whole stream"].round(3).to_dict()
    {'error': 0.667, 'kappa': -0.5, 'kappa_temporal': 0.0}
    """
    check_stream(stream)

    @cache
    def run(delay: int) -> Run:
        return prequential(learner, stream, seed, delay=delay, proba=False)

    def show(delay: int, window: int) -> Shown:
        y, y_pred = stream.y, run(delay).y_pred
        curves = {
            "kappa": metrics.kappa(y, y_pred, window=window),
            "kappa against no change": metrics.kappa_temporal(
                y, y_pred, window=window, delay=delay
            ),
        }
        whole = {
            "error": run(delay).error,
            "kappa": metrics.kappa(y, y_pred),
            "kappa_temporal": metrics.kappa_temporal(y, y_pred, delay=delay),
        }
        code = [
            f"run = prequential(learner, stream, {seed}, delay={delay})",
            f"metrics.kappa(stream.y, run.y_pred, window={window})",
            f"metrics.kappa_temporal(stream.y, run.y_pred, window={window}, delay={delay})",
        ]
        table = pd.Series(whole, name="whole stream").to_frame()
        return Shown(curves, table, "\n".join(code))  # type: ignore[arg-type]

    def draw(shown: Shown, axes: list[Axes]) -> None:
        every = max(1, len(stream) // 1000)
        limits: dict[str, Any] = {"ylim": (-1.5, 1.05), "ylabel": "Kappa"}
        plot_curves(shown.curves, drift_at=stream.drifts, every=every, ax=axes[0], **limits)
        mark_level(axes[0], 0.0, kind="optimum", label="baseline")
        axes[0].set_title("Below 0, repeating the latest known label would do better")
        axes[0].legend(frameon=False, loc="lower right")

    controls = {
        "delay": slider("label delay", up_to(DELAYS, len(stream) - 1), 0),
        "window": slider("window", up_to(WINDOWS, len(stream)), 500),
    }
    return View(controls, show, draw)
