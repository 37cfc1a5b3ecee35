"""What very long streams and very many tasks cost: seconds, and memory that they add.

    python tests/load.py                       # 10^8 examples, 10^5 tasks: about half an hour
    python tests/load.py --scale 0.01 --only tree
    python tests/load.py --write page.md       # puts the table between its marks, other parts stay

Each part runs in a process of its own. *Flat* is what grows with nothing but the numbers that are
asked for: a run of chunks keeps the prediction and the loss of an example, in 2 bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from page import table_in, written

from repro import Stream, judge, learners, metrics, prequential, sweep
from repro.evaluation._arguments import MEASURES, NO_MEASURES
from repro.evaluation.sweep import _tasks
from repro.streams import SEA
from repro.studies.keys import Keys
from repro.studies.store import Store

CHUNK = 1_000_000
EXAMPLES, TASKS = 10**8, 10**5
MB = 1e6


def resident() -> float:
    """Megabytes of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / MB


class Progress:
    """Megabytes in memory when a tenth of the work is done, and at its end."""

    def __init__(self, steps: int) -> None:
        self.steps, self.seen = steps, list[float]()

    def step(self) -> None:
        self.seen.append(resident())

    @property
    def a_tenth(self) -> float:
        return self.seen[max(0, round(self.steps / 10) - 1)]


def chunks(n: int, progress: Progress) -> Iterator[Stream]:
    """`n` examples of SEA, whose concept changes every chunk."""
    for i, start in enumerate(range(0, n, CHUNK)):
        yield SEA(threshold=[8, 9, 7, 9.5][i % 4]).sample(seed=i, n=min(CHUNK, n - start))
        progress.step()


def follow(learner: learners.Learner) -> Callable[[float], tuple[int, Progress, float]]:
    """A part: `learner` along a stream in chunks; expected are 2 bytes for each example."""

    def part(scale: float) -> tuple[int, Progress, float]:
        n = round(EXAMPLES * scale)
        progress = Progress(-(-n // CHUNK))
        run = prequential(learner, chunks(n, progress))
        assert len(run.loss) == n
        return n, progress, 2.0

    return part


def estimators(scale: float) -> tuple[int, Progress, float]:
    """The estimators online, one loss after the other; nothing is kept."""
    n = round(EXAMPLES * scale)
    progress, rng = Progress(-(-n // CHUNK)), np.random.default_rng(0)
    online = metrics.PrequentialError(), metrics.SlidingError(1000), metrics.FadingError(0.999)
    for start in range(0, n, CHUNK):
        for loss in (rng.random(min(CHUNK, n - start)) < 0.2).astype(float).tolist():
            for estimate in online:
                estimate.update(loss)
        progress.step()
    return n, progress, 0.0


def predictions(scale: float) -> tuple[int, Progress, float]:
    """A report on a log of predictions in a Parquet file, which is read as a whole."""
    n = round(EXAMPLES * scale)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n, dtype=np.int8)
    frame = pd.DataFrame({"y": y, "p": np.where(rng.random(n) < 0.8, y, 1 - y).astype(np.int8)})
    progress = Progress(1)
    with tempfile.TemporaryDirectory() as place:
        frame.to_parquet(Path(place) / "log.parquet")
        del frame, y
        progress.step()
        judge.predictions(Path(place) / "log.parquet", label="y", predicted="p")
    return n, progress, 0.0


def tasks(scale: float) -> tuple[int, Progress, float]:
    """A sweep of tasks that have little to do, in two processes, and again from what is stored."""
    n, stream = round(TASKS * scale), Stream([[0.0], [1.0]] * 6, [0, 1, 1, 1, 0, 0] * 2)
    what = {"a": learners.NoChange()}, {"s": stream}
    progress = Progress(1)
    with tempfile.TemporaryDirectory() as cache:
        sweep(*what, n, cache=cache, jobs=2)
        progress.step()
        started = time.monotonic()
        sweep(*what, n, cache=cache, jobs=2)
        print(f"  from what is stored: {time.monotonic() - started:.1f} s", flush=True)
        listed = [*_tasks(*what, [*range(n)], (MEASURES, NO_MEASURES), {})]
        started, keys, store = time.monotonic(), Keys(), Store(cache)
        n_stored = sum(keys.of(task).text in store for task in listed)
        print(
            f"  to see that {n_stored:,} are stored: {time.monotonic() - started:.2f} s", flush=True
        )
    return n, progress, 0.0


PARTS: dict[str, Callable[[float], tuple[int, Progress, float]]] = {
    "tree": follow(learners.HoeffdingTree()),
    "bag of 10 trees": follow(learners.OzaBag(learners.HoeffdingTree())),
    "estimators, online": estimators,
    "report on predictions": predictions,
    "sweep of tasks": tasks,
}


def measured(name: str, scale: float) -> dict[str, str]:
    """Run a part in this process: its row of the table."""
    if name in ("tree", "bag of 10 trees"):
        PARTS[name](min(scale, 0.01))  # compiles
    before, started = resident(), time.monotonic()
    n, progress, kept = PARTS[name](scale)
    seconds = time.monotonic() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "what": name,
        "examples or tasks": f"{n:,}",
        "seconds": f"{seconds:,.0f}",
        "a tenth [MB]": f"{progress.a_tenth - before - kept * n / 10 / MB:+,.0f}",
        "the end [MB]": f"{resident() - before - kept * n / MB:+,.0f}",
        "peak [MB]": f"{peak:,.0f}",
    }


def renewed(before: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a `table`, and those of parts that it has not as they were before."""
    if before.empty:
        return table
    both = pd.concat([before, table]).drop_duplicates("what", keep="last").set_index("what")
    return both.loc[[name for name in PARTS if name in both.index]].reset_index()


def main() -> int:
    """Run the parts one by one, and show or write the table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the work (default: 1)")
    parser.add_argument("--only", default="", help="a regular expression on the names of parts")
    parser.add_argument("--part", choices=[*PARTS], help="this one alone, as a line of JSON")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    options = parser.parse_args()
    if options.part:
        print(json.dumps(measured(options.part, options.scale)))
        return 0
    rows = []
    for name in PARTS:
        if re.search(options.only, name):
            command = [sys.executable, __file__, "--scale", str(options.scale), "--part", name]
            env = os.environ | {"REPRO_PROGRESS": "0"}
            done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
            print(done.stdout, end="", flush=True)
            rows.append(json.loads(done.stdout.splitlines()[-1]))
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    if options.write:
        written(options.write, {"load": renewed(table_in(options.write, "load"), table)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
