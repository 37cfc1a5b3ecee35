"""What a statement at any time promises, and of which losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_floats, check_choice, check_number, shown
from repro.statistics._boundary_tables import BoundaryTable, along, tabulated
from repro.statistics._mixtures import RHO, mixture_bound, stitched_bound
from repro.statistics.estimates import Floats

__all__ = ["BOUNDS", "FORMS", "Rules", "check_losses", "in_units"]

FORMS = ("mixture", "stitched", "betting")
BOUNDS = (0.0, 1.0)


@dataclass(frozen=True)
class Rules:
    """What an interval promises, and of what."""

    confidence: float
    bounds: tuple[float, float]
    form: str

    @classmethod
    def of(cls, confidence: float, bounds: tuple[float, float], form: str) -> Rules:
        """The rules, checked."""
        level = check_number(confidence, name="confidence", above=0)
        if level >= 1:
            raise ValueError(f"confidence must lie between 0 and 1; got {shown(confidence)}")
        if not isinstance(bounds, tuple | list) or len(bounds) != 2:
            raise ValueError(f"bounds must be two numbers, low and high; got {shown(bounds)}")
        low, high = (check_number(bound, name="bounds") for bound in bounds)
        if not low < high:
            raise ValueError(f"bounds must be two numbers, low < high; got {shown(bounds)}")
        if not isfinite(high - low):
            raise ValueError(f"bounds must have a finite difference; got {shown(bounds)}")
        return cls(level, (low, high), check_choice(form, FORMS, name="form"))

    @property
    def level(self) -> float:
        """Probability that the interval is left on one of its sides."""
        return (1 - self.confidence) / 2

    @property
    def _bound(self) -> Callable[[Floats, float, float], Floats]:
        return stitched_bound if self.form == "stitched" else mixture_bound

    @property
    def table(self) -> BoundaryTable:
        """How far a sum is from its expectation at most, on one side, for a range of 1."""
        start, scale = (1.0, 0.1) if self.form == "stitched" else (0.0, RHO)
        return tabulated(self._bound, self.level, start, scale)

    def reach(self, squares: float) -> float:
        """The same at one sum of squares, without a table."""
        return float(self._bound(np.array([squares]), self.level, 1.0)[0])

    def reach_along(self, squares: Floats, c: float) -> Floats:
        """The same at each of the rising `squares`, for values in an interval of length `c`."""
        return c * along(squares / c**2, self.table)


def check_losses(loss: ArrayLike, bounds: tuple[float, float], *, name: str) -> Floats:
    """The losses as floats, shape (n,); nan where the label has not come."""
    values = as_floats(loss, name=name)
    if values.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {values.shape}")
    low, high = bounds
    least, most = np.fmin.reduce(values, initial=high), np.fmax.reduce(values, initial=low)
    if least < low or most > high:
        at = int(((values < low) | (values > high)).argmax())
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}]; got {values[at]} at index {at}")
    return values


def in_units(loss: ArrayLike, bounds: tuple[float, float], *, name: str) -> Floats:
    """The losses in units of the bounds, nan where the label has not come."""
    low, high = bounds
    return (check_losses(loss, bounds, name=name) - low) / (high - low)
