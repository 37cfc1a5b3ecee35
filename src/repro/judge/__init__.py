"""Reports on your learner, drift detector, stream or predictions, against what is possible.

``judge.learner(model)``, ``judge.detector(detector)``, ``judge.stream("my.csv", label="y")`` and
``judge.predictions("log.csv", label="y", predicted="p")`` return a `Report`: the answer in words,
the verdicts, and the tables and figures that they rest on.
"""

from __future__ import annotations

import lazy_loader

# They need numba, figures and more, and the command line only the names of their options.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
