"""Speed of this library beside river and MOA: ``make bench``.

Measurements go to ``benchmarks/results``, and the tables made from them into the README beside.
A run that is not the whole (``--quick``, or with some streams or learners only) writes to
``build/bench`` and leaves both alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import compiling
import costs
import detecting
import estimating
import growth
import inside
import machine
import pandas as pd
import plain
import profiling
import report
import sampling
import scaling
import speed
import whole_paper
import with_moa
from cases import CASES

import data

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench"
SIZES = [10_000, 100_000, 1_000_000, 10_000_000]  # losses that the estimators are given
MANY, FEW = 10_000_000, 100_000  # losses that detectors are given, of ours and of other libraries


def main() -> None:
    options = parse()
    whole = is_whole(options)
    folder = HERE / "results" if whole else BUILD
    for part in options.parts:
        if not options.render:
            print(f"{part}:", flush=True)
            measure(part, options, folder)
        if part in FIGURES:
            FIGURES[part](pd.read_csv(folder / f"{part}.csv"), folder / f"{part}.png")
        table = report.text(folder, part)
        print(f"\n{table}\n", flush=True)
        if whole:
            report.put_into_readme(part, table)


def is_whole(options: argparse.Namespace) -> bool:
    return not (options.quick or options.streams or options.learners or options.scale != 1)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--parts", nargs="+", choices=PARTS, default=USUAL, help="what to measure")
    add("--streams", nargs="+", choices=data.STREAMS, help="only these, of the part learners")
    add("--learners", nargs="+", choices=CASES, metavar="NAME", help="only these learners")
    add("--rounds", type=int, default=3, help="repeats of each measurement (default 3)")
    add("--quick", action="store_true", help="a tenth of each stream, two rounds")
    add("--scale", type=float, default=1.0, help="length of the stream of growth over 10^7")
    add("--notebooks", nargs="+", default=[], metavar="01", help="only these, of that part")
    add("--no-moa", action="store_true", help="leave out MOA, which needs Java")
    add("--capymoa", metavar="PYTHON", help="a Python with CapyMOA; default: an own environment")
    add("--render", action="store_true", help="only make the tables again, from the last results")
    options = parser.parse_args()
    options.rounds = 2 if options.quick else options.rounds
    return options


def measure(part: str, options: argparse.Namespace, folder: Path) -> None:
    begin, about = time.perf_counter(), machine.describe()
    frame = PARTS[part](options, about)
    minutes = round((time.perf_counter() - begin) / 60, 1)
    about |= {"load at the end": machine.describe()["load"], "minutes": minutes}
    report.save(folder, part, frame, about)


def learners(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    moa = None if options.no_moa else with_moa.start(options.capymoa)
    about |= {"rounds": options.rounds, **(moa.versions if moa else {})}
    scale = 0.1 if options.quick else 1.0
    streams, names = options.streams or list(data.STREAMS), options.learners or list(CASES)
    try:
        return speed.measure(streams, names, options.rounds, scale, moa)
    finally:
        if moa:
            moa.close()


def first_runs(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return compiling.measure(options.learners or list(CASES), 1)


def profiles(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    folder = HERE / "results" if is_whole(options) else BUILD
    return profiling.measure(pd.read_csv(folder / "learners.csv"))


def sizes(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return scaling.measure(0.1 if options.quick else 1.0)


def long_stream(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    moa = None if options.no_moa else with_moa.start(options.capymoa)
    about |= moa.versions if moa else {}
    try:
        return growth.measure(options.scale * (0.1 if options.quick else 1.0), moa)
    finally:
        if moa:
            moa.close()


def in_river(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    about |= {"rounds": options.rounds, "river": version("river")}
    return inside.measure(options.rounds, 0.1 if options.quick else 1.0)


def beside_plain_loops(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    about["rounds"] = options.rounds
    return plain.measure(options.rounds, 0.1 if options.quick else 1.0)


def all_notebooks(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    return whole_paper.measure(options.notebooks, "quick" if options.quick else "paper")


def of_testbed(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    about["rounds"] = options.rounds
    frame = costs.measure(options.rounds, 0.02 if options.quick else 0.2)
    if is_whole(options):
        costs.publish(frame)
    return frame


def generators(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    about["rounds"] = options.rounds
    return sampling.measure(options.rounds)


def estimators(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    about["rounds"] = options.rounds
    return estimating.measure(SIZES[: 1 if options.quick else None], options.rounds)


def detectors(options: argparse.Namespace, about: dict[str, object]) -> pd.DataFrame:
    moa = None if options.no_moa else with_moa.start(options.capymoa)
    frouros = detecting.start_frouros()
    children = [child for child in (moa, frouros) if child]
    about["rounds"] = options.rounds
    for child in children:
        about |= child.versions
    shrink = 10 if options.quick else 1
    try:
        return detecting.measure(MANY // shrink, FEW // shrink, options.rounds, moa, frouros)
    finally:
        for child in children:
            child.close()


PARTS: dict[str, Callable[[argparse.Namespace, dict[str, object]], pd.DataFrame]] = {
    "learners": learners,
    "profile": profiles,
    "compiling": first_runs,
    "scaling": sizes,
    "growth": long_stream,
    "inside": in_river,
    "plain": beside_plain_loops,
    "notebooks": all_notebooks,
    "costs": of_testbed,
    "streams": generators,
    "estimators": estimators,
    "detectors": detectors,
}
USUAL = [part for part in PARTS if part != "notebooks"]  # it takes as long as all others together
FIGURES = {"scaling": scaling.draw, "growth": growth.draw}


if __name__ == "__main__":
    main()
