"""A drift detector on the losses of a learner, with sliders for its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from repro import metrics
from repro.detectors import ADWIN, DDM, EDDM, PageHinkley, error_ratio
from repro.evaluation import Run
from repro.explore._controls import (
    WINDOWS,
    as_drifts,
    choice,
    losses_of,
    slider,
    thinned,
    up_to,
)
from repro.explore._view import Shown, View, put_legend
from repro.figures import mark_alarms, plot_error, plot_statistic

__all__ = ["detection"]

RATIO = "Page-Hinkley on the ratio of errors"
DETECTORS = ("Page-Hinkley", RATIO, "DDM", "EDDM", "ADWIN")
DELTAS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
THRESHOLDS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)


def detection(run: Run | ArrayLike, drift_at: Iterable[int] = ()) -> View:
    """The alarms of a detector on the losses of a learner: delays, misses and false alarms.

    Parameters
    ----------
    run : a `Run`, or losses (n,), from 0 to 1.
    drift_at : positions of the true drifts, such as ``stream.drifts``. Without any, all alarms are
        false.

    `delta` and `threshold` are those of the Page-Hinkley test. Source: see
    `repro.metrics.detection_report`. Raises ValueError for losses that are empty or not finite, and
    for drifts outside the stream.

    >>> view = detection([0, 0, 0, 1] * 200 + [1, 1] * 200, drift_at=[800])
    >>> view.controls["detector"].value = "DDM"
    >>> view.shown.alarms.tolist()
    [832]
    """
    loss = losses_of(run, name="run")
    marked = as_drifts(drift_at, loss.size)
    loss_code = "run.loss" if isinstance(run, Run) else "run"

    def show(detector: str, delta: float, threshold: float, window: int, tolerance: int) -> Shown:
        limits = f"delta={delta}, threshold={threshold}"
        alarms, call = _alarms(detector, loss, loss_code, delta, threshold, limits)
        report = metrics.detection_report([alarms], marked, loss.size, tolerance=tolerance)
        end = f"{marked}, {loss.size}, tolerance={tolerance}"
        code = [
            f"alarms = {call}",
            f"metrics.detection_report(alarms, {end}).table",
            f"metrics.sliding_error({loss_code}, window={window})",
        ]
        curves = {f"w = {window}": metrics.sliding_error(loss, window)}
        if detector in DETECTORS[:2]:
            values = error_ratio(loss) if detector == RATIO else loss
            curves["statistic"] = PageHinkley(delta, threshold).statistics(values)
        return Shown(curves, report.table, "\n".join(code), alarms)

    def draw(shown: Shown, axes: list[Axes]) -> None:
        _draw(shown, axes, marked, controls["threshold"].value)

    tolerances = up_to((50, 100, 200, 500, 1000, 2000, 5000), loss.size)
    controls = {
        "detector": choice("detector", DETECTORS),
        "delta": slider("δ", DELTAS, 0.05),
        "threshold": slider("λ", THRESHOLDS, 20),
        "window": slider("window of the curve", up_to(WINDOWS, loss.size), 300),
        "tolerance": slider("an alarm detects within", tolerances, 1000),
    }
    return View(controls, show, draw, rows=lambda shown: len(shown.curves))


def _alarms(
    detector: str,
    loss: NDArray[np.float64],
    loss_code: str,
    delta: float,
    threshold: float,
    limits: str,
) -> tuple[NDArray[np.int64], str]:
    """The alarms, and the call that gives them."""
    hinkley = PageHinkley(delta, threshold)
    if detector == RATIO:
        call = f"detectors.page_hinkley(detectors.error_ratio({loss_code}), {limits})"
        return hinkley.alarms(error_ratio(loss)), call
    if detector == "Page-Hinkley":
        return hinkley.alarms(loss), f"detectors.page_hinkley({loss_code}, {limits})"
    kinds: Mapping[str, Any] = {"DDM": DDM, "EDDM": EDDM, "ADWIN": ADWIN}
    return kinds[detector]().alarms(loss), f"detectors.{detector}().alarms({loss_code})"


def _draw(shown: Shown, axes: list[Axes], marked: list[int], threshold: float) -> None:
    curves = dict(shown.curves)
    statistic = curves.pop("statistic", None)
    part = thinned(len(next(iter(curves.values()))))
    plot_error(curves, drift_at=marked, ax=axes[0], **part)
    mark_alarms(axes[0], shown.alarms)
    axes[0].set_title("A detector trades late alarms for false ones")
    put_legend(axes[0])
    if statistic is not None:
        plot_statistic(statistic, threshold=threshold, drift_at=marked, ax=axes[1])
