"""The result of one learner on one stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.streams.stream import Stream

__all__ = ["Run", "run_of"]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Predictions, losses, alarms and cost of one learner on one stream.

    Attributes
    ----------
    y_pred : (n,) predicted labels, int64.
    loss : (n,) 0/1 loss of each prediction, float64. If the stream came in chunks, `loss` is int8
        and `y_pred` the smallest signed integer that holds the labels: 2 bytes per example, not 16.
    proba : (n, K) shares of the votes, finite, each row of sum 1; equal shares where the learner
        gives no votes, or votes that are negative or not finite. None when not asked for.
    alarms : (a,) indices of the examples at which a drift alarm was raised when their labels were
        learned, in the order of the alarms; empty for models that raise none.
    seconds : wall-clock time of the run, without compilation.
    state_bytes : memory of the learner at the end; nan for models of other libraries.
    growth : arrays with the number of "examples" predicted, the "state_bytes" and the learner's
        counts ("nodes", "members", ...) at regular intervals; None when not asked for.
    """

    y_pred: NDArray[np.signedinteger]
    loss: NDArray[np.float64] | NDArray[np.int8]
    proba: NDArray[np.float64] | None
    alarms: NDArray[np.int64]
    seconds: float
    state_bytes: float
    growth: Mapping[str, NDArray[np.float64]] | None = None

    @property
    def error(self) -> float:
        """Mean loss over the whole stream: the final average prequential error."""
        return float(self.loss.mean())

    def plot(self, stream: Stream | None = None, **options: Any) -> Any:
        """Draw the sliding error and the alarms: `repro.figures.plot_run`, which has the options.

        With the `stream` of the run, its drifts and its optimum are drawn too.
        """
        # By name, as figures are above evaluation: only here does a run need them.
        return import_module("repro.figures").plot_run(self, stream, **options)

    def _repr_html_(self) -> str:
        cells = {
            "examples": f"{len(self.loss)}",
            "error": f"{self.error:.4f}",
            "alarms": f"{len(self.alarms)}",
            "seconds": f"{self.seconds:.3g}",
            "state": "unknown" if isnan(self.state_bytes) else f"{self.state_bytes / 1024:.1f} KiB",
        }
        heads, values = (
            "".join(f"<{tag}>{text}</{tag}>" for text in texts)
            for tag, texts in (("th", cells), ("td", cells.values()))
        )
        return f"<table><tr>{heads}</tr><tr>{values}</tr></table>"

    def __repr__(self) -> str:
        return (
            f"Run(n={len(self.loss)}, error={self.error:.4f}, alarms={len(self.alarms)}, "
            f"seconds={self.seconds:.3g})"
        )


def run_of(
    stream: Stream,
    y_pred: NDArray[np.int64],
    proba: NDArray[np.float64] | None,
    alarms: NDArray[np.int64],
    *,
    seconds: float,
    state_bytes: float,
    growth: Mapping[str, NDArray[np.float64]] | None = None,
) -> Run:
    """A `Run` whose losses are computed from the labels of `stream` and `y_pred` (n,).

    Parameters
    ----------
    stream : the examples.
    y_pred, proba, alarms, seconds, state_bytes, growth : as in `Run`.
    """
    loss = (y_pred != stream.y).astype(np.float64)
    return Run(y_pred, loss, proba, alarms, seconds, state_bytes, growth)
