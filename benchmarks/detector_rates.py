"""Do the rates of false alarms that the report on detectors states hold on fresh losses?

    python benchmarks/detector_rates.py [--seeds 2] [--jobs 2] [--library ours river frouros]

Each detector is counted on the losses for calibration and on as many fresh ones, of every stream
and error rate; the detectors beside it are set to one alarm in 1000, 5000 and 20 000 losses on the
former. A row of ``results/detector_rates.csv`` has both counts, and whether the interval that the
report states overlaps that of the fresh losses, with the difference of both rates in standard
errors. frouros is used if it can be imported; its own requirements ask for an older numpy, so
install it without them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from report import put_into_readme
from river.drift import ADWIN, KSWIN, NoDrift, PageHinkley, binary
from tqdm import tqdm

from repro import registry
from repro.detectors.recorded import Runs
from repro.judge._detector.losses import (
    Group,
    calibration_losses,
    independent_losses,
    learner_losses,
)
from repro.judge._detector.references import REFERENCES
from repro.judge._detector.results import Rate
from repro.judge._detector.runs import Search, Work, fit_detectors, run_work, seconds_for
from repro.statistics import dispersion

FILE = Path(__file__).parent / "results" / "detector_rates.csv"
ORDER = "library", "detector", "losses", "of"
TARGETS = 1000, 5000, 20_000
BUDGET = 40.0  # CPU seconds of a detector; a slower one sees the first part of each run
FRESH = 100_000  # first of the seeds of fresh losses

Losses = dict[Group, Runs]


def ours() -> dict[str, Any]:
    return registry.detectors()


def rivers() -> dict[str, Any]:
    made = [ADWIN(), KSWIN(seed=1), PageHinkley(), NoDrift()]
    made += [getattr(binary, name)() for name in binary.__all__]
    return {type(detector).__name__: detector for detector in made}


def frouros() -> dict[str, Any]:
    """All streaming detectors of frouros with their defaults; empty without frouros."""
    try:
        module = import_module("frouros.detectors.concept_drift")
    except ImportError:
        return {}
    names = [name.removesuffix("Config") for name in dir(module) if name.endswith("Config")]
    pairs = {name: (getattr(module, name), getattr(module, f"{name}Config")) for name in names}
    return {name: detector(config=config()) for name, (detector, config) in pairs.items()}


LIBRARIES: dict[str, Callable[[], dict[str, Any]]] = {
    "ours": ours,
    "river": rivers,
    "frouros": frouros,
}


def fresh_losses(seeds: list[int], jobs: int) -> Losses:
    """As many losses as those for calibration, of other seeds."""
    numbers = range(FRESH, FRESH + 2 * len(seeds))
    losses: Losses = {**learner_losses(numbers, kinds=["none"], moved=True, jobs=jobs)}
    return losses | independent_losses(numbers, kinds=["none"], repeats=5)


def rows_of(
    library: str, name: str, counts: list[dict[Group, Any]], losses: list[Losses]
) -> Iterator[dict[str, Any]]:
    """What a detector did on both losses, a row for each group of which it has alarms."""
    for group in counts[0].keys() & counts[1].keys():
        stated, fresh = (
            Rate(tuple(run.size for run in alarms[group]), sum(map(len, runs[group])))
            for alarms, runs in zip(counts, losses, strict=True)
        )
        low, high = stated.interval()
        yield {
            **{"library": library, "detector": name, "losses": group.losses, "of": group.name},
            **{"alarms": stated.alarms, "examples": stated.n, "at least": low, "at most": high},
            **{"fresh alarms": fresh.alarms, "fresh examples": fresh.n},
            "dispersion": dispersion(stated.counts),
            "overlap": low <= fresh.interval()[1] and fresh.interval()[0] <= high,
            "z": differ(stated, fresh),
        }


def differ(stated: Rate, fresh: Rate) -> float:
    """The difference of the logarithms of two rates in standard errors; 0 without alarms."""
    if not stated.alarms + fresh.alarms:
        return 0.0
    ratio = stated.n / max(stated.alarms, 0.5) * max(fresh.alarms, 0.5) / fresh.n
    return float(np.log(ratio) / (stated.relative_variance + fresh.relative_variance) ** 0.5)


def of_library(library: str, losses: list[Losses], jobs: int) -> Iterator[dict[str, Any]]:
    """The detectors of a library as they are given."""
    n = sum(len(run) for runs in losses for group in runs.values() for run in group)
    given = LIBRARIES[library]()
    used = {}
    for name, detector in given.items():
        share = min(1.0, BUDGET / (seconds_for(detector) * n))  # nan of one that fails: it says why
        used[name] = [cut(runs, share) for runs in losses] if share < 1 else losses
    counts = []
    for i in range(len(losses)):
        work = {name: Work(detector, used[name][i]) for name, detector in given.items()}
        alarms, failures = run_work(work, jobs=jobs)
        counts.append(alarms)
        print(*(f"{name}: {text}" for name, text in failures.items()), sep="\n")
    for name in counts[0].keys() & counts[1].keys():
        yield from rows_of(library, name, [alarms[name] for alarms in counts], used[name])


def cut(losses: Losses, share: float) -> Losses:
    """The first losses of each run, of which a slow detector sees a share only."""
    return {g: [run[: max(1, int(share * len(run)))] for run in runs] for g, runs in losses.items()}


def references(losses: list[Losses], jobs: int) -> Iterator[dict[str, Any]]:
    """The detectors beside yours, set to each of the `TARGETS` on the losses for calibration."""
    held, fresh = losses
    groups = {f"{group.losses}, {group.name}": group for group in held}
    searches = {
        (name, target, where): Search(
            family.make, target, (family.values[0], family.values[-1]), where
        )
        for name, family in REFERENCES.items()
        for target in TARGETS
        for where in groups
    }
    fits, _ = fit_detectors(searches, {where: held[g] for where, g in groups.items()}, jobs=jobs)
    for (name, target, where), fit in tqdm(fits.items(), desc="references"):
        if fit.reaches(target):
            detector, group = REFERENCES[name].make(fit.value), groups[where]
            work = [Work(detector, {group: runs[group]}) for runs in (held, fresh)]
            counts = [run_work({name: one}, jobs=1)[0][name] for one in work]
            yield from rows_of(f"set to {target}", name, counts, losses)


def markdown(table: pd.DataFrame) -> str:
    """How many rates differ, as a table of the README."""
    lines = ["| detectors | of them | rates | beyond 2 s.e. | intervals that do not overlap |"]
    lines.append("|---" * 5 + "|")
    for library, rows in table.groupby("library", sort=False):
        counts = [rows["detector"].nunique(), len(rows), (rows["z"].abs() > 2).sum()]
        lines.append(
            f"| {library} | " + " | ".join(map(str, [*counts, (~rows["overlap"]).sum()])) + " |"
        )
    return "\n".join(lines)


def main() -> None:
    """Count all detectors, write their rows, and say how many intervals do not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=2, help="of the report")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--library", nargs="*", default=[*LIBRARIES, "set"], help="whose detectors")
    options = parser.parse_args()
    seeds = list(range(options.seeds))
    losses = [
        calibration_losses(seeds, jobs=options.jobs),
        fresh_losses(seeds, options.jobs),
    ]
    rows: list[dict[str, Any]] = []
    for library in options.library:
        found = references if library == "set" else partial(of_library, library)
        rows += found(losses, options.jobs)
    table = pd.DataFrame(rows)
    others = pd.read_csv(FILE) if FILE.is_file() else table.iloc[:0]
    kept = others[~others["library"].isin(table["library"])]
    pd.concat([kept, table]).sort_values([*ORDER]).to_csv(FILE, index=False, float_format="%.6g")
    put_into_readme("detector rates", markdown(pd.read_csv(FILE)))


if __name__ == "__main__":
    main()
