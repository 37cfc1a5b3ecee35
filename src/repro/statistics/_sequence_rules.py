"""What a statement at any time promises, and of which losses."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from numpy.typing import ArrayLike

from repro._checks import as_floats, check_choice, check_number, shown
from repro.statistics._mixtures import mixture_bound, stitched_bound
from repro.statistics.estimates import Floats

__all__ = ["BOUNDS", "FORMS", "Rules", "in_units"]

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

    def reach(self, squares: Floats, c: float) -> Floats:
        """How far the sum is from its expectation at most, on one side."""
        bound = stitched_bound if self.form == "stitched" else mixture_bound
        return bound(squares, self.level, c)


def in_units(loss: ArrayLike, bounds: tuple[float, float], *, name: str) -> Floats:
    """The losses in units of the bounds, nan where the label has not come."""
    values = as_floats(loss, name=name)
    if values.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {values.shape}")
    low, high = bounds
    outside = (values < low) | (values > high)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}]; got {values[at]} at index {at}")
    return (values - low) / (high - low)
