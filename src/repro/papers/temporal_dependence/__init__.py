"""Paper 3, Žliobaitė and others (2015): learners, in `setup`, and sentences, in `claims`."""

from repro.papers.temporal_dependence.setup import LEARNERS

__all__ = ["LEARNERS"]
