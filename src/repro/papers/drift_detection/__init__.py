"""Paper 2, Gama, Sebastião and Rodrigues (2013), Section 5: its set-up, and its claims.

`setup` says how the paper is read; `claims` judges its sentences from the runs of notebook 03.
"""

from repro.papers.drift_detection.setup import (
    AFTER,
    ALPHAS,
    CHANGE,
    DETECTORS,
    DRIFTS,
    ESTIMATES,
    LEAGUE,
    LEARNERS,
    PAGE_HINKLEY,
    PAIRS,
    PLAIN,
    RATIOS,
    STREAMS,
    TRADEOFF,
    WINDOWS,
    detectors,
    tradeoff,
)

__all__ = [
    "AFTER",
    "ALPHAS",
    "CHANGE",
    "DETECTORS",
    "DRIFTS",
    "ESTIMATES",
    "LEAGUE",
    "LEARNERS",
    "PAGE_HINKLEY",
    "PAIRS",
    "PLAIN",
    "RATIOS",
    "STREAMS",
    "TRADEOFF",
    "WINDOWS",
    "detectors",
    "tradeoff",
]
