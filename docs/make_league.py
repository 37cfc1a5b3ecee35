"""Run the league and write docs/league.md: ``python docs/make_league.py``.

What has finished stays in data/results/league_*.csv: kill it when you like, and call it again.

    python docs/make_league.py                          # one seed of every learner, then the page
    python docs/make_league.py --seeds 10 --cap 60      # more seeds of all that take less than 60 s
    python docs/make_league.py --only page              # the page again, from the tables
    python docs/make_league.py --examples 60            # in two minutes, to see that all of it runs
    python docs/make_league.py --freeze                 # a copy of the tables that stays, to cite
    python docs/make_league.py --backend dask --scheduler tcp://HOST:8786
    python docs/make_league.py --only learners --learners NaiveBayes    # these only
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

from leagues import detectors, injected, pareto, ranks, special, speed  # noqa: E402
from leagues.entered import with_entries  # noqa: E402
from leagues.frozen import freeze  # noqa: E402
from leagues.learners import STREAMS, entries  # noqa: E402
from leagues.page import PICTURE, RANKS, against_speed, render  # noqa: E402
from leagues.runs import run  # noqa: E402
from leagues.standings import COLUMNS, standings  # noqa: E402
from leagues.tables import read  # noqa: E402

from repro.league import read_entries  # noqa: E402

TABLES = DOCS.parent / "data" / "results"
PAGE = DOCS / "league.md"
LENGTH = min(stream.n for stream in STREAMS.values())
QUICK = ["PageHinkley, delta .1", "random alarms"]
QUICK_LONGEST = 1_000  # of real streams
NAMES = "learners", "speed", "detectors", "injected", "special"
ENTRIES = "league_entries.csv"  # which `python -m repro league add` writes


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says."""
    given = parsed(arguments)
    if given.examples is not None:  # other numbers: away from those that count
        if given.tables == TABLES:
            given.tables = DOCS.parent / "build" / f"league-{given.examples}"
        if given.page == PAGE:
            given.page = given.tables / PAGE.name
        given.detectors = given.detectors or QUICK
    if given.freeze:
        print(freeze(given.tables, [*(f"league_{name}.csv" for name in NAMES), ENTRIES]))
        return 0
    chosen = [entry for entry in entries() if not given.learners or entry.name in given.learners]
    runs, times, alarms, real, others = (given.tables / f"league_{name}.csv" for name in NAMES)
    if len(chosen) < 2 and not runs.is_file():
        names = " ".join(given.learners)
        sys.exit(f"error: --learners must name two or more learners at first; got {names}")
    if given.only in ("all", "learners"):
        options = {"backend": given.backend, "scheduler": given.scheduler, "jobs": given.jobs}
        limits = {"cap": given.cap, "examples": given.examples}
        run(runs, chosen, given.seeds, fresh=given.fresh, **limits, **options)
    if given.only in ("all", "speed"):
        budget = speed.BUDGET if given.examples is None else 0.0
        speed.measure(times, chosen, fresh=given.fresh, budget=budget)
    if given.only in ("all", "detectors"):
        detectors.measure(alarms, given.detectors, fresh=given.fresh)
    if given.only in ("all", "injected"):
        longest = injected.LONGEST if given.examples is None else QUICK_LONGEST
        injected.measure(real, given.detectors, fresh=given.fresh, longest=longest)
    if given.only in ("all", "special"):
        limits = {"cap": given.cap, "examples": given.examples, "fresh": given.fresh}
        special.measure(others, chosen, given.seeds, read(runs, COLUMNS), **limits)
    given.page.write_text(page(given.tables))
    whole = with_entries(read(runs, COLUMNS), read_entries(given.tables / ENTRIES))
    places, _ = standings(whole, list(STREAMS))
    pairs = against_speed(places, read(times, speed.COLUMNS))
    pareto.draw(pairs, given.page.with_name(PICTURE))
    ranks.draw(places, len(STREAMS), given.page.with_name(RANKS))
    print(given.page)
    return 0


def page(tables: Path = TABLES) -> str:
    """The page that the tables in the folder `tables` give."""
    columns = COLUMNS, speed.COLUMNS, detectors.COLUMNS, injected.COLUMNS, special.COLUMNS
    pairs = zip(NAMES, columns, strict=True)
    entered = read_entries(tables / ENTRIES)
    frozen = sorted(path.parent.name for path in tables.glob("league-*/card.toml"))
    return render(*(read(tables / f"league_{name}.csv", c) for name, c in pairs), entered, frozen)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    about, _, calls = (__doc__ or "").partition("\n\n")
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=about, epilog=calls, formatter_class=form)
    add = parser.add_argument
    add("--seeds", type=int, default=1, help="draws of each stream")
    add("--cap", type=float, default=float("inf"), help="seconds for all streams; see above")
    text = f"of each stream, the first N of {LENGTH}; into build/league-N"
    add("--examples", type=int, metavar="N", help=text)
    add("--learners", nargs="+", default=[], help="names, by default all")
    add("--detectors", nargs="+", default=[], help="names, by default all")
    parts = "all", *NAMES, "page"
    add("--only", choices=parts, default="all", help="what to make, beside the page")
    add("--backend", choices=("processes", "dask"), default="processes")
    add("--scheduler", help="address of the Dask cluster")
    add("--jobs", type=int, default=1, help="processes; times are those of a busy machine then")
    add("--fresh", action="store_true", help="run again what has finished")
    add("--tables", type=Path, default=TABLES, help="folder of the tables")
    add("--freeze", action="store_true", help="only copy the tables to the folder of the round")
    add("--page", type=Path, default=PAGE, help="file of the page")
    given = parser.parse_args(arguments)
    if given.examples is not None and not 1 <= given.examples <= LENGTH:
        parser.error(f"--examples must be from 1 to {LENGTH}; got {given.examples}")
    return given


if __name__ == "__main__":
    sys.exit(main())
