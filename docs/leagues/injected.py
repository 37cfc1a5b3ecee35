"""Detectors on streams of real data, with drift put in: each set up on the other streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from leagues.detectors import ARL0, FAMILIES, Family
from leagues.tables import read, write
from repro import Stream, data_sets, detectors, learners, metrics, prequential, streams
from repro.judge._detector.runs import run_detectors

__all__ = ["CHANGES", "COLUMNS", "LONGEST", "MEASURES", "PER_KIND", "SETS", "TOLERANCE"]
__all__ += ["measure", "measures"]

SETS = "elec2", "covtype_labels", "kdd99", "ozone", "chess", "luxembourg"
CHANGES = "priors", "labels", "attributes", "filter"
NONE = "none"
LONGEST = 20_000  # examples of each set, its first ones
PLACES = np.linspace(0.3, 0.7, 6)  # of the drift, one for each run
TOLERANCE = 1_000  # an alarm detects a drift until so many examples after it
COUNTS = ["runs", "detected", "missed", "false alarms", "delay", "watched"]
COLUMNS = ["detector", "version", "parameter", "value", "stream", "kind", *COUNTS, "failure"]
PER_KIND = "missed", "delay", "F1"
MEASURES = "false alarms", *(f"{what}, {kind}" for kind in CHANGES for what in PER_KIND)


class Run(NamedTuple):
    """Losses of the learner on a stream, and the example from which on it has drifted."""

    losses: NDArray[np.uint8]
    drifts: tuple[int, ...]


def sets(longest: int = LONGEST) -> dict[str, Stream]:
    """The first examples, at most `longest`, of each data set that is on this machine."""
    here = [name for name in SETS if data_sets.available(name)]
    loaded = {name: streams.load(name) for name in here}
    return {name: s.take(np.arange(min(len(s), longest))) for name, s in loaded.items()}


def runs_of(stream: Stream) -> dict[str, list[Run]]:
    """The runs on `stream` with each kind of drift that it can have, and one without."""
    runs = {NONE: [Run(_losses(stream), ())]}
    for kind in CHANGES:
        try:
            drifting = [
                streams.injected(stream, kind, round(share * len(stream)), seed=i)
                for i, share in enumerate(PLACES)
            ]
        except ValueError:  # such as attributes, where there is only one
            continue
        runs[kind] = [Run(_losses(s), (s.drifts[-1],)) for s in drifting]
    return runs


def _losses(stream: Stream) -> NDArray[np.uint8]:
    """Of a Hoeffding tree that learns on; without attributes it predicts the frequent class."""
    run = prequential(learners.HoeffdingTree(), stream, proba=False)
    return np.asarray(run.loss, np.uint8)


def measure(
    path: Path,
    names: Sequence[str] = (),
    *,
    fresh: bool = False,
    longest: int = LONGEST,
) -> None:
    """Measure the detectors that have no rows in the table at `path`, which keeps what is there.

    On the `sets` of this machine; with fewer than two nothing is measured.
    """
    known = sets(longest)
    if len(known) < 2:
        print(f"no league on real streams: of {', '.join(SETS)} there must be two (make data)")
        return
    runs: dict[str, dict[str, list[Run]]] = {}
    for name in names or FAMILIES:
        done = read(path, COLUMNS)
        own = done["detector"] == name
        of_version = done[own & (done["version"] == FAMILIES[name].version)]
        if set(of_version["stream"]) == set(known) and not fresh:
            continue
        if absent := sorted(set(done[own]["stream"]) - set(known)):
            print(f"{name}, real streams: kept, since {', '.join(absent)} is not here (make data)")
            continue
        runs = runs or {key: runs_of(stream) for key, stream in known.items()}
        rows = pd.DataFrame(list(_rows(name, FAMILIES[name], runs)))
        frames = [frame for frame in (done[~own], rows) if len(frame)]
        write(path, pd.concat(frames).reindex(columns=COLUMNS))
        print(f"{name}, real streams", flush=True)


def _rows(
    name: str, family: Family, runs: Mapping[str, Mapping[str, list[Run]]]
) -> Iterator[dict[str, Any]]:
    """The counts on each stream, with the parameter that the other streams ask for."""
    about = {"detector": name, "version": family.version, "parameter": family.parameter}
    for stream, by_kind in runs.items():
        others = [r.losses for other in runs if other != stream for r in runs[other][NONE]]
        row = about | {"stream": stream, "failure": ""}
        try:
            fit = detectors.calibrate(
                family.make, ARL0, losses=others, bounds=(family.low, family.high)
            )
            row["value"] = float(f"{fit.threshold:.6g}")
            losses = {kind: [run.losses for run in of] for kind, of in by_kind.items()}
            alarms, failures = run_detectors({name: family.make(row["value"])}, losses)
            if failures:
                raise RuntimeError(failures[name])
        except Exception as error:
            yield row | {"failure": " ".join(f"{type(error).__name__}: {error}".split())}
            continue
        for kind, of in by_kind.items():
            yield row | {"kind": kind} | counted(alarms[name, kind], of)


def counted(alarms: Sequence[NDArray[np.int64]], runs: Sequence[Run]) -> dict[str, float]:
    """Sums over the runs of one kind, as `repro.metrics.detection_report` counts."""
    sums = dict.fromkeys(COUNTS, 0.0)
    for own, run in zip(alarms, runs, strict=True):
        n = len(run.losses)
        report = metrics.detection_report(own, run.drifts, n, tolerance=TOLERANCE)
        allowed = sum(min(n - at, TOLERANCE + 1) for at in run.drifts)
        sums["runs"] += 1
        sums["detected"] += report.detected
        sums["missed"] += report.missed
        sums["false alarms"] += report.false_alarms
        sums["delay"] += float(np.nansum(report.delays))
        sums["watched"] += n - allowed
    return sums


def measures(rows: pd.DataFrame) -> pd.Series:
    """The `MEASURES` of the rows of one detector, over all streams.

    False alarms are those in `ARL0` losses without a drift put in; the delay is a mean over the
    drifts that were detected.
    """
    total = rows.groupby("kind")[COUNTS].sum().reindex([NONE, *CHANGES]).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        found, drifts = total["detected"], total["detected"] + total["missed"]
        by_kind = {
            "missed": total["missed"] / drifts,
            "delay": total["delay"] / found,
            "F1": 2 * found / (found + drifts + total["false alarms"]),
        }
        values = {"false alarms": ARL0 * (total["false alarms"] / total["watched"])[NONE]}
    values |= {f"{what}, {kind}": by_kind[what][kind] for kind in CHANGES for what in PER_KIND}
    return pd.Series(values)[list(MEASURES)]
