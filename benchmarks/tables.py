"""Measurements (one row each) to the tables that people read: medians, and ratios by round."""

from __future__ import annotations

from collections.abc import Iterator

import costs as costs_of_testbed
import numpy as np
import pandas as pd
from cases import CASES

LIBRARIES = ["ours", "ours with shares", "MOA", "CapyMOA, arrays", "CapyMOA, file", "river"]
WORK = ["compiling", "importing", "sampling", "learning", "drawing", "other"]  # of a notebook
BASELINES = ["Majority", "NoChange"]  # a call of them costs more than their work
RATIOS = {  # what is compared with what: like with like
    "× MOA": ("ours", "MOA"),
    "× CapyMOA, arrays": ("ours with shares", "CapyMOA, arrays"),
    "× CapyMOA, file": ("ours with shares", "CapyMOA, file"),
    "× river": ("ours", "river"),
}


def rates_by_round(part: pd.DataFrame) -> pd.DataFrame:
    """Examples per second; a row per round and a column per library."""
    part = part.assign(rate=part["examples"] / part["seconds"])
    return part.pivot(index="round", columns="library", values="rate").reindex(columns=LIBRARIES)


def by_case(frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame, pd.DataFrame]]:
    """Stream, learner, their measurements and their rates by round."""
    for (stream, name), part in frame.groupby(["stream", "learner"], sort=False):
        yield stream, name, part, rates_by_round(part)


