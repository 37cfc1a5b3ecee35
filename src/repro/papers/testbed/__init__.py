"""Paper 1, Cervantes, Gagné, Isasi and Parizeau (2018): its learners, and its claims.

`setup` says how the paper is read; `claims` judges its sentences from the runs of notebook 01.
"""

from repro.papers.testbed.setup import LEARNERS

__all__ = ["LEARNERS"]
