"""Paper 3, Žliobaitė and others (2015): its learners, and its claims.

`setup` says how the paper is read; `claims` judges its sentences from the runs of notebook 04.
"""

from repro.papers.temporal_dependence.setup import LEARNERS

__all__ = ["LEARNERS"]