def learners(frame: pd.DataFrame) -> pd.DataFrame:
    """Examples per second and ratios; a row per stream and learner."""
    rows = []
    for stream, name, part, rates in by_case(frame):
        errors = part.groupby("library")["error"].first().reindex(LIBRARIES)
        sizes = part.groupby("library")["bytes"].max().reindex(LIBRARIES) / 1024
        river = part.loc[part["library"] == "river", "examples"]
        rows.append(
            {
                "stream": stream,
                "learner": name,
                "n": _exact(part["n"].iloc[0]),
                "ours [1/s]": _count(rates["ours"].median()),
                "MOA [1/s]": _count(rates["MOA"].median()),
                "river [1/s]": _count(rates["river"].median()),
                **{title: _ratio(rates[a], rates[b]) for title, (a, b) in RATIOS.items()},
                "error, ours / MOA / river": " / ".join(
                    _percent(errors[library]) for library in ("ours", "MOA", "river")
                ),
                "n of river": _exact(river.iloc[0]) if len(river) else "",
                "state, ours [KiB]": _short(sizes["ours"]),
                "river [KiB]": _short(sizes["river"]),
            }
        )
    return pd.DataFrame(rows)


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Least and greatest of the ratios of a learner over the streams; how many reach the target."""
    rows = []
    for name, part in _medians(frame).groupby("learner", sort=False):
        wanted = targets(name)
        rows.append({"learner": name, **{t: _reached(part[t], wanted[t]) for t in RATIOS}})
    return pd.DataFrame(rows)


def means(frame: pd.DataFrame) -> pd.DataFrame:
    """Geometric means over the learners, baselines aside, for each stream and for all of them."""
    medians = _medians(frame).set_index("learner").drop(index=BASELINES, errors="ignore")
    logs = np.log(medians.set_index("stream"))
    table = np.exp(logs.groupby(level=0, sort=False).mean())
    table.loc["all"] = np.exp(logs.mean())
    return table.map(_short).reset_index()


def targets(name: str) -> dict[str, float]:
    """The ratios that the learner should reach."""
    case = CASES[name]
    return dict.fromkeys(RATIOS, case.least_moa) | {"× river": case.least_river}


def _reached(ratios: pd.Series, wanted: float) -> str:
    ratios = ratios.dropna()
    if ratios.empty:
        return ""
    least, most = _short(ratios.min()), _short(ratios.max())
    return f"{least}–{most} ({(ratios >= wanted).sum()} of {len(ratios)})"


def missed(frame: pd.DataFrame) -> pd.DataFrame:
    """Median ratios that stay below their target; a row per stream, learner and library."""
    names = {"var_name": "ratio", "value_name": "median", "ignore_index": False}
    rows = _medians(frame).melt(["stream", "learner"], **names).sort_index(kind="stable")
    rows["wanted"] = [targets(row.learner)[row.ratio] for row in rows.itertuples()]
    return rows[rows["median"] < rows["wanted"]]


def _medians(frame: pd.DataFrame) -> pd.DataFrame:
    """Median of each of the `RATIOS`; a row per stream and learner."""
    rows = []
    for stream, name, _, rates in by_case(frame):
        ratios = {title: (rates[a] / rates[b]).median() for title, (a, b) in RATIOS.items()}
        rows.append({"stream": stream, "learner": name, **ratios})
    return pd.DataFrame(rows)


def compiling(frame: pd.DataFrame) -> pd.DataFrame:
    """Seconds of a first run, cold and cached; a row per learner."""
    rows = []
    for name, part in frame.groupby("learner", sort=False):
        cold, cached = (part[part["start"] == start] for start in ("cold", "cached"))
        rows.append(
            {
                "learner": name,
                "first run, cold [s]": f"{cold['run_seconds'].median():.2f}",
                "processor, cold [s]": f"{cold['processor_seconds'].median():.2f}",
                "first run, cached [s]": f"{cached['run_seconds'].median():.2f}",
                "processor, cached [s]": f"{cached['processor_seconds'].median():.2f}",
                "import [s]": f"{cached['import_seconds'].median():.2f}",
                "whole process, cold [s]": f"{cold['process_seconds'].median():.2f}",
                "whole process, cached [s]": f"{cached['process_seconds'].median():.2f}",
                "cold start says so": "yes" if cold["says_so"].all() else "NO",
                "compiled, cold": str(cold["kernels"].max()),
                "compiled, cached": str(cached["kernels"].max()),
            }
        )
    return pd.DataFrame(rows)


def inside(frame: pd.DataFrame) -> pd.DataFrame:
    """Microseconds an example and errors in river's loop; a row per stream, learner and model."""
    rows = []
    frame = frame.assign(micro=1e6 * frame["seconds"] / frame["examples"])
    for (stream, learner), part in frame.groupby(["stream", "learner"], sort=False):
        times = part.pivot(index="round", columns="model", values="micro")
        for model, of_model in part.groupby("model", sort=False):
            rows.append(
                {
                    "stream": stream,
                    "learner": learner,
                    "model": model,
                    "µs per example": f"{times[model].median():.1f}",
                    "× river": "" if model == "river" else _ratio(times["river"], times[model]),
                    "error": _percent(of_model["error"].mean()),
                }
            )
    return pd.DataFrame(rows)


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Nanoseconds an example beside a loop for one learner; a row per stream and learner."""
    rows = []
    frame = frame.assign(nano=1e9 * frame["seconds"] / frame["examples"])
    for (stream, learner), part in frame.groupby(["stream", "learner"], sort=False):
        times = part.pivot(index="round", columns="model", values="nano")
        rows.append(
            {
                "stream": stream,
                "learner": learner,
                "ours [ns per example]": _short(times["ours"].median()),
                "plain loop [ns per example]": _short(times["plain loop"].median()),
                "ours / plain loop": _ratio(times["ours"], times["plain loop"]),
            }
        )
    return pd.DataFrame(rows)


def costs(frame: pd.DataFrame) -> pd.DataFrame:
    """Cost of an example in times that of naive Bayes: median and range over the streams."""
    times = costs_of_testbed.ratios(frame)
    rows = [
        {
            "learner": name,
            "× naive Bayes": f"{column.median():.3g}",
            "least to most": f"{column.min():.3g}–{column.max():.3g}",
        }
        for name, column in times.items()
    ]
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
    """Nanoseconds a loss, and multiples of np.cumsum; a row per estimator and number of losses."""
    rows = []
    for (name, n), part in frame.groupby(["estimator", "n"], sort=False):
        rows.append(
            {
                "estimator": name,
                "arrays read": str(part["arrays"].iloc[0]),
                "losses": _count(n),
                "ours [ns per loss]": f"{1e9 * part['seconds'].median() / n:.2f}",
                "np.cumsum [ns per loss]": f"{1e9 * part['cumsum_seconds'].median() / n:.2f}",
                "time as a multiple of np.cumsum": _ratio(part["seconds"], part["cumsum_seconds"]),
            }
        )
    return pd.DataFrame(rows)


def detectors(frame: pd.DataFrame) -> pd.DataFrame:
    """Ours on many losses beside np.cumsum; a row per detector or estimator and kind of losses."""
    rows = []
    for name, kind, part, times in _by_loss(frame):
        many = part["ours, many"]
        rows.append(
            {
                "detector or estimator": name,
                "drifts": kind,
                "losses": _count(many["n"]),
                "ours [ns per loss]": f"{times['ours, many'].median():.2f}",
                "np.cumsum [ns per loss]": f"{times['np.cumsum'].median():.2f}",
                "time as a multiple of np.cumsum": _ratio(times["ours, many"], times["np.cumsum"]),
                "alarms": "" if name in ESTIMATES else _exact(many["result"]),
            }
        )
    return pd.DataFrame(rows)


def detectors_beside(frame: pd.DataFrame) -> pd.DataFrame:
    """Ours beside other libraries on fewer losses; a row per case, kind of losses and library."""
    rows = []
    for name, kind, part, times in _by_loss(frame):
        for library in OTHERS:
            if library not in times:
                continue
            mine, theirs = part[f"ours beside {library}"], part[library]
            rows.append(
                {
                    "detector or estimator": name,
                    "drifts": kind,
                    "library": library,
                    "losses": _count(theirs["n"]),
                    "ours [ns per loss]": _short(times[f"ours beside {library}"].median()),
                    "theirs [ns per loss]": _short(times[library].median()),
                    "× ours": _ratio(times[library], times[f"ours beside {library}"]),
                    "alarms or last estimate, ours / theirs": " / ".join(
                        f"{result:.4f}" if name in ESTIMATES else _exact(result)
                        for result in (mine["result"], theirs["result"])
                    ),
                }
            )
    return pd.DataFrame(rows)


ESTIMATES = ("prequential_error", "sliding_error", "fading_error", "kappa, window")
OTHERS = ("MOA", "CapyMOA", "river", "frouros")


def _by_loss(frame: pd.DataFrame) -> Iterator[tuple[str, str, dict, pd.DataFrame]]:
    """Case, kind of losses, first row of each library, nanoseconds a loss by round and library."""
    frame = frame.assign(each=1e9 * frame["seconds"] / frame["n"])
    for (name, kind), part in frame.groupby(["case", "drifts"], sort=False):
        first = {library: rows.iloc[0] for library, rows in part.groupby("library")}
        yield name, kind, first, part.pivot(index="round", columns="library", values="each")


def _ratio(numerator: pd.Series, denominator: pd.Series) -> str:
    """Median of the ratios by round, and their range."""
    ratios = (numerator / denominator).dropna()
    if ratios.empty:
        return ""
    if len(ratios) == 1:
        return _short(ratios.median())
    return f"{_short(ratios.median())} ({_short(ratios.min())}–{_short(ratios.max())})"


def _short(value: float) -> str:
    if value != value:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _count(value: float) -> str:
    """Three digits, thousands set apart: 12 300."""
    if value != value:
        return ""
    return f"{float(f'{value:.3g}'):,.0f}".replace(",", " ")


def _exact(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ")


def _percent(error: float) -> str:
    return "–" if error != error else f"{100 * error:.1f} %"


def profile(frame: pd.DataFrame) -> pd.DataFrame:
    """Where the time goes; a row per stream and learner below a target."""
    names = {
        "whole": "ours [ns]",
        "moa": "MOA [ns]",
        "river": "river [ns]",
        "wanted": "wanted [ns]",
        "call": "call",
        "predicting": "predicting",
        "learning": "learning",
        "splits": "of it looking for splits",
        "counting": "counting classes only",
        "bayes": "arithmetic of one naive Bayes vote",
    }
    table = frame[["stream", "learner", *names]].rename(columns=names)
    for column in names.values():
        table[column] = table[column].map(_short)
    return table.assign(**{"what bounds it": [_bounded(row) for _, row in frame.iterrows()]})


def _bounded(row: pd.Series) -> str:
    """In words: whether the target can be met by any learner, and which part is the largest."""
    words = []
    if row["whole"] <= row["wanted"]:
        words.append("within what is wanted, when measured again")
    if row["wanted"] < row["counting"]:
        words.append(
            f"the loop: counting classes alone takes {_short(row['counting'])} ns, "
            f"wanted are {_short(row['wanted'])}"
        )
    shares = {part: row[part] / row["whole"] for part in ("call", "predicting", "learning")}
    part = max(shares, key=lambda name: shares[name])
    words.append(f"{part} is {100 * shares[part]:.0f} %")
    if row["splits"] > 0.2 * row["whole"]:
        words.append(f"looking for splits {100 * row['splits'] / row['whole']:.0f} %")
    if row["learner"] == "NaiveBayes":
        words.append(f"its arithmetic alone {100 * row['bayes'] / row['whole']:.0f} %")
    if row["bayes"] > row["wanted"]:
        words.append("one naive Bayes vote alone is above what is wanted")
    return "; ".join(words)


def scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Microseconds per example at the smallest and the largest size, and the exponent between."""
    rows = []
    for (axis, name), part in frame.groupby(["axis", "learner"], sort=False):
        part = part.sort_values("value")
        first, last = part.iloc[0], part.iloc[-1]
        slope = np.log(last["microseconds"] / first["microseconds"])
        slope /= np.log(last["value"] / first["value"])
        rows.append(
            {
                "against": axis,
                "learner": name,
                "from": _count(first["value"]),
                "to": _count(last["value"]),
                "least [µs]": _short(first["microseconds"]),
                "most [µs]": _short(last["microseconds"]),
                "exponent": f"{slope:.2f}",
            }
        )
    return pd.DataFrame(rows)


