"""Drift detectors: frozen descriptions with compiled kernels, one detector per file."""

from repro.detectors.adwin import ADWIN, adwin
from repro.detectors.calibration import Calibration, calibrate
from repro.detectors.ddm import DDM, ddm
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector, OnlineDetector
from repro.detectors.e_detector import EDetector, e_detector
from repro.detectors.eddm import EDDM, eddm
from repro.detectors.estimates import Estimate, FadingEstimate, SlidingEstimate
from repro.detectors.expected_delay import expected_delay
from repro.detectors.foreign import ForeignDetector, as_detector
from repro.detectors.monitor import Monitor, monitor_all
from repro.detectors.page_hinkley import PageHinkley, page_hinkley
from repro.detectors.random_alarm import RandomAlarms
from repro.detectors.ratio import ErrorRatio, error_ratio
from repro.detectors.run_lengths import run_lengths

__all__ = [
    "ADWIN",
    "CONTROL",
    "DDM",
    "DRIFT",
    "EDDM",
    "WARNING",
    "Calibration",
    "Detector",
    "EDetector",
    "ErrorRatio",
    "Estimate",
    "FadingEstimate",
    "ForeignDetector",
    "Monitor",
    "OnlineDetector",
    "PageHinkley",
    "RandomAlarms",
    "SlidingEstimate",
    "adwin",
    "as_detector",
    "calibrate",
    "ddm",
    "e_detector",
    "eddm",
    "error_ratio",
    "expected_delay",
    "monitor_all",
    "page_hinkley",
    "run_lengths",
]
