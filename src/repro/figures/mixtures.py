"""Mixtures as ellipses that move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Ellipse

from repro._checks import check_kind, shown
from repro.figures._axes import as_curve, axes_or_new
from repro.figures.style import PALETTE
from repro.streams.mixture import DriftingMixture
from repro.streams.stream import Stream

__all__ = ["plot_mixture"]

COLORS = tuple(PALETTE[i] for i in (0, 2, 1, 4, 3, 5))  # blue, green, orange, ...


def plot_mixture(
    mixture: DriftingMixture,
    *,
    times: Sequence[float],
    stream: Stream | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Every component of a two-dimensional `mixture` at the `times`, and its path.

    Ellipses enclose two standard deviations, about 86 % of a component. Colour says the class,
    intensity the prior; dots are the examples of `stream`, and a line is the path of a centre up
    to the last of the `times`.
    """
    check_kind(mixture, DriftingMixture, name="mixture")
    moments = as_curve(times, name="times")
    if not moments.size or not (np.isfinite(moments) & (moments >= 0)).all():
        raise ValueError(f"times must be finite and >= 0, at least one; got {shown(times)}")
    if stream is not None and check_kind(stream, Stream, name="stream").X.shape[1] != 2:
        raise ValueError(f"stream must have two attributes; got {stream.X.shape[1]}")
    if mixture.n_features != 2:
        raise ValueError(f"mixture must have two dimensions; got {mixture.n_features}")
    ax = axes_or_new(ax)
    if stream is not None:
        dots = [COLORS[k % len(COLORS)] for k in stream.y]
        x1, x2 = stream.X.T
        ax.scatter(x1, x2, c=dots, s=2, alpha=0.25, linewidths=0)
    priors = mixture.priors(moments)
    path = np.linspace(0, moments.max(), 400)
    for c, (component, k) in enumerate(zip(mixture.components, mixture.labels, strict=True)):
        color, pose = COLORS[k % len(COLORS)], component.at(moments)
        ax.plot(*component.at(path).mean.T, color=color, linewidth=0.8)
        turns = np.broadcast_to(pose.turn, (len(moments), 2, 2))
        for i, (mean, turn, scale) in enumerate(zip(pose.mean, turns, pose.scale, strict=True)):
            covariance = scale * turn @ np.array(component.covariance) @ turn.T
            if priors[i, c] > 0:
                ax.add_patch(_ellipse(mean, covariance, color, min(1.0, priors[i, c])))
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    ax.set_aspect("equal", adjustable="datalim")
    ax.autoscale_view()
    return ax


def _ellipse(mean: np.ndarray, covariance: np.ndarray, color: str, alpha: float) -> Ellipse:
    variances, axes = np.linalg.eigh(covariance)
    angle = np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))
    width, height = 4 * np.sqrt(variances[::-1])
    shade = to_rgba(color, 0.75 * alpha)
    return Ellipse((mean[0], mean[1]), width, height, angle=angle, facecolor=shade, edgecolor=color)
