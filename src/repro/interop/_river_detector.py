"""A detector of ours as one of river's.

This module imports river, which need not be installed; other modules import it when needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from river import base

from repro._checks import as_number
from repro._seeding import seeded
from repro.detectors.ddm import DDM
from repro.detectors.detector import Detector
from repro.detectors.eddm import EDDM
from repro.detectors.foreign import ForeignDetector

__all__ = ["RiverBinaryDetector", "RiverDetector", "river_detector"]

BINARY = DDM, EDDM  # made for losses of 0 and 1


def river_detector(detector: Detector, seed: int | None = None) -> Any:
    """`detector` with river's protocol, before its first value.

    It is a `DriftAndWarningDetector` of river's, or a `BinaryDriftAndWarningDetector` for `DDM` and
    `EDDM`. One that never warns says so, since `DriftRetrainingClassifier` asks. A
    `ForeignDetector` around a detector of river's gives a copy of that, with its seeds set from
    `seed`; see `repro.interop.seeded`.

    >>> from repro.detectors import DDM
    >>> online = river_detector(DDM())
    >>> for i, loss in enumerate([0, 0, 0, 1] * 50 + [1] * 50):
    ...     online.update(loss)
    ...     if online.drift_detected:
    ...         print("alarm at", i)
    alarm at 216
    """
    if isinstance(detector, ForeignDetector) and isinstance(detector.model, base.Base):
        return seeded(detector.model, seed or 0)
    kind = RiverBinaryDetector if isinstance(detector, BINARY) else RiverDetector
    return kind(detector, seed)


class _Wrapper(ABC):
    """What the detectors below share.

    Parameters
    ----------
    detector : of this package.
    seed : of the detector's own randomness; None lets an evaluation choose it, elsewhere it is 0.
    """

    def __init__(self, detector: Detector, seed: int | None = None) -> None:
        super().__init__()
        # Attributes have the names of the arguments: river clones a detector by them.
        self.detector = replace(detector)  # the settings alone, not the values it may have seen
        self._updated = False
        self.seed = seed

    def __repr__(self) -> str:
        return f"to_river({self.detector!r}, seed={self.seed!r})"

    @property
    def seed(self) -> int | None:
        """Seed of the detector's own randomness; None means 0, or the seed of an evaluation."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if self._updated:
            raise AttributeError("seed must be set before the first update")
        self._seed, self._online = seed, self.detector.online(seed or 0)

    @abstractmethod
    def update(self, x: float) -> None:
        """Take in the value `x`."""

    def _take(self, x: float) -> None:
        self._online.update(as_number(x, name="x"))
        self._updated = True
        self._drift_detected = self._online.drift_detected
        self._warning_detected = self._online.warning_detected

    def _reset(self) -> None:
        """Forget everything, as river's detectors do."""
        self._updated = self._drift_detected = self._warning_detected = False
        self.seed = self._seed

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"detector": DDM()}


class RiverDetector(_Wrapper, base.DriftAndWarningDetector):
    """A detector of ours for numbers, with river's protocol; made by `repro.interop.to_river`."""

    def update(self, x: float) -> None:
        """Take in the number `x`."""
        self._take(x)


class RiverBinaryDetector(_Wrapper, base.BinaryDriftAndWarningDetector):
    """A detector of ours for losses of 0 and 1, with river's protocol; made by `to_river`."""

    def update(self, x: float) -> None:
        """Take in the loss `x`."""
        self._take(x)