def _rate(part: pd.DataFrame) -> float:
    """Examples per second of some chunks of one length."""
    return len(part) * part["examples"].diff().iloc[-1] / part["seconds"].sum()


def growth(frame: pd.DataFrame) -> pd.DataFrame:
    """Memory after a tenth, half and all of the stream, and speed; a row per learner."""
    rows = []
    moa = frame[frame["library"] == "MOA"].set_index(["learner", "examples"])["seconds"]
    for name, part in frame[frame["library"] == "ours"].groupby("learner", sort=False):
        known = moa.get(name, pd.Series(dtype=float))
        both = part.set_index("examples")["seconds"].reindex(known.index)
        mib, n = part["bytes"] / 2**20, part["examples"].iloc[-1]
        tenth, half = part.index[len(part) // 10 - 1], part.index[len(part) // 2 - 1]
        counts = part.iloc[-1][["nodes", "learning leaves", "members"]].dropna()
        bound = part["bound"].iloc[0] / 2**20
        rows.append(
            {
                "learner": name,
                "examples": _count(n),
                "after a tenth [MiB]": _short(mib[tenth]),
                "half [MiB]": _short(mib[half]),
                "all [MiB]": _short(mib.iloc[-1]),
                "most [MiB]": _short(mib.max()),
                "bound [MiB]": _short(bound),
                "rate [1/s]": _count(n / part["seconds"].sum()),
                "last tenth [1/s]": _count(_rate(part.iloc[-len(part) // 10 :])),
                "× MOA, first tenth": _short(known.sum() / both.sum()) if len(known) else "",
                "error": _percent(part["error"].mean()),
                "in the end": ", ".join(f"{_count(v)} {k}" for k, v in counts.items()),
            }
        )
    return pd.DataFrame(rows)


def notebooks(frame: pd.DataFrame) -> pd.DataFrame:
    """Processor time by kind of work, as shares; a row per notebook, and one for the whole."""
    whole, parts = frame[frame["notebook"] == "all"].iloc[0], frame[frame["notebook"] != "all"]
    spent = parts.pivot_table(index="notebook", columns="work", values="processor", aggfunc="sum")
    spent = spent.reindex(columns=WORK, fill_value=0.0).fillna(0.0)
    spent.loc["all"] = spent.sum()
    wall = parts.groupby("notebook")["wall"].first()
    table = pd.DataFrame({"minutes": [_minutes(wall.get(n, whole["wall"])) for n in spent.index]})
    table["processor minutes"] = [_minutes(seconds) for seconds in spent.sum(axis=1)]
    for work in WORK:
        shares = spent[work] / spent.sum(axis=1)
        table[work] = [_percent(share) for share in shares]
    table["most memory [GB]"] = [""] * (len(table) - 1) + [f"{whole['memory'] / 1e9:.1f}"]
    table.insert(0, "notebook", list(spent.index))
    return table


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"
