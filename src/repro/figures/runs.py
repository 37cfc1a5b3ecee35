"""One run of a learner: its error along the stream, and its alarms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from repro._checks import check_count, shown
from repro.figures.curves import plot_error
from repro.figures.marks import mark_alarms
from repro.metrics.estimators import sliding_error
from repro.streams.stream import Stream, check_stream

__all__ = ["plot_run"]


class HasLoss(Protocol):
    """What is drawn of a `repro.Run`."""

    loss: NDArray[np.float64]
    alarms: NDArray[np.int64]


def plot_run(
    run: HasLoss,
    stream: Stream | None = None,
    *,
    window: int = 500,
    label: str = "error",
    ax: Axes | None = None,
    **axis: Any,
) -> Axes:
    """Sliding error of one run in percent, with its alarms.

    Parameters
    ----------
    run : a `repro.Run`
    stream : that of the run; its drifts and the error of its optimal classifier, if they are known,
        are drawn too
    window : examples in the sliding window, at most as many as there are
    label : entry of the curve in the legend
    ax : where to draw; a new figure if None
    axis : `xlabel`, `ylabel`, `xlim`, `ylim`, `xscale` and `yscale` of the axes
    """
    if not hasattr(run, "loss") or not hasattr(run, "alarms"):
        raise TypeError(f"run must be a Run, as of repro.prequential; got {shown(run)}")
    window = min(check_count(window, name="window"), len(run.loss))
    truth: Mapping[str, Any] = {}
    if stream is not None:
        check_stream(stream)
        if len(stream) != len(run.loss):
            rule = f"stream must be that of the run, with {len(run.loss)} examples"
            raise ValueError(f"{rule}; got {len(stream)}")
        truth = {"drift_at": stream.drifts}
        if stream.optimal is not None:
            lost = (stream.optimal != stream.y).astype(np.float64)
            truth |= {"bayes": sliding_error(lost, window), "bayes_label": "optimum"}
    start, every = min(window, len(run.loss) - 1), max(1, len(run.loss) // 1000)
    curve = {label: sliding_error(run.loss, window)}
    ax = plot_error(curve, **truth, start=start, every=every, ax=ax, **axis)
    return mark_alarms(ax, run.alarms) if len(run.alarms) else ax
