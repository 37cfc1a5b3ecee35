"""Part `streams`: seconds to sample each stream of the testbed, beside river and numpy.

river has no drifting Gaussian mixture; its closest generator is the random RBF with moving
centres, here with as many attributes, classes and centres, without posteriors. numpy draws as
many normal deviates, which is the least that a sample can cost.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pandas as pd
from river.datasets import synth
from timing import clock

from repro import TESTBED

RIVER_PART = 2_000  # examples of river: its generators cost the same for each


def measure(rounds: int) -> pd.DataFrame:
    """One row per stream, generator and round."""
    rows = []
    for name, mixture in TESTBED.items():
        print(f"  {name}", flush=True)
        n, shape = mixture.n, (mixture.n, mixture.n_features)
        rng = np.random.default_rng(0)
        ways = {
            "ours": (n, lambda m=mixture: m.sample(seed=0)),
            "numpy": (n, lambda s=shape, r=rng: r.standard_normal(s)),
            "river": (RIVER_PART, lambda m=mixture: deque(_rbf(m).take(RIVER_PART), maxlen=0)),
        }
        for number in range(rounds):
            for generator, (examples, draw) in ways.items():
                key = {"stream": name, "generator": generator, "round": number, "n": n}
                rows.append({**key, "examples": examples, "seconds": clock(draw)})
    return pd.DataFrame(rows)


def _rbf(mixture: Any) -> synth.RandomRBFDrift:
    return synth.RandomRBFDrift(
        seed_model=1,
        seed_sample=1,
        n_classes=mixture.n_classes,
        n_features=mixture.n_features,
        n_centroids=len(mixture.components),
        change_speed=0.001,
        n_drift_centroids=len(mixture.components),
    )
