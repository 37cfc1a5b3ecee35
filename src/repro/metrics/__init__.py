"""Measures of learners: functions on arrays of losses and labels, with online twins."""

from repro.metrics.comparison import as_good_as_best
from repro.metrics.estimators import (
    FadingError,
    HoldoutError,
    PrequentialError,
    SlidingError,
    fading_error,
    holdout_error,
    prequential_error,
    sliding_error,
)
from repro.metrics.recovery import Recovery, recovery

__all__ = [
    "FadingError",
    "HoldoutError",
    "PrequentialError",
    "Recovery",
    "SlidingError",
    "as_good_as_best",
    "fading_error",
    "holdout_error",
    "prequential_error",
    "recovery",
    "sliding_error",
]
