"""How each paper is read: its streams, learners and settings as values, and its claims.

One folder for each paper; paper 2 has two. The notebooks run them, and so can you, with a learner
or a detector of yours beside theirs. The module `claims` of a folder has a function for every
sentence that is judged, or for a family of them.

>>> from repro import papers
>>> list(papers.testbed.LEARNERS)[:3]
['Optimal', 'NB', 'SGD']
"""

from __future__ import annotations

import lazy_loader

# A worker of one paper's runs needs no other paper.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
