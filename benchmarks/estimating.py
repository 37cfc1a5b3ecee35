"""Part `estimators`: seconds of each estimator on an array of losses, beside np.cumsum of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from timing import clock

from repro import metrics

ESTIMATORS: dict[str, Callable] = {
    "prequential_error": metrics.prequential_error,
    "sliding_error": metrics.sliding_error,
    "fading_error": metrics.fading_error,
}


def measure(sizes: list[int], rounds: int) -> pd.DataFrame:
    """One row per estimator, number of losses and round."""
    rows = []
    for n in sizes:
        loss = (np.random.default_rng(0).random(n) < 0.2).astype(float)
        for name, estimator in ESTIMATORS.items():
            print(f"  {name} of {n} losses", flush=True)
            estimator(loss[:10])  # compiles
            for number in range(rounds):
                ours = clock(lambda f=estimator, x=loss: f(x))
                cumsum = clock(lambda x=loss: np.cumsum(x))
                key = {"estimator": name, "n": n, "round": number}
                rows.append({**key, "seconds": ours, "cumsum_seconds": cumsum})
    return pd.DataFrame(rows)
