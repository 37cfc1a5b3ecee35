"""Evaluation: a learner along a stream, test-then-train or with a holdout, and sweeps of both."""

from __future__ import annotations

import lazy_loader

# At first use: the key of a stored result covers what a module of this package imports, and
# nothing else of it.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
