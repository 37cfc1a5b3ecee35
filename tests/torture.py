"""Kill runs, damage the files that they read back, hinder them, and count what goes wrong.

A killed run must leave no half file, no mixture of old and new, and no process; the next one must
give the bytes of a run that nobody disturbed. A damaged file must be noticed, and change nothing.
A run on a machine with a fault (a full disk, a folder without rights, two at once) gives the same
bytes, or refuses.

    python tests/torture.py                          # 200 kills, 200 damages, 56 faults
    python tests/torture.py --kills 10 --damages 0 --faults 0 --only sweep --seed 3
    python tests/torture.py --write page.md          # puts the counts between its marks
    python tests/torture.py --seed 3 --write page.md --add    # as many again
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path

import pandas as pd
from page import written
from torturing.damages import KINDS, damaged
from torturing.faults import FAULTS, faulty
from torturing.kills import killed
from torturing.runs import Prepared
from torturing.works import WORKS
from tqdm import tqdm

MOST = {"kills": 200, "damages": 200, "faults": 56}
#: The columns of the tables, after the one that says what was tried.
COLUMNS = {
    "kills": [
        "kills", "stopped while results were written", "half files", "processes left", "files left",
        "next run fails", "next run differs", "tracebacks", "tasks", "stored at the kill",
    ],
    "damages": ["damages", "next run fails", "next run differs", "tracebacks"],
    "faults": [
        "faults", "refused", "wrong, and not refused", "half files", "files left",
        "next run fails", "next run differs", "tracebacks",
    ],
}  # fmt: skip
WRONG = {"half files", "processes left", "files left", "next run fails", "next run differs"}
WRONG |= {"tracebacks", "wrong, and not refused"}
READ_BACK = "notebook", "sweep", "report", "download"  # works that keep files for the next run
Trial = Callable[[Path, random.Random, str], Counter[str] | None]


@dataclass
class Outcome:
    """How often each thing was seen, by campaign and by what was tried."""

    seen: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    is_whole: bool = False  # not stopped before all trials were done

    def add(self, campaign: str, name: str, seen: Counter[str]) -> None:
        """Count what a trial has shown."""
        self.seen.setdefault(campaign, {}).setdefault(name, Counter()).update(seen)

    @property
    def n_wrong(self) -> int:
        """How often something was seen that must not be."""
        counters = [counter for table in self.seen.values() for counter in table.values()]
        return sum(counter[name] for counter in counters for name in WRONG)

    def tables(self) -> dict[str, pd.DataFrame]:
        """A table for each campaign."""
        return {
            campaign: pd.DataFrame(
                [{"what": name} | {n: c[n] for n in COLUMNS[campaign]} for name, c in rows.items()]
            )
            for campaign, rows in self.seen.items()
        }


def trials_of(campaign: str, prepared: dict[str, Prepared]) -> Iterator[tuple[str, str, Trial]]:
    """All kinds of trials: the name of the work, what is tried, the function."""
    if campaign == "kills":
        for name, one in prepared.items():
            yield name, name, partial(killed, one)
    elif campaign == "damages":
        for kind, name in product(KINDS, [name for name in READ_BACK if name in prepared]):
            yield name, kind, partial(damaged, prepared[name], kind)
    else:
        for name, fault in product(prepared, FAULTS):
            yield name, fault, partial(faulty, prepared[name], fault)


def torture(
    n: Mapping[str, int],
    seed: int,
    only: str = "",
    what: str = "",
    quiet: bool = False,
    at_random: bool = False,
    minutes: float = math.inf,
) -> Outcome:
    """So many trials of each campaign, over all kinds in turn, or in random order.

    `only` and `what` are regular expressions on the names of works and of what is tried. Once its
    share of the `minutes` is over, a campaign that has made a trial begins no other.
    """
    works = [work for work in WORKS if re.search(only, work.name)]
    if {*n} == {"damages"}:  # preparing takes minutes
        works = [work for work in works if work.name in READ_BACK]
    outcome, rng = Outcome(), random.Random(seed)
    with (
        tempfile.TemporaryDirectory(prefix="torture-", ignore_cleanup_errors=True) as place,
        suppress(KeyboardInterrupt),  # what was counted until then is shown
    ):
        folder = Path(place)
        bar = tqdm(total=sum(n.values()), unit=" trials", disable=quiet, desc="preparing")
        prepared = {work.name: Prepared.made(work, folder / work.name) for work in works}
        for campaign in n:
            bar.set_description(campaign)
            kinds = [kind for kind in trials_of(campaign, prepared) if re.search(what, kind[1])]
            if at_random:
                rng.shuffle(kinds)
            done, end = 0, time.monotonic() + 60 * minutes / len(n)
            while done < n[campaign] and kinds and (not done or time.monotonic() < end):
                name, tried, trial = kind = kinds.pop(0)
                mark = f"{campaign}-{os.getpid()}-{done}"
                if (seen := trial(folder, random.Random(rng.random()), mark)) is None:
                    continue  # the work has no such file
                kinds.append(kind)
                outcome.add(campaign, tried, seen)
                done += 1
                bar.update()
                if wrong := [fault for fault in seen if fault in WRONG and seen[fault]]:
                    bar.write(f"{name}, {tried}: {', '.join(wrong)}")
        bar.close()
        outcome.is_whole = True
    return outcome


def main() -> int:
    """Run, show the counts, and return 1 if something went wrong or it was stopped."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    for name, most in MOST.items():
        parser.add_argument(f"--{name}", type=int, default=most, help=f"how many (default: {most})")
    text = "all trials together, without the preparation; fewer trials if they take longer"
    parser.add_argument("--minutes", type=float, default=math.inf, help=text)
    parser.add_argument("--seed", type=int, default=0, help="decides the moments and the places")
    parser.add_argument("--only", default="", help="a regular expression on the names of works")
    parser.add_argument("--what", default="", help="a regular expression on what is tried")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the counts into a page")
    parser.add_argument(
        "--add", action="store_true", help="add to the counts in that page: a part of a campaign"
    )
    options = parser.parse_args()
    if options.add and not options.write:
        parser.error("--add must go with --write, the page that has the counts")
    n = {name: getattr(options, name) for name in MOST if getattr(options, name)}
    # A shell lets what it starts in the background ignore Ctrl-C, and so would the runs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    outcome = torture(n, options.seed, options.only, options.what, minutes=options.minutes)
    if outcome.is_whole and not outcome.seen:
        parser.error(f"--only {options.only!r} and --what {options.what!r} leave nothing to try")
    for name, table in outcome.tables().items():
        print(f"\n{name}\n{table.to_string(index=False)}")
    if options.write:
        written(options.write, outcome.tables(), add=options.add)
    return 0 if outcome.is_whole and not outcome.n_wrong else 1


if __name__ == "__main__":
    sys.exit(main())
