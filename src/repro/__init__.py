"""How to evaluate learners that learn from streams: five papers, reproduced number by number.

>>> from repro import TESTBED, learners, prequential
>>> stream = TESTBED["NSGT"].sample(seed=0)
>>> run = prequential(learners.NearestNeighbors(window=100), stream)
>>> round(run.error, 3)
0.052
"""

from __future__ import annotations

import lazy_loader

import repro.kernels.sources  # noqa: F401  # first: it notes where the other modules come from

__version__ = "1.0.0"

# Names are loaded at first use: `python -m repro` answers before numpy and numba are in. Their
# list is __init__.pyi.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
