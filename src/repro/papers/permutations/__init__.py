"""Paper 4, Žliobaitė (2014): its learners, and its claims.

`setup` says how the paper is read; `claims` judges its sentences from the runs of notebook 05.
"""

from repro.papers.permutations.setup import LEARNERS

__all__ = ["LEARNERS"]
