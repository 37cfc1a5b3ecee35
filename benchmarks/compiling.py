"""Part `compiling`: the first run of each learner in a new process, before and after compilation.

Each learner has a cache folder of its own, so it pays for everything that it needs. The second
process finds the kernels on disk.
"""

from __future__ import annotations

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
from repro import Stream, prequential
from repro.learners import *
stream = Stream([[0.0, 1.0]] * 100, [0, 1] * 50)
imported = time.perf_counter()
prequential({learner!r}, stream)
print(json.dumps([imported - begin, time.perf_counter() - imported]))
"""


def measure(learners: list[str], rounds: int) -> pd.DataFrame:
    """One row per learner, start (cold or cached) and round; settings do not matter."""
    rows, seen = [], set()
    for name in learners:
        learner = CASES[name].ours
        if type(learner) in seen:
            continue
        seen.add(type(learner))
        for number in range(rounds):
            print(f"  first run of {type(learner).__name__}, {number + 1} of {rounds}", flush=True)
            with tempfile.TemporaryDirectory() as cache:
                for start in ("cold", "cached"):
                    key = {"learner": type(learner).__name__, "start": start, "round": number}
                    rows.append(key | _first_run(FIRST_RUN.format(learner=learner), cache))
    return pd.DataFrame(rows)


def _first_run(code: str, cache: str) -> dict[str, float]:
    environment = {**os.environ, "REPRO_CACHE": cache}
    environment.pop("NUMBA_CACHE_DIR", None)  # it would be used instead
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    process = time.perf_counter() - begin
    imports, first = json.loads(done.stdout)
    return {"import_seconds": imports, "run_seconds": first, "process_seconds": process}
