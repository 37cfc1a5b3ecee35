"""Tables of a report on detectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binom

from repro import figures
from repro.judge._detector.losses import INDEPENDENT, KINDS, REAL, SHUFFLED, TOLERANCE, Group
from repro.judge._detector.measures import (
    PER,
    false_alarms,
    main_columns,
    measured,
    report_on,
    reports_on,
)
from repro.judge._detector.references import NEVER
from repro.judge._detector.results import SOURCES, Study
from repro.judge._detector.runs import Alarms
from repro.judge._report.cells import with_error
from repro.metrics.detection import DetectionReport
from repro.statistics.estimates import LEVEL, mean_estimate
from repro.tables import reports_table

__all__ = [
    "ARL1",
    "RATE",
    "calibration_table",
    "curve_table",
    "delay_table",
    "delays_alt",
    "delays_figure",
    "detected_figure",
    "every_group",
    "kind_table",
    "main_table",
    "null_table",
    "soon_alt",
    "tradeoff_alt",
    "tradeoff_figure",
]

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
    reports = {
        tuple(row): by_kind[kind] for row, by_kind in study.reports.items() if kind in by_kind
    }
    names = ["losses", "at the rate of", "detector"]
    return reports_table(reports).rename_axis(index=names, columns=None).reset_index()


def calibration_table(study: Study) -> pd.DataFrame:
    """Each setting in full, with the rate that it has on the losses for calibration."""
    rows = []
    for (source, name, level), rate in study.rates.items():
        low, high = rate.interval()
        of = {"losses": source, "at the rate of": name, "stream or error rate": level}
        as_given: dict[str, Any] = {"detector": f"{name}, as given", "value": None, "reached": None}
        found = rate.n / rate.alarms if rate.alarms else float("inf")
        rows.append(of | as_given | _counted(found, low, high))
        for key, fit in study.fits.items():
            if (key.losses, key.beside, key.level) == (source, name, level):
                setting = {"value": fit.value, "reached": study.reaches(key)}
                rows.append(
                    of | {"detector": key.detector} | setting
                    | _counted(fit.found, *study.rate_of(key).interval())
                )  # fmt: skip
    return pd.DataFrame(rows)


def _counted(found: float, low: float, high: float) -> dict[str, float]:
    return {"examples per false alarm": found, "at least": low, "at most": high}


def _delays(report: DetectionReport) -> NDArray[np.float64]:
    """Examples until each change was detected; inf if it was missed."""
    return np.nan_to_num(report.delays[:, 0] + 1, nan=np.inf)


def delay_table(study: Study) -> pd.DataFrame:
    """Shares of sudden changes detected in time, and the median delay with its interval.

    A change that is missed is one that would be detected later, if at all (Kaplan and Meier 1958,
    with one time of censoring for all).
    """
    rows = []
    for row, reports in study.reports.items():
        delays = np.sort(_delays(reports["sudden"]))
        n = delays.size
        within = {
            f"within {t} [%]": 100 * float((delays <= t).mean()) for t in (100, 1000, TOLERANCE)
        }
        # The median lies between order statistics whose ranks are binomial.
        low, high = binom.ppf([LEVEL / 2, 1 - LEVEL / 2], n, 0.5).astype(int)
        middle = {"median delay [examples]": delays[(n - 1) // 2]}
        ends = {"at least": delays[max(0, low - 1)], "at most": delays[min(n - 1, high)]}
        rows.append({**row._asdict(), "changes": n, **within, **middle, **ends})
    return pd.DataFrame(rows).rename(columns={"beside": "at the rate of"})


def soon_alt(rows: pd.DataFrame) -> str:
    """What `detected_figure` shows, in words: rows of `delay_table`."""
    parts = [
        f"{r.detector} {r[6]:.0f} % within 1000 examples, {r.losses}"
        for r in rows.rename(columns={"at the rate of": "beside"}).itertuples()
    ]
    return (
        f"Share of sudden changes detected against the time since the change: {'; '.join(parts)}."
    )


def detected_figure(study: Study, name: str) -> Any:
    """Share of sudden changes detected within so many examples, at the rate of `name`."""
    axes = figures.panels(list(SOURCES), columns=1, size=(8.4, 3.0))
    grid = np.unique(np.geomspace(1, TOLERANCE, 400).round())
    for ax, source in zip(axes, SOURCES, strict=True):
        curves = {}
        for row, reports in study.reports.items():
            if (row.losses, row.beside) == (source, name) and row.detector != NEVER:
                shares = (_delays(reports["sudden"])[:, None] <= grid).mean(axis=0)
                curves[row.detector.replace("reference ", "ref. ")] = 100 * shares
        look: dict[str, Any] = {"xscale": "log", "ylim": (0, 100)}
        look |= {"xlabel": "Examples since the change", "ylabel": "Changes detected [%]"}
        figures.plot_curves(curves, x=grid, ax=ax, **look)
    return figures.shared_legend(axes[0])


def every_group(study: Study) -> pd.DataFrame:
    """The user's detectors on each stream and each size of change."""
    rows = []
    for row, alarms in study.alarms.items():
        if row.detector == row.beside:
            for group in alarms:
                columns = main_columns(reports_on({group: alarms[group]}))
                plain = {name.replace(f", {group.kind}", ""): x for name, x in columns.items()}
                rows.append({"detector": row.detector, **group._asdict(), **plain})
    return pd.DataFrame(rows).rename(columns={"name": "stream or size"})


