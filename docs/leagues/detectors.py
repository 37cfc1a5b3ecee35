"""The league of detectors: all of river's and ours, set to the same rate of false alarms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from river import drift as river

import repro
from leagues.kswin import KSWIN
from leagues.river_models import VERSION
from leagues.tables import read, write
from repro import detectors, metrics
from repro.judge._detector.losses import (
    INDEPENDENT,
    REAL,
    TOLERANCE,
    Group,
    drifts_of,
    independent_losses,
    learner_losses,
)
from repro.judge._detector.runs import run_detectors

__all__ = [
    "ARL0",
    "COLUMNS",
    "EXCLUDED",
    "FAMILIES",
    "KINDS",
    "LOSSES",
    "Family",
    "drawn",
    "measure",
    "measured",
]

OURS = f"repro {repro.__version__}"
ARL0 = 5_000  # losses per false alarm, the rate at which all are compared
LOSSES = INDEPENDENT, REAL
SEEDS = range(5)  # of the losses on which the detectors are compared
CALIBRATION = range(1_000, 1_005)  # of those on which the parameter is found
KINDS = "sudden", "gradual", "incremental"
PER_KIND = ("ARL1", "ARL1 ± s.e.", "missed", "missed ± s.e.")
COLUMNS = ["detector", "losses", "version", "parameter", "value", "runs", "MTFA", "MTFA ± s.e."]
COLUMNS += [f"{measure}, {kind}" for kind in KINDS for measure in PER_KIND]
COLUMNS += ["failure"]

Losses = Mapping[Group, Sequence[NDArray[np.uint8]]]


class Family(NamedTuple):
    """A detector with the parameter that decides how often it alarms, and where it is searched."""

    version: str
    parameter: str
    make: Callable[[float], Any]
    low: float
    high: float


TINY = 1e-30
FAMILIES: dict[str, Family] = {
    "river ADWIN": Family(VERSION, "delta", lambda d: river.ADWIN(delta=d), TINY, 0.9),
    "river DDM": Family(
        VERSION,
        "drift_threshold",
        lambda h: river.binary.DDM(warning_threshold=min(2.0, h), drift_threshold=h),
        1.0,
        12.0,
    ),
    "river EDDM": Family(
        VERSION,
        "beta",
        lambda b: river.binary.EDDM(alpha=max(0.95, b), beta=b),
        0.3,
        0.99,
    ),
    "river FHDDM": Family(
        VERSION, "confidence_level", lambda c: river.binary.FHDDM(confidence_level=c), TINY, 0.5
    ),
    "river HDDMA": Family(
        VERSION,
        "drift_confidence",
        lambda c: river.binary.HDDMA(drift_confidence=c, warning_confidence=max(0.005, c)),
        TINY,
        0.5,
    ),
    "river HDDMW": Family(
        VERSION,
        "drift_confidence",
        lambda c: river.binary.HDDMW(drift_confidence=c, warning_confidence=max(0.005, c)),
        TINY,
        0.5,
    ),
    "river PageHinkley": Family(
        VERSION, "threshold", lambda h: river.PageHinkley(threshold=h), 0.5, 3_000.0
    ),
    "ADWIN": Family(OURS, "delta", lambda d: detectors.ADWIN(delta=d), TINY, 0.9),
    "DDM": Family(
        OURS,
        "drift",
        lambda h: detectors.DDM(warning_threshold=min(2.0, h), drift_threshold=h),
        1.0,
        12.0,
    ),
    "EDDM": Family(
        OURS,
        "drift",
        lambda r: detectors.EDDM(warning_threshold=max(0.95, r), drift_threshold=r),
        0.3,
        0.99,
    ),
    "PageHinkley, delta .1": Family(
        OURS, "threshold", lambda h: detectors.PageHinkley(0.1, h), 0.5, 3_000.0
    ),
    "PageHinkley, delta .005": Family(
        OURS, "threshold", lambda h: detectors.PageHinkley(0.005, h), 0.5, 3_000.0
    ),
    "PageHinkley on the ratio": Family(
        OURS,
        "threshold",
        lambda h: detectors.Monitor(detectors.ErrorRatio(), detectors.PageHinkley(0.1, h)),
        1e-3,
        3_000.0,
    ),
    "e-detector, rate learned": Family(
        OURS, "run_length", lambda a: detectors.EDetector(run_length=a), 1.0, 1e12
    ),
    "random alarms": Family(OURS, "p", lambda p: detectors.RandomAlarms(p, warmup=1), 1e-7, 0.1),
    "river KSWIN": Family(VERSION, "alpha", lambda a: KSWIN(alpha=a), TINY, 0.1),
}
#: Detectors of river that cannot take part, and why.
EXCLUDED = {
    "DummyDriftDetector": "does not look at the losses; random alarms stand for it",
    "NoDrift": "never alarms",
}


def measure(path: Path, names: Sequence[str] = (), *, fresh: bool = False) -> None:
    """Calibrate and measure the detectors that have no row in the table at `path`.

    The rows of a detector are written as soon as it has finished. The table keeps what is there.
    """
    for losses, name in product(LOSSES, names or FAMILIES):
        done = read(path, COLUMNS)
        own = (done["detector"] == name) & (done["losses"] == losses)
        if (own & (done["version"] == FAMILIES[name].version)).any() and not fresh:
            continue
        row = {"detector": name, "losses": losses, **_row(FAMILIES[name], losses)}
        frames = [frame for frame in (done[~own], pd.DataFrame([row])) if len(frame)]
        table = pd.concat(frames).reindex(columns=COLUMNS)
        write(path, table.sort_values(["losses", "detector"]))
        print(f"{name}, {losses}", flush=True)


@cache
def drawn(losses: str, seeds: range) -> Losses:
    """The losses of one source, by group."""
    return independent_losses(seeds) if losses == INDEPENDENT else learner_losses(seeds)


def _row(family: Family, losses: str) -> dict[str, Any]:
    row: dict[str, Any] = {"version": family.version, "parameter": family.parameter, "failure": ""}
    still = [x for g, runs in drawn(losses, CALIBRATION).items() if g.kind == "none" for x in runs]
    bounds = family.low, family.high
    try:
        fit = detectors.calibrate(family.make, ARL0, losses=still, bounds=bounds)
    except Exception as error:
        return row | {"failure": " ".join(f"{type(error).__name__}: {error}".split())}
    value = float(f"{fit.threshold:.6g}")  # as the table shows it
    return row | {"value": value} | dict(measured(family.make(value), drawn(losses, SEEDS)))


def measured(detector: Any, losses: Losses) -> Iterator[tuple[str, float]]:
    """The measures of `repro.metrics.detection_report` for each kind of change."""
    by_kind = {kind: [group for group in losses if group.kind == kind] for kind in ("none", *KINDS)}
    runs_of = {k: [x for group in groups for x in losses[group]] for k, groups in by_kind.items()}
    found, failures = run_detectors({"it": detector}, runs_of)
    if failures:
        raise RuntimeError(failures["it"])
    for kind, groups in by_kind.items():
        runs, alarms = runs_of[kind], found["it", kind]
        table = metrics.detection_report(alarms, *drifts_of(groups[0]), tolerance=TOLERANCE).table
        if kind == "none":
            yield "runs", len(runs)
            yield from zip(("MTFA", "MTFA ± s.e."), table.loc["mtfa"].iloc[:2], strict=True)
        else:
            numbers = *table.loc["arl1"].iloc[:2], *table.loc["mdr"].iloc[:2]
            yield from zip([f"{name}, {kind}" for name in PER_KIND], numbers, strict=True)
