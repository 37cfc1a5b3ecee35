"""Two learners: Q and McNemar's statistic, with sliders for their memories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro import metrics
from repro.evaluation import Run
from repro.explore._controls import ALPHAS, WINDOWS, as_drifts, losses_of, slider, up_to
from repro.explore._view import Shown, View, put_legend
from repro.figures import mark_level, plot_curves

__all__ = ["compare"]

LEVEL = 6.635  # chi-square with one degree of freedom is above it with probability .01


def compare(
    run_a: Run | ArrayLike, run_b: Run | ArrayLike, *, drift_at: Iterable[int] = ()
) -> View:
    """Two learners on the same stream: how much better is one of them (Q), how surely (McNemar)?

    Parameters
    ----------
    run_a, run_b : a `Run` each, or losses (n,), 0 or 1.
    drift_at : positions of the true drifts, such as ``stream.drifts``.

    Source: see `repro.metrics.q_statistic` and `repro.metrics.mcnemar`. Raises ValueError for
    losses that are empty, differ in number or are not 0 or 1, and for drifts outside the stream.

    >>> view = compare([0, 1, 1, 1], [0, 0, 0, 1])
    >>> view.controls["window"].value = 2
    >>> view.shown.curves["McNemar, w = 2"].tolist()
    [nan, 1.0, 2.0, 1.0]
    """
    a, b = _pair(run_a, run_b)
    marked = as_drifts(drift_at, a.size)
    names = [name + ".loss" * isinstance(r, Run) for name, r in (("a", run_a), ("b", run_b))]
    arguments = ", ".join(names)

    def show(window: int, alpha: float) -> Shown:
        short, long = f"w = {window}", f"α = {alpha}"
        curves = {
            f"Q, {short}": metrics.q_statistic(a, b, window=window),
            f"Q, {long}": metrics.q_statistic(a, b, alpha=alpha),
            f"McNemar, {short}": metrics.mcnemar(a, b, window=window),
            f"McNemar, {long}": metrics.mcnemar(a, b, alpha=alpha),
        }
        code = [
            f"metrics.{f}({arguments}, {memory})"
            for f in ("q_statistic", "mcnemar")
            for memory in (f"window={window}", f"alpha={alpha}")
        ]
        table = pd.Series({name: curve[-1] for name, curve in curves.items()}, name="at the end")
        return Shown(curves, table.to_frame(), "\n".join(code))

    def draw(shown: Shown, axes: list[Axes]) -> None:
        every = max(1, a.size // 1000)
        for ax, kind in zip(axes, ("Q", "McNemar"), strict=True):
            start = f"{kind}, "
            part = {
                k.removeprefix(start): _finite(v) for k, v in shown.curves.items() if start in k
            }
            plot_curves(part, drift_at=marked, every=every, ax=ax, ylabel=kind)
            for level in (0.0,) if kind == "Q" else (-LEVEL, LEVEL):
                mark_level(ax, level, kind="reference")
        axes[0].set_title("Above 0 the second learner is better")
        put_legend(*axes)

    controls = {
        "window": slider("window", up_to(WINDOWS, a.size), 500),
        "alpha": slider("fading factor", ALPHAS, 0.999),
    }
    return View(controls, show, draw, rows=2)


def _pair(run_a: Any, run_b: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The losses of both, 0 or 1, of equal length."""
    a, b = losses_of(run_a, name="run_a"), losses_of(run_b, name="run_b")
    for name, loss in (("run_a", a), ("run_b", b)):
        if (other := (loss != 0) & (loss != 1)).any():
            raise ValueError(f"{name} must hold losses 0 and 1 only; got {loss[other][0]}")
    if a.size != b.size:
        raise ValueError(f"run_b must be as long as run_a, {a.size}; got {b.size}")
    return a, b


def _finite(curve: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(curve), curve, np.nan)
