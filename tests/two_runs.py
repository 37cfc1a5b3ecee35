"""Run a notebook twice and compare all its files: ``python tests/two_runs.py 03_drift_detection``.

Tables and outputs must be the same to the byte, and figures in every pixel; each says which commit
it came from, which may differ. The first run is the stored one, if it is current; the second is
made again. ``--profile paper`` compares with the committed files.

With variables, the second run is one on another machine, and numbers of tables must be equal to
1e-9; those that differ more are shown. On a processor with AVX-512, one without it is tried by

    python tests/two_runs.py 04_temporal_dependence --without-avx512
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

import repro
from repro.runner.job import find, prepare, with_data
from repro.runner.outputs import with_outputs

ROOT = Path(__file__).resolve().parents[1]
#: The instructions of Haswell, for what chooses them when it starts. numba needs both of its
#: variables: with the name alone, it still uses all that the processor has.
WITHOUT_AVX512 = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_CPU_NAME": "haswell",
    "OPENBLAS_CORETYPE": "Haswell",
}


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


def content_of(name: str, content: bytes) -> bytes:
    """What must be the same: of a picture its pixels, of a record of the code nothing."""
    if name.endswith(".png"):
        with Image.open(io.BytesIO(content)) as image:
            return repr(image.size).encode() + image.convert("RGBA").tobytes()
    return b"" if name.endswith("_provenance.json") else content


def unlike(name: str, first: bytes, second: bytes) -> Iterator[str]:
    """The columns of a table that differ by more than 1e-9, and by how much at most."""
    one, other = (pd.read_csv(io.BytesIO(text)) for text in (first, second))
    if list(one) != list(other) or len(one) != len(other):
        yield f"{name}: rows or columns"
        return
    for column in one:
        a, b = (pd.to_numeric(t[column], errors="coerce") for t in (one, other))
        apart = ((a - b).abs() / np.maximum(1, a.abs())).max()
        texts = (one[column].astype(str) != other[column].astype(str))[a.isna() | b.isna()].sum()
        if apart > 1e-9 or texts:
            yield f"{name}, {column}: numbers by {apart:.2g}, {texts} texts of {len(one)}"


def main() -> int:
    """Compare; 1 if a file differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook")
    parser.add_argument("--profile", default="quick")
    parser.add_argument("variables", nargs="*", metavar="NAME=VALUE", help="of the second run")
    parser.add_argument("--without-avx512", action="store_true", help="in the second run")
    options = parser.parse_args()
    changed = dict(text.split("=", 1) for text in options.variables)
    changed |= WITHOUT_AVX512 if options.without_avx512 else {}
    job = with_data(prepare(find(options.notebook, ROOT), options.profile, {}))
    runs = []
    for force in (False, True):
        if force and changed:  # and nothing that the first run has stored
            os.environ.update(changed, REPRO_CACHE=tempfile.mkdtemp(prefix="two-runs-"))
        repro.run_notebook(job.notebook.path, profile=options.profile, force=force)
        runs.append({name: content_of(name, file) for name, file in files_of(job).items()})
    first, second = runs
    differ = sorted(n for n in first.keys() | second.keys() if first.get(n) != second.get(n))
    if changed:
        tables = [name for name in differ if name.endswith(".csv")]
        differ = [line for name in tables for line in unlike(name, first[name], second[name])]
    n_tables = sum(name.endswith(".csv") for name in first)
    same = (
        f"{n_tables} tables are the same to 1e-9" if changed else f"{len(first)} files are the same"
    )
    print("\n".join(f"differs: {name}" for name in differ) or same)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
