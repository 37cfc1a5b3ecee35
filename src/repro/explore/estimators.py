"""Estimators of the error, with sliders for their memories."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro import metrics
from repro.evaluation import Run
from repro.explore._controls import (
    ALPHAS,
    WINDOWS,
    as_bayes,
    as_drifts,
    losses_of,
    slider,
    thinned,
    up_to,
)
from repro.explore._view import Shown, View, put_legend
from repro.figures import plot_error

__all__ = ["estimators"]


def estimators(
    run: Run | ArrayLike, *, drift_at: Iterable[int] = (), bayes: ArrayLike | None = None
) -> View:
    """The error of a learner by three estimators: all losses, a window, and a fading factor.

    Parameters
    ----------
    run : a `Run`, or losses (n,).
    drift_at : positions of the true drifts, such as ``stream.drifts``.
    bayes : the Bayes error of each example, (n,), such as ``stream.bayes_risk``; its mean over the
        window is drawn as a dashed line.

    Source: see `repro.metrics.sliding_error`. Raises ValueError for losses that are empty or not
    finite, for drifts outside the stream, and for a `bayes` of another length.

    >>> view = estimators([0, 1, 1, 0])
    >>> view.controls["alpha"].value = 0.5
    >>> view.shown.table
                error at the end
    all losses               0.5
    w = 2                    0.5
    α = 0.5                  0.4
    """
    loss = losses_of(run, name="run")
    marked, least = as_drifts(drift_at, loss.size), as_bayes(bayes, loss.size)
    loss_code = "run.loss" if isinstance(run, Run) else "run"

    def show(window: int, alpha: float) -> Shown:
        curves = {
            "all losses": metrics.prequential_error(loss),
            f"w = {window}": metrics.sliding_error(loss, window),
            f"α = {alpha}": metrics.fading_error(loss, alpha),
        }
        ends = {name: curve[-1] for name, curve in curves.items()}
        code = [
            f"metrics.prequential_error({loss_code})",
            f"metrics.sliding_error({loss_code}, window={window})",
            f"metrics.fading_error({loss_code}, alpha={alpha})",
        ]
        table = pd.Series(ends, name="error at the end").to_frame()
        return Shown(curves, table, "\n".join(code))

    def draw(shown: Shown, axes: list[Axes]) -> None:
        window = controls["window"].value
        optimum = None if least is None else metrics.sliding_error(least, window)
        part = thinned(loss.size)
        plot_error(shown.curves, drift_at=marked, bayes=optimum, ax=axes[0], **part)
        axes[0].set_title("Short memories follow a drift, long ones are smooth")
        put_legend(axes[0])

    controls = {
        "window": slider("window", up_to(WINDOWS, loss.size), 500),
        "alpha": slider("fading factor", ALPHAS, 0.995),
    }
    return View(controls, show, draw)
