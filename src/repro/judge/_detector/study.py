"""What is run for a report on detectors: as given, at equal false-alarm rates, over settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from repro.detectors.recorded import Fit, Runs
from repro.judge._detector.inputs import Given
from repro.judge._detector.losses import INDEPENDENT, REAL, Group
from repro.judge._detector.measures import null_counts, reports_on
from repro.judge._detector.references import NEVER, RANDOM, REFERENCES, Family, random_at
from repro.judge._detector.runs import Alarms, Search, fit_detectors, run_detectors
from repro.metrics.detection import DetectionReport

__all__ = ["SOURCES", "Point", "Row", "Study", "study_of"]

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


class Study(NamedTuple):
    """All alarms of a report.

    Attributes
    ----------
    alarms : by row and group.
    reports : measures by row and kind of change.
    settings : of each row, in words.
    fits : what the calibration of each row found; none for a detector as it was given.
    targets : examples per false alarm at which the detectors of (losses, beside) are compared, of
        the losses that they are calibrated on.
    curves : alarms of each setting by group.
    as_given : alarms of the user's detectors as they are, by name and group.
    failures : why a detector, or a setting of it, has no alarms.
    """

    alarms: dict[Row, dict[Group, Alarms]]
    reports: dict[Row, dict[str, DetectionReport]]
    settings: dict[Row, str]
    fits: dict[Row, Fit]
    targets: dict[tuple[str, str], float]
    curves: dict[Point, dict[Group, Alarms]]
    as_given: dict[str, dict[Group, Alarms]]
    failures: dict[str, str]


class Runner(NamedTuple):
    """The losses, and how the work on them is done."""

    losses: Mapping[Group, Runs]
    jobs: int
    cache: str | Path | None
    keys: Mapping[str, str]

    def of(self, source: str, kinds: tuple[str, ...] = ()) -> dict[Group, Runs]:
        """The losses of one source, all kinds or some."""
        return {
            group: runs
            for group, runs in self.losses.items()
            if group.losses == source and (not kinds or group.kind in kinds)
        }

    def run(
        self, detectors: Mapping[Any, Any], losses: Mapping[Group, Runs]
    ) -> tuple[dict[Any, dict[Group, Alarms]], dict[Any, str]]:
        """Alarms of each detector by group, and failures."""
        alarms, failures = run_detectors(
            detectors, losses, jobs=self.jobs, cache=self.cache, keys=self.versions(detectors)
        )
        by_group: dict[Any, dict[Group, Alarms]] = {}
        for (name, group), runs in alarms.items():
            by_group.setdefault(name, {})[group] = runs
        return by_group, failures

    def versions(self, rows: Iterable[Any]) -> dict[Any, str]:
        """The versions of user code, by row or point instead of by name."""
        names = {row: str(getattr(row, "detector", row)) for row in rows}
        return {row: self.keys[name] for row, name in names.items() if name in self.keys}


def study_of(
    user_detectors: Mapping[str, Given],
    losses: Mapping[Group, Runs],
    held: Mapping[Group, Runs],
    arl0: float | None,
    *,
    jobs: int,
    cache: str | Path | None,
    keys: Mapping[str, str],
) -> Study:
    """Calibrate the `user_detectors` and the references on `held`, and run them on `losses`.

    Parameters
    ----------
    user_detectors : those of the user, by name.
    losses : runs of all groups.
    held : runs without a change on which rates are measured and set; no others are used for that.
    arl0 : target in examples per false alarm; None for those of each detector as it is given.
    jobs, cache, keys : as in `run_detectors`.
    """
    runner = Runner(losses, jobs, cache, keys)
    as_given, failures = runner.run(
        {name: g.detector for name, g in user_detectors.items()}, losses
    )
    held_alarms, lost = runner.run({n: user_detectors[n].detector for n in as_given}, held)
    failures |= lost
    usable = {n: g for n, g in user_detectors.items() if n in as_given and n in held_alarms}
    targets = {
        (source, name): arl0 or _per_alarm(held_alarms[name], source)
        for source in SOURCES
        for name in usable
    }
    fits, lost = _fits(runner._replace(losses=held), usable, targets, arl0)
    failures |= lost
    alarms, settings = _at_equal_rates(runner, fits, targets, usable, failures)
    for source in SOURCES:
        for name in usable:
            row = Row(source, name, name)
            if row not in fits:
                alarms[row] = {g: a for g, a in as_given[name].items() if g.losses == source}
                settings[row] = "as given"
    curves = _curves(runner, usable, failures)
    order = {row: (SOURCES.index(row.losses), row.beside) for row in alarms}
    ordered = {
        row: alarms[row]
        for row in sorted(alarms, key=lambda r: (*order[r], r.detector != r.beside))
    }
    reports = {row: reports_on(by_group) for row, by_group in ordered.items()}
    kept = {name: as_given[name] for name in usable}
    return Study(ordered, reports, settings, fits, targets, curves, kept, failures)


def _per_alarm(alarms: Mapping[Group, Alarms], source: str) -> float:
    """Examples per false alarm; all examples, if there is no false alarm."""
    n, count = null_counts(alarms, source)
    return n / max(1, count)


def _fits(
    runner: Runner,
    user_detectors: Mapping[str, Given],
    targets: Mapping[tuple[str, str], float],
    arl0: float | None,
) -> tuple[dict[Row, Fit], dict[str, str]]:
    """Calibrate the references, and the user's detectors if they have a parameter and `arl0`."""
    nulls = {s: [run for runs in runner.of(s, ("none",)).values() for run in runs] for s in SOURCES}
    searches: dict[Row, Search] = {}
    for (source, name), rate in targets.items():
        families = dict(REFERENCES)
        detector = user_detectors[name]
        if arl0 is not None and detector.make is not None and len(detector.values) > 1:
            families[name] = Family(detector.parameter, detector.make, detector.values)
        for key, family in families.items():
            bounds = family.values[0], family.values[-1]
            searches[Row(source, name, key)] = Search(family.make, rate, bounds, source)
    how: dict[str, Any] = {"jobs": runner.jobs, "cache": runner.cache}
    fits, failures = fit_detectors(searches, nulls, keys=runner.versions(searches), **how)
    lost = {f"calibration of {row.detector}, {row.losses}": failures[row] for row in failures}
    return fits, lost


