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
    """Runs of a model on the same examples, two with one seed and one with another."""

    stream: str
    n: int  # examples
    differ: int  # predictions that differ between the runs with one seed
    by_seed: int  # predictions that another seed changes

    @property
    def verdict(self) -> tuple[str, str]:
        """Whether it predicts the same, and the evidence."""
        evidence = (
            f"on the first {self.n:,} examples of {self.stream}, {self.differ:,} predictions "
            f"differ between two runs with one seed, and {self.by_seed:,} with another seed"
        )
        if self.differ:
            return "no", evidence
        return ("with the same seed" if self.by_seed else "yes"), evidence


def run_twice(runs: Runs) -> dict[str, Repeated]:
    """Your models, three times on the first examples of a stream on which they run."""
    repeated = {}
    for name in runs.entrants.mine:
        ran = [stream for stream in runs.streams if np.isfinite(runs.errors.loc[stream, name])]
        if not ran:
            continue
        draw = runs.draws[ran[0]]
        part = draw.take(np.arange(min(len(draw), MOST)))
        learner, seed = runs.entrants.learners[name], runs.seeds[0]
        numbers = seed, seed, seed + 1
        try:
            one, again, other = (prequential(learner, part, s, proba=False).y_pred for s in numbers)
        except Exception:  # it fails on this draw: another verdict says so
            continue
        differ, by_seed = np.count_nonzero(one != again), np.count_nonzero(one != other)
        repeated[name] = Repeated(ran[0], len(part), int(differ), int(by_seed))
    return repeated
