"""Benchmarks import, and time a learner of every class."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from repro import registry

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
#: A module that runs in the environment of another library cannot be imported in ours.
CODE = """
import importlib, pathlib, sys
sys.path.insert(0, {folder!r})
names = [path.stem for path in pathlib.Path({folder!r}).glob("*.py")]
for name in sorted(name for name in names if not name.endswith("_child")):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("capymoa", "frouros", "jpype"):
            raise
from cases import CASES
print(*sorted({{type(case.ours).__name__ for case in CASES.values()}}))
"""


def test_benchmarks_import_and_time_every_learner():
    code = CODE.format(folder=str(BENCHMARKS))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == sorted(registry.learners())
