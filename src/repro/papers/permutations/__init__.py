"""Paper 4, Žliobaitė (2014): its learners, in `setup`, and its sentences, in `claims`."""

from repro.papers.permutations.setup import LEARNERS

__all__ = ["LEARNERS"]
