"""Measurements (one row each) to the tables that people read: medians, and ratios by round."""

from __future__ import annotations

import pandas as pd
from cases import CASES


def learners(frame: pd.DataFrame) -> pd.DataFrame:
    """Examples per second and ratios; a row per stream and learner."""
    frame = frame.assign(rate=frame["examples"] / frame["seconds"])
    rows = []
    for (stream, name), part in frame.groupby(["stream", "learner"], sort=False):
        rates = part.pivot(index="round", columns="library", values="rate")
        rates = rates.reindex(columns=LIBRARIES)
        errors = part.groupby("library")["error"].first().reindex(LIBRARIES)
        river = part.loc[part["library"] == "river", "examples"]
        rows.append(
            {
                "stream": stream,
                "learner": name,
                "ours [1/s]": _count(rates["ours"].median()),
                "MOA [1/s]": _count(rates["MOA"].median()),
                "river [1/s]": _count(rates["river"].median()),
                "× MOA": _ratio(rates["ours"], rates["MOA"]),
                "× MOA, both with extras": _ratio(
                    rates["ours with shares"], rates["MOA with measures"]
                ),
                "× river": _ratio(rates["ours"], rates["river"]),
                "error, ours / MOA / river": " / ".join(
                    _percent(errors[library]) for library in ("ours", "MOA", "river")
                ),
                "n of river": str(river.iloc[0]) if len(river) else "",
                "state [KiB]": f"{part['state_bytes'].iloc[0] / 1024:.1f}",
            }
        )
    return pd.DataFrame(rows)


LIBRARIES = ["ours", "ours with shares", "MOA", "MOA with measures", "river"]


def missed(frame: pd.DataFrame) -> list[str]:
    """Where a learner stays below its target, in words."""
    frame = frame.assign(rate=frame["examples"] / frame["seconds"])
    found = []
    for (stream, name), part in frame.groupby(["stream", "learner"], sort=False):
        rates = part.pivot(index="round", columns="library", values="rate")
        case = CASES[name]
        for library, least in (("MOA", case.least_moa), ("river", case.least_river)):
            if library in rates and (rates["ours"] / rates[library]).median() < least:
                ratio = _ratio(rates["ours"], rates[library])
                found.append(f"{name} on {stream}: {ratio} × {library}, wanted {least:g}")
    return found


def compiling(frame: pd.DataFrame) -> pd.DataFrame:
    """Seconds of a first run, cold and cached; a row per learner."""
    rows = []
    for name, part in frame.groupby("learner", sort=False):
        cold, cached = (part[part["start"] == start] for start in ("cold", "cached"))
        rows.append(
            {
                "learner": name,
                "first run, cold [s]": f"{cold['run_seconds'].median():.2f}",
                "first run, cached [s]": f"{cached['run_seconds'].median():.2f}",
                "import [s]": f"{cached['import_seconds'].median():.2f}",
                "whole process, cold [s]": f"{cold['process_seconds'].median():.2f}",
                "whole process, cached [s]": f"{cached['process_seconds'].median():.2f}",
            }
        )
    return pd.DataFrame(rows)


def streams(frame: pd.DataFrame) -> pd.DataFrame:
    """Seconds to sample each stream, and ratios; a row per stream."""
    frame = frame.assign(whole=frame["seconds"] / frame["examples"] * frame["n"])
    rows = []
    for name, part in frame.groupby("stream", sort=False):
        seconds = part.pivot(index="round", columns="generator", values="whole")
        rows.append(
            {
                "stream": name,
                "n": str(part["n"].iloc[0]),
                "ours, with truth [ms]": f"{1000 * seconds['ours'].median():.2f}",
                "numpy's normals alone [ms]": f"{1000 * seconds['numpy'].median():.2f}",
                "river's RBF [ms]": f"{1000 * seconds['river'].median():.0f}",
                "× river": _ratio(seconds["river"], seconds["ours"]),
            }
        )
    return pd.DataFrame(rows)


def estimators(frame: pd.DataFrame) -> pd.DataFrame:
    """Milliseconds, and multiples of np.cumsum; a row per estimator and number of losses."""
    rows = []
    for (name, n), part in frame.groupby(["estimator", "n"], sort=False):
        rows.append(
            {
                "estimator": name,
                "losses": _count(n),
                "ours [ms]": f"{1000 * part['seconds'].median():.3f}",
                "np.cumsum [ms]": f"{1000 * part['cumsum_seconds'].median():.3f}",
                "time as a multiple of np.cumsum": _ratio(part["seconds"], part["cumsum_seconds"]),
            }
        )
    return pd.DataFrame(rows)


def _ratio(numerator: pd.Series, denominator: pd.Series) -> str:
    """Median of the ratios by round, and their range."""
    ratios = (numerator / denominator).dropna()
    if ratios.empty:
        return ""
    if len(ratios) == 1:
        return _short(ratios.median())
    return f"{_short(ratios.median())} ({_short(ratios.min())}–{_short(ratios.max())})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _count(value: float) -> str:
    """Three digits, thousands set apart: 12 300."""
    if value != value:
        return ""
    return f"{float(f'{value:.3g}'):,.0f}".replace(",", " ")


def _percent(error: float) -> str:
    return "–" if error != error else f"{100 * error:.1f} %"
