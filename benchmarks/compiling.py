"""Part `compiling`: the first run of each learner in a new process, before and after compilation.

Each learner has a cache folder of its own, so it pays for everything that it needs. The second
process finds the kernels on disk: numba must report that it compiled none. Times are those of the
clock on the wall, what a user waits for; beside them the processor's, which on a busy machine says
what the first run takes on an idle one.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time

import pandas as pd
from cases import CASES

FIRST_RUN = """
import json, time
begin = time.perf_counter()
from numba.core import event
from repro import Stream, prequential
from repro.detectors import *
from repro.learners import *
stream = Stream([[0.0, 1.0]] * 100, [0, 1] * 50)
imported, processor = time.perf_counter(), time.process_time()
class Counter(event.Listener):
    kernels = 0
    def on_start(self, event):
        self.kernels += 1
    def on_end(self, event):
        pass
counter = Counter()
event.register("numba:compile", counter)
prequential({learner!r}, stream)
processor = time.process_time() - processor
print(json.dumps([imported - begin, time.perf_counter() - imported, processor, counter.kernels]))
"""
LINE = "repro: compiling kernels"  # what a first use says on stderr


def measure(learners: list[str], rounds: int) -> pd.DataFrame:
    """One row per learner, start (cold or cached) and round; settings do not matter."""
    rows, seen = [], set()
    for name in learners:
        learner = CASES[name].ours
        parts = [type(p) for p in vars(learner).values() if dataclasses.is_dataclass(p)]
        kind = f"{type(learner).__name__}({', '.join(part.__name__ for part in parts)})"
        if kind in seen:
            continue
        seen.add(kind)
        for number in range(rounds):
            print(f"  first run of {kind}, {number + 1} of {rounds}", flush=True)
            with tempfile.TemporaryDirectory() as cache:
                for start in ("cold", "cached"):
                    key = {"learner": kind, "start": start, "round": number}
                    rows.append(key | _first_run(FIRST_RUN.format(learner=learner), cache))
    return pd.DataFrame(rows)


def _first_run(code: str, cache: str) -> dict[str, object]:
    environment = {**os.environ, "REPRO_CACHE": cache}
    environment.pop("NUMBA_CACHE_DIR", None)  # it would be used instead
    environment.pop("REPRO_PROGRESS", None)  # it would silence the line
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    process = time.perf_counter() - begin
    imports, first, processor, kernels = json.loads(done.stdout)
    return {
        "import_seconds": imports,
        "run_seconds": first,
        "processor_seconds": processor,
        "process_seconds": process,
        "kernels": kernels,
        "says_so": LINE in done.stderr,
    }
