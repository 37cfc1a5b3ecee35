"""Part `estimators`: seconds of each estimator on an array of losses, beside np.cumsum of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from losses import Losses, stationary
from timing import clock, seconds_for

from repro import detectors, metrics
from repro.statistics import confidence_sequence

Use = Callable[[Losses], Any]
WINDOWS = detectors.SlidingEstimate(1000), detectors.SlidingEstimate(5000)
ONE: dict[str, Use] = {  # of one array of losses
    "prequential_error": lambda x: metrics.prequential_error(x.loss),
    "sliding_error": lambda x: metrics.sliding_error(x.loss),
    "fading_error": lambda x: metrics.fading_error(x.loss),
    "error_ratio, alphas": lambda x: detectors.error_ratio(x.loss),
    "error_ratio, windows": lambda x: detectors.error_ratio(x.loss, *WINDOWS),
    "confidence_sequence, mixture": lambda x: confidence_sequence(x.loss),
    "confidence_sequence, stitched": lambda x: confidence_sequence(x.loss, form="stitched"),
}
TWO: dict[str, Use] = {  # of the losses of two learners, or of labels and predictions
    "q_statistic": lambda x: metrics.q_statistic(x.loss, x.other),
    "q_statistic, alpha": lambda x: metrics.q_statistic(x.loss, x.other, alpha=0.999),
    "q_statistic, window": lambda x: metrics.q_statistic(x.loss, x.other, window=1000),
    "mcnemar": lambda x: metrics.mcnemar(x.loss, x.other),
    "mcnemar, alpha": lambda x: metrics.mcnemar(x.loss, x.other, alpha=0.999),
    "mcnemar, window": lambda x: metrics.mcnemar(x.loss, x.other, window=1000),
    "kappa, alpha": lambda x: metrics.kappa(x.y, x.y_pred, alpha=0.999),
    "kappa, window": lambda x: metrics.kappa(x.y, x.y_pred, window=1000),
    "kappa_temporal, alpha": lambda x: metrics.kappa_temporal(x.y, x.y_pred, alpha=0.999),
    "kappa_temporal, window": lambda x: metrics.kappa_temporal(x.y, x.y_pred, window=1000),
}
ESTIMATORS = ONE | TWO


def measure(sizes: list[int], rounds: int) -> pd.DataFrame:
    """One row per estimator, number of losses and round."""
    rows = []
    for n in sizes:
        losses = stationary(n)
        for name, estimator in ESTIMATORS.items():
            print(f"  {name} of {n} losses", flush=True)
            estimator(stationary(10))  # compiles
            for number in range(rounds):
                ours = clock(lambda f=estimator, x=losses: f(x), seconds_for(n))
                cumsum = clock(lambda x=losses.loss: np.cumsum(x), seconds_for(n))
                key = {"estimator": name, "arrays": 1 + (name in TWO), "n": n, "round": number}
                rows.append({**key, "seconds": ours, "cumsum_seconds": cumsum})
    return pd.DataFrame(rows)
