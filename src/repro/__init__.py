"""How to evaluate learners that learn from streams: five papers, reproduced number by number.

>>> from repro import TESTBED, learners, prequential
>>> stream = TESTBED["NSGT"].sample(seed=0)
>>> run = prequential(learners.NearestNeighbors(window=100), stream)
>>> round(run.error, 3)
0.052
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import repro._sources  # noqa: F401  # first: it notes the sources that the other modules come from

__version__ = "0.1.0"

if TYPE_CHECKING:
    from repro import (
        data_sets,
        detectors,
        figures,
        interop,
        learners,
        metrics,
        published,
        published_delays,
        results,
        streams,
        tables,
    )
    from repro.evaluation import Run, prequential
    from repro.holdouts import Holdout, holdout
    from repro.streams import TESTBED, Stream
    from repro.sweeps import sweep

__all__ = [
    "TESTBED",
    "Holdout",
    "Run",
    "Stream",
    "data_sets",
    "detectors",
    "figures",
    "holdout",
    "interop",
    "learners",
    "metrics",
    "prequential",
    "published",
    "published_delays",
    "results",
    "streams",
    "sweep",
    "tables",
]

_HOMES = {
    "TESTBED": "repro.streams",
    "Holdout": "repro.holdouts",
    "Run": "repro.evaluation",
    "Stream": "repro.streams",
    "holdout": "repro.holdouts",
    "prequential": "repro.evaluation",
    "sweep": "repro.sweeps",
}


def __getattr__(name: str) -> Any:
    # Names are loaded at first use: `python -m repro` answers before numpy and numba are in.
    if name not in __all__:
        raise AttributeError(f"module 'repro' has no attribute {name!r}")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    return importlib.import_module(f"repro.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
