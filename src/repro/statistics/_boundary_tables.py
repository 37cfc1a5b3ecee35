r"""Boundaries from a table: along an array they cost a few multiplications for each example.

A boundary is a smooth function of :math:`V_t`, which never falls. So it is computed where
:math:`V_t` has grown by a hundredth, and a cubic spline leads from point to point: the error is
below :math:`10^{-9}` of the boundary up to :math:`V_t = 10^6`, beyond which rounding errors are
larger than that, and the next point is never far.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from repro.kernels.compiling import kernel
from repro.statistics.estimates import Floats

__all__ = ["BoundaryTable", "along", "fill_sequence", "tabulated"]

GROWTH, END = 1.01, 1e11  # an array has no more examples than END


class BoundaryTable(NamedTuple):
    """Points, in squares of the range, and the cubic from each of them to the next."""

    points: Floats  #: shape (m,)
    cubics: Floats  #: coefficients, the highest power first; shape (m - 1, 4)


@lru_cache(maxsize=64)
def tabulated(
    bound: Callable[..., Floats], level: float, start: float, scale: float
) -> BoundaryTable:
    """The `bound` at `level` of sums of values in an interval of length 1.

    The points begin at `start`, where the bound begins to rise; from a point that is d away from it
    the next is a hundredth of ``d + scale`` further.
    """
    steps = np.arange(np.ceil(np.log(END / scale) / np.log(GROWTH)))
    points = start + scale * (GROWTH**steps - 1)
    spline: Any = CubicSpline(points, bound(points, level, 1.0))
    return BoundaryTable(points, np.ascontiguousarray(spline.c.T))


def along(squares: Floats, table: BoundaryTable) -> Floats:
    """The boundary at each of the rising `squares`, shape (n,), in squares of the range."""
    bounds = np.empty(squares.size)
    _along(squares, table.points, table.cubics, bounds)
    return bounds


def fill_sequence(
    loss: Floats, bounds: tuple[float, float], table: BoundaryTable, intervals: Floats
) -> None:
    """Write the interval of the mean of `loss` so far into `intervals`, shape (n, 2)."""
    low, high = bounds
    _fill_sequence(loss, low, high, high - low, table.points, table.cubics, intervals)


@kernel
def _bound_at(v, i, points, cubics):  # type: ignore[no-untyped-def]
    """The boundary at `v`, and the point before it, `i` or later."""
    while i < cubics.shape[0] - 1 and v > points[i + 1]:
        i += 1
    h = max(v - points[i], 0.0)
    return ((cubics[i, 0] * h + cubics[i, 1]) * h + cubics[i, 2]) * h + cubics[i, 3], i


@kernel
def _along(squares, points, cubics, bounds):  # type: ignore[no-untyped-def]
    at = 0
    for i in range(squares.size):
        bounds[i], at = _bound_at(squares[i], at, points, cubics)


@kernel
def _fill_sequence(loss, low, high, width, points, cubics, intervals):  # type: ignore[no-untyped-def]
    total = squares = 0.0
    n = at = 0
    lower, upper = low, high
    for i in range(loss.size):
        if not np.isnan(loss[i]):
            x = (loss[i] - low) / width
            n += 1
            squares += (x - (0.5 + total) / n) ** 2
            total += x
            bound, at = _bound_at(squares, at, points, cubics)
            lower = low + width * max(total / n - bound / n, 0.0)
            upper = low + width * min(total / n + bound / n, 1.0)
        intervals[i, 0] = lower
        intervals[i, 1] = upper
