"""What a report on detectors rests on: alarms, calibrations, and rates, by detector and losses."""

from __future__ import annotations

from typing import NamedTuple

from repro.detectors.recorded import Fit
from repro.judge._detector.losses import INDEPENDENT, REAL, Group
from repro.judge._detector.runs import Alarms
from repro.metrics.detection import DetectionReport
from repro.statistics.counts import count_interval, dispersion
from repro.statistics.estimates import LEVEL

__all__ = ["SOURCES", "Key", "Point", "Rate", "Row", "Study"]

SOURCES = REAL, INDEPENDENT


class Row(NamedTuple):
    """A detector on losses of one source, and the detector at whose false-alarm rate it is."""

    losses: str
    beside: str
    detector: str


class Point(NamedTuple):
    """A setting of a detector on losses of one source."""

    losses: str
    detector: str
    value: float


class Key(NamedTuple):
    """A row on losses of one level: of a stream, or with an error rate before the change."""

    losses: str
    beside: str
    detector: str
    level: str

    @property
    def row(self) -> Row:
        """The row that it is a part of."""
        return Row(*self[:3])


class Rate(NamedTuple):
    """A rate of false alarms that was counted on losses for calibration."""

    counts: tuple[int, ...]  # alarms of each run
    n: int  # losses of all

    @property
    def alarms(self) -> int:
        """The alarms of all runs."""
        return sum(self.counts)

    @property
    def per_alarm(self) -> float:
        """Losses per alarm; all losses, if there is no alarm."""
        return self.n / max(1, self.alarms)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The interval of losses per alarm; alarms of a run may come in clusters."""
        least, most = count_interval(self.counts, level)
        return self.n / most, self.n / least if least else float("inf")

    @property
    def relative_variance(self) -> float:
        """The squared standard error of the logarithm of the rate; without an alarm that of one."""
        return dispersion(self.counts) / max(1, self.alarms)


class Study(NamedTuple):
    """All alarms of a report, with the changes where `drifts_of` says.

    Attributes
    ----------
    alarms : by row and group.
    reports : measures by row and kind of change.
    settings : of each row, in words.
    fits : what the calibration found at each level; none for a detector as it was given.
    rates : false alarms of the user's detectors on the losses for calibration, by (losses, name,
        level); they are those at which detectors are compared.
    wanted : examples per false alarm at which all are compared; None for `rates`.
    curves : alarms of each setting by group.
    as_given : alarms of the user's detectors as they are, by name and group.
    failures : why a detector, or a setting of it, has no alarms.
    """

    alarms: dict[Row, dict[Group, Alarms]]
    reports: dict[Row, dict[str, DetectionReport]]
    settings: dict[Row, str]
    fits: dict[Key, Fit]
    rates: dict[tuple[str, str, str], Rate]
    wanted: float | None
    curves: dict[Point, dict[Group, Alarms]]
    as_given: dict[str, dict[Group, Alarms]]
    failures: dict[str, str]

    def target(self, key: Key | Row, level: str = "") -> float:
        """Examples per false alarm at which the detectors of a row are compared at a level."""
        at = key.level if isinstance(key, Key) else level
        return self.wanted or self.rates[key.losses, key.beside, at].per_alarm

    def rate_of(self, key: Key) -> Rate:
        """The rate of a calibrated detector on the losses it was calibrated on."""
        return Rate(self.fits[key].counts, self.rates[key.losses, key.beside, key.level].n)

    def reaches(self, key: Key) -> bool:
        """Whether the calibration found the wanted rate: within a fifth, or one alarm."""
        fit, target = self.fits[key], self.target(key)
        n = self.rates[key.losses, key.beside, key.level].n
        return fit.reaches(target) or abs(n / fit.found - n / target) <= 1
