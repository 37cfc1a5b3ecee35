"""Drift detectors: frozen descriptions, compiled kernels, one detector a file."""

from repro.detectors.adwin import ADWIN, adwin
from repro.detectors.ddm import DDM, ddm
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector
from repro.detectors.eddm import EDDM, eddm
from repro.detectors.page_hinkley import PageHinkley, page_hinkley
from repro.detectors.random_alarm import Random

__all__ = [
    "ADWIN",
    "CONTROL",
    "DDM",
    "DRIFT",
    "EDDM",
    "WARNING",
    "Detector",
    "PageHinkley",
    "Random",
    "adwin",
    "ddm",
    "eddm",
    "page_hinkley",
]
