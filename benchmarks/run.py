"""Speed of this library beside river and MOA: ``make bench``.

Measurements go to ``benchmarks/results``, and the tables made from them into the README beside.
A run that is not the whole (``--quick``, or with some streams or learners only) writes to
``build/bench`` and leaves both alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import compiling
import estimating
import machine
import pandas as pd
import report
import sampling
import speed
import with_moa
from cases import CASES

import data

HERE = Path(__file__).resolve().parent
SIZES = [10_000, 100_000, 1_000_000]  # losses that the estimators are given


def main() -> None:
    options = parse()
    whole = not (options.quick or options.streams or options.learners)
    folder = HERE / "results" if whole else HERE.parent / "build" / "bench"
    for part in options.parts:
        if not options.render:
            print(f"{part}:", flush=True)
            measure(part, options, folder)
        table = report.text(folder, part)
        print(f"\n{table}\n", flush=True)
        if whole:
            report.put_into_readme(part, table)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure")
    add("--streams", nargs="+", choices=data.STREAMS, help="only these, of the part learners")
    add("--learners", nargs="+", choices=CASES, metavar="NAME", help="only these learners")
    add("--rounds", type=int, default=5, help="repeats of each measurement (default 5)")
    add("--quick", action="store_true", help="a tenth of each stream, two rounds")
    add("--no-moa", action="store_true", help="leave out MOA, which needs Java")
    add("--capymoa", metavar="PYTHON", help="a Python with CapyMOA; default: an own environment")
    add("--render", action="store_true", help="only make the tables again, from the last results")
    options = parser.parse_args()
    options.rounds = 2 if options.quick else options.rounds
    return options


def measure(part: str, options: argparse.Namespace, folder: Path) -> None:
    begin, about = time.perf_counter(), machine.describe()
    frame = PARTS[part](options, about)
    about |= {"rounds": options.rounds, "minutes": round((time.perf_counter() - begin) / 60, 1)}
    report.save(folder, part, frame, about)


def learners(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    moa = None if options.no_moa else with_moa.start(options.capymoa)
    about |= moa.versions if moa else {}
    scale = 0.1 if options.quick else 1.0
    streams, names = options.streams or list(data.STREAMS), options.learners or list(CASES)
    try:
        return speed.measure(streams, names, options.rounds, scale, moa)
    finally:
        if moa:
            moa.close()


def first_runs(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return compiling.measure(options.learners or list(CASES), min(options.rounds, 3))


def generators(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return sampling.measure(options.rounds)


def estimators(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return estimating.measure(SIZES[: 1 if options.quick else None], options.rounds)


PARTS: dict[str, Callable[[argparse.Namespace, dict[str, object]], pd.DataFrame]] = {
    "learners": learners,
    "compiling": first_runs,
    "streams": generators,
    "estimators": estimators,
}


if __name__ == "__main__":
    main()
