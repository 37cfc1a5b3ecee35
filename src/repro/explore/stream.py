"""A stream that plays: its latest examples, the best boundary, and what is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from repro import metrics
from repro.explore._controls import WINDOWS, player, slider, up_to
from repro.explore._view import Shown, View, put_legend
from repro.explore.boundary import boundary
from repro.figures import plot_error
from repro.figures.style import PALETTE
from repro.streams import Composition, DriftingMixture, LabelChain, Stream, StreamDescription
from repro.streams.description import check_description

__all__ = ["stream"]

MARKERS = ("o", "^", "s", "D", "v", "P")


def stream(given: Stream | StreamDescription, seed: int = 0) -> View:
    """The latest examples of a stream, its Bayes error and its classes; the button plays it.

    Of a stream of two classes and two attributes that states its posterior, such as those of
    `TESTBED`, it also shows the best boundary at each time.

    Parameters
    ----------
    given : a Stream, or a description, of which one is drawn.
    seed : seed of the draw.

    Raises TypeError for an object of another kind.

    >>> view = stream(Stream([[0.0, 1.0]] * 40, [0, 1] * 20))
    >>> view.controls["t"].value, view.controls["window"].value = 30, 20
    >>> view.shown.table["share"].to_dict()
    {'class 0': 0.5, 'class 1': 0.5}
    """
    drawn = (
        given if isinstance(given, Stream) else check_description(given, name="given").sample(seed)
    )
    names = [f"class {k}" for k in range(drawn.schema.n_classes)]
    made = given if drawn.X.shape[1] == 2 and len(names) == 2 and _states_boundary(given) else None
    shares = np.stack([drawn.y == k for k in range(len(names))], axis=1).astype(float)

    def show(t: int, window: int) -> Shown:
        latest = slice(max(0, t - window + 1), t + 1)
        curves = (
            {} if drawn.bayes_risk is None else {"Bayes error": _smooth(drawn.bayes_risk, window)}
        )
        table = pd.DataFrame({"share": shares[latest].mean(axis=0)}, index=names)
        code = [
            f"stream.X[{latest.start}:{latest.stop}], stream.y[{latest.start}:{latest.stop}]",
            f"metrics.sliding_error(stream.bayes_risk, window={window})",
        ]
        return Shown(curves, table, "\n".join(code[: 1 + len(curves)]))

    def draw(shown: Shown, axes: list[Axes]) -> None:
        t, window = controls["t"].value, controls["window"].value
        _draw_points(drawn, slice(max(0, t - window + 1), t + 1), axes[0])
        if made is not None:
            low, high = drawn.X.min(axis=0), drawn.X.max(axis=0)
            axes[0].plot(*boundary(made, t, low, high).T, "k--", label="best boundary")
        axes[0].set_title(f"The latest {min(window, t + 1)} examples at {t}")
        put_legend(axes[0])
        curves = shown.curves or {
            name: _smooth(shares[:, k], window) for k, name in enumerate(names)
        }
        plot_error(curves, drift_at=drawn.drifts, every=max(1, len(drawn) // 1000), ax=axes[1])
        axes[1].axvline(t, color="0.5", linewidth=4, alpha=0.4)
        put_legend(axes[1])

    n = len(drawn)
    controls = {
        "t": player("example", n - 1, max(1, n // 100)),
        "window": slider("window", up_to(WINDOWS, n), 200),
    }
    return View(controls, show, draw, rows=2)


def _smooth(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    return metrics.sliding_error(values, window)


def _states_boundary(description: Any) -> bool:
    """Whether a description says how probable each class is at any place and time."""
    if isinstance(description, Composition):  # between two concepts both draw examples
        return not any(np.atleast_1d(description.width)) and all(
            map(_states_boundary, description.concepts)
        )
    return isinstance(description, DriftingMixture | LabelChain)


def _draw_points(drawn: Stream, latest: slice, ax: Axes) -> None:
    """The first two attributes, and a ring around what the best classifier gets wrong."""
    X, y = drawn.X[latest], drawn.y[latest]
    places = np.column_stack([X[:, 0], X[:, min(1, X.shape[1] - 1)]])
    for k in np.unique(y):
        look: dict[str, Any] = {
            "marker": MARKERS[k % len(MARKERS)],
            "color": PALETTE[k % len(PALETTE)],
        }
        ax.plot(*places[y == k].T, linestyle="", markersize=3.5, label=f"class {k}", **look)
    if drawn.optimal is not None and (wrong := drawn.optimal[latest] != y).any():
        ring: dict[str, Any] = {
            "marker": "o",
            "markersize": 8,
            "markerfacecolor": "none",
            "color": "0.3",
        }
        ax.plot(*places[wrong].T, linestyle="", label="not the best label", **ring)
    low, high = drawn.X.min(axis=0), drawn.X.max(axis=0)
    last = min(1, len(low) - 1)
    ax.set(xlabel="Attribute 1", ylabel="Attribute 2" if last else "Attribute 1")
    margin = 0.03 * (high - low) + 1e-9
    ax.set(xlim=(low[0] - margin[0], high[0] + margin[0]))
    ax.set(ylim=(low[last] - margin[last], high[last] + margin[last]))
