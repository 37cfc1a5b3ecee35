"""Benchmarks import, and time a learner of every class."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

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


@pytest.mark.parametrize("name", ["drift_answers", "detector_rates"])
def test_the_tables_on_wrong_reports_are_those_of_their_counts(name, monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    module = importlib.import_module(name)
    table = module.markdown(pd.read_csv(module.FILE))
    assert len(table.splitlines()) > 6
    part = name.replace("_", " ")
    text = f"<!-- {part} -->\n{table}\n<!-- end of {part} -->"
    assert text in (BENCHMARKS / "README.md").read_text("utf-8")
