"""Paper 2, Gama, Sebastião and Rodrigues (2013), Sections 3 and 4: its set-up, and its claims.

`setup` has the estimates and memories; `claims` judges its sentences from the runs of notebook 02.
"""

from repro.papers.estimators.setup import (
    BY_FADING,
    BY_WINDOW,
    ESTIMATORS,
    FORGETTING,
    M_MEMORY,
    Q_MEMORY,
    THRESHOLD,
    WINDOWS,
)

__all__ = [
    "BY_FADING",
    "BY_WINDOW",
    "ESTIMATORS",
    "FORGETTING",
    "M_MEMORY",
    "Q_MEMORY",
    "THRESHOLD",
    "WINDOWS",
]
