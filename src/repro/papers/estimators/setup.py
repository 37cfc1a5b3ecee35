"""Paper 2: the estimates of Gama, Sebastião and Rodrigues (2013), Sections 3 and 4.

Estimates of the error with the memories that notebook 02 compares, and the statistics for two
learners. A fading factor has the memory of the window beside it: alpha = (w - 1) / (w + 1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from scipy.stats import chi2

from repro.metrics.estimators import fading_error, prequential_error, sliding_error
from repro.metrics.memory import alpha_for
from repro.statistics.estimates import Floats

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

Estimator = Callable[[Floats], Floats]

WINDOWS = (100, 1000, 5000)  #: lengths of the windows of Figure 3
#: Estimates of the error, from losses to the estimate after each of them.
BY_WINDOW: dict[str, Estimator] = {f"w = {w}": partial(sliding_error, window=w) for w in WINDOWS}
BY_FADING: dict[str, Estimator] = {
    f"α = {alpha_for(w):.4f}": partial(fading_error, alpha=alpha_for(w)) for w in WINDOWS
}
FORGETTING: dict[str, Estimator] = BY_WINDOW | BY_FADING
ESTIMATORS: dict[str, Estimator] = {"prequential": prequential_error} | FORGETTING

#: The memories of Q in Figures 4 and 5, and of McNemar's statistic in Figures 6 and 7.
Q_MEMORY: dict[str, dict[str, Any]] = {
    "cumulative": {},
    "w = 250": {"window": 250},
    "α = 0.995": {"alpha": 0.995},
}
M_MEMORY: dict[str, dict[str, Any]] = {
    "cumulative": {},
    "w = 1000": {"window": 1000},
    "w = 100": {"window": 100},
    "α = 0.999": {"alpha": 0.999},
    "α = 0.99": {"alpha": 0.99},
}
THRESHOLD = float(chi2.isf(0.01, 1))  #: of McNemar's test at the confidence .99
