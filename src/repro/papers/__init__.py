"""The set-ups of the papers as values: streams, learners, estimates and detectors, by name.

One module for each paper. The notebooks run them, and so can you, with a learner or a detector of
yours beside theirs.

>>> from repro import papers
>>> list(papers.testbed.LEARNERS)[:3]
['Optimal', 'NB', 'SGD']
"""

from repro.papers import drift_detection, permutations, temporal_dependence, testbed

__all__ = ["drift_detection", "permutations", "temporal_dependence", "testbed"]