def null_table(study: Study) -> pd.DataFrame:
    """False alarms of the user's detectors as given, on each group of losses without a change."""
    rows = []
    for name, alarms in study.as_given.items():
        for source in (REAL, SHUFFLED, INDEPENDENT):
            nulls = {
                g: runs for g, runs in alarms.items() if g.losses == source and g.kind == "none"
            }
            for part in ["all", *(group.name for group in nulls)]:
                rate = mean_estimate(false_alarms(nulls, () if part == "all" else (part,)))
                where = {"detector": name, "losses": source, "stream or error rate": part}
                rows.append({**where, **with_error(RATE, rate)})
    return pd.DataFrame(rows)


def curve_table(study: Study, source: str, also: Iterable[str] = ()) -> pd.DataFrame:
    """Each setting: false alarms, ARL1 of a sudden change, and missed changes.

    The user's detectors in `also` have no parameter: each is one row, as it is given.
    """
    settings: dict[tuple[str, float | None], dict[Group, Alarms]] = {
        (p.detector, p.value): runs for p, runs in study.curves.items() if p.losses == source
    }
    settings |= {(name, None): study.as_given[name] for name in also}
    rows = []
    for (name, value), runs in settings.items():
        of_source = {group: alarms for group, alarms in runs.items() if group.losses == source}
        if (report := report_on(of_source, "sudden")) is not None:
            row = {"detector": name, "value": value}
            row |= with_error(RATE, mean_estimate(false_alarms(of_source)))
            row |= with_error(ARL1, measured(report, "arl1"))
            rows.append(row | with_error("missed", measured(report, "mdr")))
    return pd.DataFrame(rows)


def tradeoff_figure(table: pd.DataFrame) -> Any:
    """ARL1 of a sudden change against false alarms, a line per detector."""
    ax = figures.plot_tradeoff(table, x=RATE, y=ARL1)
    return ax.get_figure(root=True)


def tradeoff_alt(table: pd.DataFrame, source: str) -> str:
    """The two ends of each line of `tradeoff_figure`, in words."""
    parts = []
    for name, rows in table.groupby("detector", sort=False):
        ends = rows.sort_values(RATE).iloc[[0, -1]][[RATE, ARL1]].drop_duplicates()
        points = " to ".join(f"{x:.6g} and {y:.0f}" for x, y in ends.itertuples(index=False))
        parts.append(f"{name} {points}")
    head = f"False alarms per {PER} examples and ARL1 of a sudden change, {source}"
    return f"{head}, at the ends of the line of each detector: {'; '.join(parts)}."


def delays_alt(table: pd.DataFrame, beside: str) -> str:
    """What `delays_figure` shows, in words: ARL1 of a sudden change."""
    parts = []
    for source, rows in table[table["at the rate of"] == beside].groupby("losses", sort=False):
        pairs = zip(rows["detector"], rows["ARL1, sudden"], strict=True)
        waits = "; ".join(f"{name} {arl1:.0f}" for name, arl1 in pairs if arl1 < float("inf"))
        parts.append(f"{source}: {waits or 'none'}")
    return f"ARL1 of a sudden change in examples, where it is finite. {'. '.join(parts)}."


def delays_figure(table: pd.DataFrame, beside: str) -> Any:
    """Bars of ARL1 for each kind of change with 2 s.e., at the false-alarm rate of `beside`."""
    sources = list(table["losses"].unique())
    axes = figures.panels(sources, columns=1, size=(8.4, 3.0))
    for ax, source in zip(axes, sources, strict=True):
        rows = table[(table["losses"] == source) & (table["at the rate of"] == beside)]
        rows = rows.set_index("detector")
        names = {f"ARL1, {kind}": kind for kind in KINDS[:3]}
        bars = rows[list(names)].rename(columns=names)
        bars = bars.where(bars < float("inf"))
        bars = bars.dropna(how="all")
        errors = 2 * rows.loc[bars.index, [f"{name} ± s.e." for name in names]].fillna(0)
        if len(bars):
            top = 1.5 * float((bars + errors.to_numpy()).max(axis=None))
            bars = bars.rename(index=lambda name: name.replace("reference ", "ref. "))
            axis = {"ylabel": "ARL1 [examples]", "yscale": "log", "ylim": (1, top)}
            figures.plot_measures(bars, error_bars=errors.to_numpy(), floor=1.0, ax=ax, **axis)
    return figures.shared_legend(axes[0])