def _at_equal_rates(
    runner: Runner,
    fits: Mapping[Row, Fit],
    targets: Mapping[tuple[str, str], float],
    user_detectors: Mapping[str, Given],
    failures: dict[str, str],
) -> tuple[dict[Row, dict[Group, Alarms]], dict[Row, str]]:
    alarms: dict[Row, dict[Group, Alarms]] = {}
    settings: dict[Row, str] = {}
    for source in SOURCES:
        detectors: dict[Row, Any] = {}
        for row, fit in fits.items():
            if row.losses == source:
                family = REFERENCES.get(row.detector) or user_detectors[row.detector]
                detectors[row] = family.make(fit.value)  # type: ignore[misc]
                settings[row] = f"{family.parameter} = {fit.value:.4g}"
        for name in user_detectors:
            rate = targets[source, name]
            detectors[Row(source, name, RANDOM)] = random_at(rate)
            settings[Row(source, name, RANDOM)] = f"p = {min(1, 1 / rate):.3g}"
            detectors[Row(source, name, NEVER)] = random_at(float("inf"))
            settings[Row(source, name, NEVER)] = ""
        of_source, lost = runner.run(detectors, runner.of(source))
        alarms |= of_source
        failures |= {f"{row.detector} at {settings[row]}": text for row, text in lost.items()}
    return alarms, settings


def _curves(
    runner: Runner, user_detectors: Mapping[str, Given], failures: dict[str, str]
) -> dict[Point, dict[Group, Alarms]]:
    """Alarms over all settings, on sudden changes and without a change."""
    families = {
        name: Family(g.parameter, g.make, g.values) for name, g in user_detectors.items() if g.make
    }
    curves: dict[Point, dict[Group, Alarms]] = {}
    for source in SOURCES:
        detectors = {
            Point(source, name, float(value)): family.make(value)
            for name, family in (families | REFERENCES).items()
            for value in family.values
        }
        of_source, lost = runner.run(detectors, runner.of(source, ("sudden", "none")))
        curves |= of_source
        failures |= {f"{p.detector} at {p.value:g}, {source}": text for p, text in lost.items()}
    return curves
