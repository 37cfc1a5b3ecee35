"""Does a model predict the same when it runs again?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from repro.evaluation.prequential import prequential
from repro.judge._learner.runs import Runs

__all__ = ["TWICE", "Repeated", "run_twice"]

TWICE = "Does it predict the same when it runs again?"
MOST = 2000  # examples that are run twice


class Repeated(NamedTuple):
    """Two runs of a model with one seed on the same examples."""

    stream: str
    n: int  # examples
    differ: int  # predictions that differ

    @property
    def verdict(self) -> tuple[str, str]:
        """``yes`` or ``no``, and the evidence."""
        evidence = (
            f"{self.differ:,} of {self.n:,} predictions differ between two runs with one seed on "
            f"the first examples of {self.stream}"
        )
        return ("no" if self.differ else "yes"), evidence


def run_twice(runs: Runs) -> dict[str, Repeated]:
    """Your models, twice on the first examples of a stream on which they run."""
    repeated = {}
    for name in runs.entrants.mine:
        ran = [stream for stream in runs.streams if np.isfinite(runs.errors.loc[stream, name])]
        if not ran:
            continue
        draw = runs.draws[ran[0]]
        part = draw.take(np.arange(min(len(draw), MOST)))
        learner = runs.entrants.learners[name]
        first, second = (
            prequential(learner, part, runs.seeds[0], proba=False).y_pred for _ in range(2)
        )
        repeated[name] = Repeated(ran[0], len(part), int(np.count_nonzero(first != second)))
    return repeated
