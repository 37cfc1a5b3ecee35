"""Views to play with: sliders for windows, detectors and permutations, on any stream or run.

In JupyterLab each function gives a view of your stream or run, computed anew by the library
whenever a slider moves. The site has the same views as a page that needs no Python.
"""

from repro.explore.compare import compare
from repro.explore.dependence import dependence
from repro.explore.detection import detection
from repro.explore.estimators import estimators
from repro.explore.permutation import permutation
from repro.explore.stream import stream

__all__ = [
    "compare",
    "dependence",
    "detection",
    "estimators",
    "permutation",
    "stream",
]
