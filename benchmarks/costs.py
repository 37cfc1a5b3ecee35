"""Part `costs`: what an example costs the learners of the testbed's paper, beside naive Bayes.

Notebook 01 shows the ratios as incorporation costs. They are read from `data/published`, because a
notebook that measured them would have another table after each run.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from timing import clock

from repro import TESTBED, prequential
from repro.papers.testbed import LEARNERS

COSTS = Path(__file__).resolve().parents[1] / "data" / "published" / "testbed_costs.csv"
UNIT = "NB"  # the learner whose cost is 1


def measure(rounds: int, together: float) -> pd.DataFrame:
    """One row per stream, round and learner: seconds of learning and predicting one example.

    The learners of a round run one right after the other, for `together` seconds each.
    """
    names = [name for name in LEARNERS if name != "Optimal"]
    rows = []
    for stream, mixture in TESTBED.items():
        draw = mixture.sample(0)
        for number in range(rounds):
            print(f"  {stream}, {number + 1} of {rounds}", flush=True)
            for name in names:
                learner = LEARNERS[name]
                seconds = clock(lambda a=learner, b=draw: prequential(a, b, proba=False), together)
                rows.append((stream, name, number, seconds / len(draw)))
    return pd.DataFrame(rows, columns=["stream", "learner", "round", "seconds"])


def ratios(frame: pd.DataFrame) -> pd.DataFrame:
    """Cost of each learner on each stream in times that of naive Bayes; medians over the rounds."""
    by = frame.pivot(index=["stream", "round"], columns="learner", values="seconds")
    times = by.div(by[UNIT], axis=0).groupby("stream", sort=False).median()
    order = [name for name in LEARNERS if name in times]
    return times[order].rename_axis(columns="learner")


def publish(frame: pd.DataFrame) -> None:
    """Write the ratios where notebook 01 reads them."""
    rows = ratios(frame).stack().rename("times naive Bayes").reset_index()
    rows.to_csv(COSTS, index=False, float_format="%.3g", lineterminator="\n")
