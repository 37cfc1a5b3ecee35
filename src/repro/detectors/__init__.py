"""Drift detectors: frozen descriptions, compiled kernels, one detector a file."""

from repro.detectors.ddm import DDM, ddm
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector

__all__ = ["CONTROL", "DDM", "DRIFT", "WARNING", "Detector", "ddm"]
