"""Tables of a report on detectors."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from repro.judge._detector_losses import INDEPENDENT, REAL, SHUFFLED, Group
from repro.judge._detector_measures import PER, false_alarms, main_columns, report_on, reports_on
from repro.judge._detector_runs import Alarms
from repro.judge._detector_study import Study
from repro.tables import reports_table

__all__ = ["ARL1", "RATE", "curve_table", "every_group", "kind_table", "main_table", "null_table"]

RATE = f"false alarms per {PER} examples"
ARL1 = "ARL1 of a sudden change [examples]"


def main_table(study: Study) -> pd.DataFrame:
    """One row per detector and source of losses: rate of false alarms, ARL1 and missed changes."""
    rows = [
        {**row._asdict(), "setting": study.settings[row], **main_columns(reports)}
        for row, reports in study.reports.items()
    ]
    return pd.DataFrame(rows).rename(columns={"beside": "at the rate of"})


def kind_table(study: Study, kind: str) -> pd.DataFrame:
    """All measures of `repro.metrics.detection_report` for one kind of change."""
    chosen = {tuple(row): own[kind] for row, own in study.reports.items() if kind in own}
    names = ["losses", "at the rate of", "detector"]
    return reports_table(chosen).rename_axis(index=names, columns=None).reset_index()


def every_group(study: Study) -> pd.DataFrame:
    """The user's detectors on each stream and each size of change."""
    rows = []
    for row, found in study.found.items():
        if row.detector == row.beside:
            for group in found:
                own = main_columns(reports_on({group: found[group]}))
                plain = {name.replace(f", {group.kind}", ""): x for name, x in own.items()}
                rows.append({"detector": row.detector, **group._asdict(), **plain})
    return pd.DataFrame(rows).rename(columns={"name": "stream or size"})


def null_table(study: Study) -> pd.DataFrame:
    """False alarms of the user's detectors as given, on each group of losses without a change."""
    rows = []
    for name, found in study.as_given.items():
        for source in (REAL, SHUFFLED, INDEPENDENT):
            own = {g: runs for g, runs in found.items() if g.losses == source and g.kind == "none"}
            for part in ["all", *(group.name for group in own)]:
                rate = pd.Series(false_alarms(own, () if part == "all" else (part,)))
                where = {"detector": name, "losses": source, "stream or error rate": part}
                rows.append({**where, RATE: rate.mean(), f"{RATE} ± s.e.": rate.sem()})
    return pd.DataFrame(rows)


def curve_table(study: Study, source: str, also: Iterable[str] = ()) -> pd.DataFrame:
    """Each setting: false alarms, ARL1 of a sudden change, and missed changes.

    The user's detectors in `also` have no parameter: each is one row, as it is given.
    """
    found: dict[tuple[str, float | None], dict[Group, Alarms]] = {
        (p.detector, p.value): runs for p, runs in study.curves.items() if p.losses == source
    }
    found |= {(name, None): study.as_given[name] for name in also}
    rows = []
    for (name, value), runs in found.items():
        own = {group: alarms for group, alarms in runs.items() if group.losses == source}
        rate, report = pd.Series(false_alarms(own)), report_on(own, "sudden")
        if report is not None:
            arl1, missed = (report.table.loc[m, ["detector", "± s.e."]] for m in ("arl1", "mdr"))
            of_rate = {RATE: rate.mean(), f"{RATE} ± s.e.": rate.sem()}
            of_delay = {ARL1: arl1.iloc[0], f"{ARL1} ± s.e.": arl1.iloc[1]}
            of_misses = {"missed": missed.iloc[0], "missed ± s.e.": missed.iloc[1]}
            rows.append({"detector": name, "value": value, **of_rate, **of_delay, **of_misses})
    return pd.DataFrame(rows)
