"""Detection measures of detectors on groups of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from repro.judge._detector.losses import KINDS, TOLERANCE, Group, drifts_of
from repro.judge._detector.runs import Alarms
from repro.judge._report.cells import with_error
from repro.metrics.detection import DetectionReport, detection_report
from repro.statistics.estimates import PointEstimate

__all__ = [
    "PER",
    "false_alarms",
    "main_columns",
    "measured",
    "null_counts",
    "report_on",
    "reports_on",
    "waited",
]

PER = 100_000  # false alarms are counted per so many examples
PERCENT = 100.0

GroupAlarms = Mapping[Group, Alarms]


def report_on(alarms: GroupAlarms, kind: str) -> DetectionReport | None:
    """The measures on all runs of one kind of change; None where there are none."""
    groups = [group for group in alarms if group.kind == kind]
    if not groups:
        return None
    drifts, n = drifts_of(groups[0])
    runs = [run for group in groups for run in alarms[group]]
    return detection_report(runs, drifts, n, tolerance=TOLERANCE)


def false_alarms(alarms: GroupAlarms, names: Iterable[str] = ()) -> NDArray[np.float64]:
    """False alarms per 100 000 examples of each run without a change."""
    only = set(names)
    groups = [g for g in alarms if g.kind == "none" and (not only or g.name in only)]
    return np.array([PER * run.size / drifts_of(g)[1] for g in groups for run in alarms[g]])


def null_counts(alarms: GroupAlarms, source: str) -> tuple[int, int]:
    """Examples without a change of one source of losses, and false alarms on them."""
    nulls = {g: runs for g, runs in alarms.items() if g.losses == source and g.kind == "none"}
    n = sum(drifts_of(g)[1] * len(runs) for g, runs in nulls.items())
    return n, sum(run.size for runs in nulls.values() for run in runs)


def reports_on(alarms: GroupAlarms) -> dict[str, DetectionReport]:
    """The measures of each kind of change."""
    reports = {kind: report_on(alarms, kind) for kind in KINDS}
    return {kind: report for kind, report in reports.items() if report is not None}


def waited(report: DetectionReport, losses: str, kind: str) -> NDArray[np.float64]:
    """Examples until the detection in each run; of a missed change, all that were allowed."""
    drifts, n = drifts_of(Group(losses, kind, ""))
    start, end = drifts[0] if isinstance(drifts[0], tuple) else (drifts[0], drifts[0] + 1)
    allowed = min(n, end + TOLERANCE) - start
    delays = report.delays[:, 0]
    return np.where(np.isnan(delays), allowed, delays + 1)


def main_columns(reports: Mapping[str, DetectionReport]) -> dict[str, float]:
    """Rate of false alarms, ARL1 and share of missed changes, each with its standard error."""
    columns: dict[str, float] = {}
    if "none" in reports:
        columns |= with_error("examples per false alarm", measured(reports["none"], "mtfa"))
    for kind in reports:
        if kind != "none":
            missed = [PERCENT * part for part in measured(reports[kind], "mdr")[:2]]
            columns |= with_error(f"ARL1, {kind}", measured(reports[kind], "arl1"))
            columns |= with_error(f"missed, {kind} [%]", missed)
    return columns


def measured(report: DetectionReport, measure: str) -> PointEstimate:
    """A measure of the detector, with its standard error."""
    return PointEstimate(*map(float, report.table.loc[measure, ["detector", "± s.e."]]))
