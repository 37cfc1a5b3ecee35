"""Paper 3, Žliobaitė and others (2015): its learners, in `setup`."""

from repro.papers.temporal_dependence.setup import LEARNERS

__all__ = ["LEARNERS"]
