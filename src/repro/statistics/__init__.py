"""Statistics of repeats and of streams: what reports and verdicts tell is computed here.

Estimates with standard errors, tests for several comparisons at once, ranks of learners, shares of
runs, and tests of dependent examples: how long they depend, and whether they drift.
"""

from __future__ import annotations

import lazy_loader

# At first use: the test of drift needs a learner and its kernels, the other names do not.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
