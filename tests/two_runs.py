"""Run a notebook twice and compare all its files: ``python tests/two_runs.py 03_drift_detection``.

Figures, tables and outputs must be the same to the byte. The first run is the stored one, if it is
current; the second is made again. ``--profile paper`` compares with the committed files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import repro
from repro.runner.job import find, prepare
from repro.runner.outputs import with_outputs

ROOT = Path(__file__).resolve().parents[1]


def files_of(job) -> dict[str, bytes]:
    """The files that a run wrote, and its outputs as they are committed."""
    record = json.loads(job.record.read_text(encoding="utf-8"))
    found = {name: (job.results / name).read_bytes() for name in record["outputs"]}
    executed = job.notebook.with_content(json.loads(job.path(".ipynb").read_text(encoding="utf-8")))
    hidden = str(job.path(".staging")), str(ROOT), sys.prefix
    content = with_outputs(executed, executed, hidden) or {"cells": []}
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    outputs = {f"output {i}": json.dumps(cell["outputs"]) for i, cell in enumerate(code)}
    return found | {name: text.encode() for name, text in outputs.items()}


def main() -> int:
    """Compare; 1 if a file differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook")
    parser.add_argument("--profile", default="quick")
    options = parser.parse_args()
    job = prepare(find(options.notebook, ROOT), options.profile, {})
    runs = []
    for force in (False, True):
        repro.run_notebook(job.notebook.path, profile=options.profile, force=force)
        runs.append(files_of(job))
    first, second = runs
    differ = sorted(n for n in first.keys() | second.keys() if first.get(n) != second.get(n))
    print("\n".join(f"differs: {name}" for name in differ) or f"{len(first)} files are the same")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
