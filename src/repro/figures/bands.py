"""Several runs as a mean and what surrounds it."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

__all__ = ["plot_bands"]


def plot_bands(
    t: ArrayLike, curves: Mapping[str, tuple[ArrayLike, ArrayLike]], *, ax: Axes | None = None
) -> Axes:
    """Error in percent at the times `t` (m,): for each name a centre and a half-width, both (m,).

    The centre is a line and the band reaches the half-width, such as two standard errors, to both
    sides; both are shares of 1. A half-width of 0 draws the line alone. The axis does not begin
    at 0.
    """
    ax = plt.subplots(layout="constrained")[1] if ax is None else ax
    times = np.asarray(t, dtype=np.float64)
    for label, pair in curves.items():
        centre, half = (100 * np.asarray(values, dtype=np.float64) for values in pair)
        (line,) = ax.plot(times, centre, label=label, linewidth=1.1)
        if np.any(half > 0):
            color = line.get_color()
            ax.fill_between(times, centre - half, centre + half, color=color, alpha=0.2, lw=0)
    ax.set(xlabel="Examples seen", ylabel="Error [%]")
    return ax
