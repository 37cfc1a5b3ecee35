"""What is run for a report on detectors: as given, at equal false-alarm rates, over settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from repro.detectors.recorded import Fit, Runs
from repro.judge._detector.inputs import Given
from repro.judge._detector.losses import KINDS, Group, level_of, shifts_of
from repro.judge._detector.measures import reports_on
from repro.judge._detector.positions import aligned
from repro.judge._detector.references import NEVER, RANDOM, REFERENCES, Family, random_at
from repro.judge._detector.results import SOURCES, Key, Point, Rate, Row, Study
from repro.judge._detector.runs import Alarms, Search, Work, fit_detectors, run_work

__all__ = ["Runner", "study_of"]


class Runner(NamedTuple):
    """The losses, and how the work on them is done."""

    losses: Mapping[Group, Runs]
    seeds: Sequence[int]
    jobs: int
    cache: str | Path | None
    keys: Mapping[str, str]

    def of(self, source: str, kinds: tuple[str, ...] = (), level: str = "") -> dict[Group, Runs]:
        """The losses of one source, of all kinds and levels or some."""
        return {
            group: runs
            for group, runs in self.losses.items()
            if group.losses == source
            and (not kinds or group.kind in kinds)
            and (not level or level_of(group) == level)
        }

    def levels(self, source: str) -> list[str]:
        """The streams, or error rates before a change, of one source."""
        return [level_of(group) for group in self.of(source, ("none",))]

    def run(
        self, work: Mapping[Any, Work]
    ) -> tuple[dict[Any, dict[Group, Alarms]], dict[Any, str]]:
        """Alarms of each piece of `work` by group, with the changes where they were; failures."""
        alarms, failures = run_work(
            work, jobs=self.jobs, cache=self.cache, keys=self.versions(work)
        )
        shifts = {g: shifts_of(g, self.seeds) for _, groups in work.values() for g in groups}
        moved = {
            key: {g: aligned(runs, shifts[g]) for g, runs in by_group.items()}
            for key, by_group in alarms.items()
        }
        return moved, failures

    def versions(self, rows: Iterable[Any]) -> dict[Any, str]:
        """The versions of user code, by row or point instead of by name."""
        names = {row: str(getattr(row, "detector", row)) for row in rows}
        return {row: self.keys[name] for row, name in names.items() if name in self.keys}


def study_of(
    user_detectors: Mapping[str, Given],
    runner: Runner,
    held: Mapping[Group, Runs],
    arl0: float | None,
) -> Study:
    """Calibrate the `user_detectors` and the references on `held`, and run them on `losses`.

    Every stream, and every error rate before a change, has a calibration of its own: one for all
    would let a detector alarm at the noisy ones only.

    Parameters
    ----------
    user_detectors : those of the user, by name.
    runner : has the runs of all groups.
    held : runs without a change on which rates are measured and set; no others are used for that.
    arl0 : target in examples per false alarm; None for those of each detector as it is given.
    """
    named = {name: g.detector for name, g in user_detectors.items()}
    as_given, failures = runner.run({n: Work(d, runner.losses) for n, d in named.items()})
    counted, lost = _rates(runner._replace(losses=held), {n: named[n] for n in as_given})
    failures |= lost
    usable = {n: g for n, g in user_detectors.items() if any(n == key[1] for key in counted)}
    study = Study({}, {}, {}, {}, counted, arl0, {}, {n: as_given[n] for n in usable}, failures)
    fits, lost = _fits(runner._replace(losses=held), usable, study)
    failures |= lost
    study = study._replace(fits=fits)
    alarms, settings = _at_equal_rates(runner, study, usable)
    for source in SOURCES:
        for name in usable:
            row = Row(source, name, name)
            if row not in {key.row for key in fits}:
                groups = runner.of(source, KINDS)
                alarms[row] = {g: a for g, a in as_given[name].items() if g in groups}
                settings[row] = "as given"
    listed = [*named, *REFERENCES, RANDOM, NEVER]
    ordered = dict(sorted(alarms.items(), key=lambda item: _place(item[0], listed)))
    reports = {row: reports_on(by_group) for row, by_group in ordered.items()}
    curves = _curves(runner, usable, failures)
    return study._replace(alarms=ordered, reports=reports, settings=settings, curves=curves)


def _place(row: Row, names: list[str]) -> tuple[int, int, bool, int]:
    """Where a row stands: by losses and detector beside, which comes first, then in this order."""
    losses, beside, detector = row
    return SOURCES.index(losses), names.index(beside), detector != beside, names.index(detector)


def _rates(
    runner: Runner, detectors: Mapping[str, Any]
) -> tuple[dict[tuple[str, str, str], Rate], dict[str, str]]:
    """False alarms of the detectors as they are given, on each level of the losses."""
    alarms, failures = run_work(
        {name: Work(detector, runner.losses) for name, detector in detectors.items()},
        jobs=runner.jobs,
        cache=runner.cache,
        keys=runner.versions(detectors),
    )
    rates = {}
    for name, by_group in alarms.items():
        for group, runs in by_group.items():
            n = sum(run.size for run in runner.losses[group])
            rates[group.losses, name, group.name] = Rate(tuple(run.size for run in runs), n)
    return rates, failures


def _fits(
    runner: Runner, user_detectors: Mapping[str, Given], study: Study
) -> tuple[dict[Key, Fit], dict[str, str]]:
    """Calibrate the references, and the user's detectors if they have a parameter and a target."""
    nulls = {f"{g.losses}, {g.name}": runs for g, runs in runner.losses.items()}
    searches: dict[Key, Search] = {}
    for source, name, level in study.rates:
        families = dict(REFERENCES)
        detector = user_detectors[name]
        if study.wanted is not None and detector.make is not None and len(detector.values) > 1:
            families[name] = Family(detector.parameter, detector.make, detector.values)
        for detector_name, family in families.items():
            key = Key(source, name, detector_name, level)
            bounds = family.values[0], family.values[-1]
            wanted, of = study.target(key), f"{source}, {level}"
            searches[key] = Search(family.make, wanted, bounds, of)
    how: dict[str, Any] = {"jobs": runner.jobs, "cache": runner.cache}
    fits, failures = fit_detectors(searches, nulls, keys=runner.versions(searches), **how)
    lost = {f"calibration of {k.detector}, {k.losses}, {k.level}": failures[k] for k in failures}
    return fits, lost


