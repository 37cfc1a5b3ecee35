"""A notebook runs with everybody's tools, without our command and our options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FEW = {"n_seeds": 2, "n_readings": 2, "n_simulated": 10}


def run(tmp_path, *command):
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=ROOT,
        env=os.environ | {"REPRO_OUTPUT": str(tmp_path), "REPRO_PROGRESS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.long
def test_papermill_and_nbconvert_run_a_notebook(tmp_path):
    source, small = ROOT / "notebooks" / "03_drift_detection.ipynb", tmp_path / "small.ipynb"
    few = [word for name, value in FEW.items() for word in ("-p", name, value)]
    run(tmp_path, "papermill", source, small, "--cwd", source.parent, *few)
    run(tmp_path, "nbconvert", "--execute", "--to", "notebook", "--output", "again", small)
    first, again = (json.loads((tmp_path / f"{n}.ipynb").read_text()) for n in ("small", "again"))
    assert len(first["cells"]) == len(again["cells"])
    plain = [
        "".join(output["data"].get("text/plain", ""))
        for cell in first["cells"]
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    assert len(plain) > 20
    assert not [text for text in plain if " at 0x" in text]  # a table has its text