def _at_equal_rates(
    runner: Runner, study: Study, user_detectors: Mapping[str, Given]
) -> tuple[dict[Row, dict[Group, Alarms]], dict[Row, str]]:
    """Alarms of each row, and the values of its parameter in words."""
    groups = {(s, level): runner.of(s, level=level) for s in SOURCES for level in runner.levels(s)}
    work: dict[Key, Work] = {}
    values: dict[Row, list[float]] = {}
    parameters: dict[Row, str] = {}
    for key, fit in study.fits.items():
        family = REFERENCES.get(key.detector) or user_detectors[key.detector]
        work[key] = Work(family.make(fit.value), groups[key.losses, key.level])  # type: ignore[misc]
        values.setdefault(key.row, []).append(fit.value)
        parameters[key.row] = family.parameter
    for source, name, level in study.rates:
        key = Key(source, name, RANDOM, level)
        rate = study.target(key)
        work[key] = Work(random_at(rate), groups[source, level])
        values.setdefault(key.row, []).append(min(1.0, 1 / rate))
        parameters[key.row] = "p"
        never = key._replace(detector=NEVER)
        work[never] = Work(random_at(float("inf")), groups[source, level])
    found, lost = runner.run(work)
    study.failures.update({f"{k.detector}, {k.losses}, {k.level}": t for k, t in lost.items()})
    alarms: dict[Row, dict[Group, Alarms]] = {}
    for key, by_group in found.items():
        alarms.setdefault(key.row, {}).update(by_group)
    whole = {row for row in alarms if {k for k in work if k.row == row} <= found.keys()}
    settings = {row: _setting(parameters.get(row, ""), values.get(row, [])) for row in whole}
    order = list(runner.losses)
    return {
        row: dict(sorted(alarms[row].items(), key=lambda item: order.index(item[0])))
        for row in alarms
        if row in whole
    }, settings


def _setting(parameter: str, values: Sequence[float]) -> str:
    """The values of a parameter in words; the section on calibration has each in full."""
    if not values:
        return ""
    low, high = f"{min(values):.4g}", f"{max(values):.4g}"
    return f"{parameter} = {low}" + (f" to {high}" if low != high else "")


def _curves(
    runner: Runner, user_detectors: Mapping[str, Given], failures: dict[str, str]
) -> dict[Point, dict[Group, Alarms]]:
    """Alarms over all settings, on sudden changes and without a change."""
    families = {
        name: Family(g.parameter, g.make, g.values) for name, g in user_detectors.items() if g.make
    }
    groups = {source: runner.of(source, ("sudden", "none")) for source in SOURCES}
    work = {
        Point(source, name, float(value)): Work(family.make(value), groups[source])
        for source in SOURCES
        for name, family in (families | REFERENCES).items()
        for value in family.values
    }
    curves, lost = runner.run(work)
    failures |= {f"{p.detector} at {p.value:g}, {p.losses}": text for p, text in lost.items()}
    return curves
