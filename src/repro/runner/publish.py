"""Results of a run to their places: all of them, or none; and whether they are still current."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from repro import _files
from repro.runner import console
from repro.runner import notebook as nb
from repro.runner.job import Job

__all__ = ["is_current", "keep_failed", "publish", "store_outputs"]


def is_current(job: Job) -> bool:
    """Whether the last run had these inputs and all its figures and tables are as it left them."""
    if not (job.path(".ipynb").is_file() and job.record.is_file()):
        return False
    ran = nb.read(job.path(".ipynb"))["metadata"].get("repro", {})
    try:
        record = json.loads(job.record.read_text(encoding="utf-8"))
    except ValueError:  # as after a merge with conflicts
        return False
    return ran.get("Inputs") == record.get("Inputs") == job.inputs and all(
        _checksum(job.results / name) == checksum for name, checksum in record["outputs"].items()
    )


def publish(job: Job, stage: Path, described: dict[str, str]) -> int:
    """Move what a finished run wrote to its place; the number of figures and tables.

    The executed notebook comes last: a run that is killed on the way counts as not done.
    """
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    outputs = {path.relative_to(stage).as_posix(): _checksum(path) for path in files}
    for name in outputs:
        (job.results / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(stage / name, job.results / name)
    text = json.dumps({**described, "outputs": outputs}, indent=1, sort_keys=True) + "\n"
    _files.write(job.record, text.encode())
    executed = nb.read(job.path(".running.ipynb"))
    executed["metadata"]["repro"] = {**described, "outputs": list(outputs)}
    store_outputs(job, executed)
    nb.write(job.path(".ipynb"), executed)
    job.path(".FAILED.ipynb").unlink(missing_ok=True)
    return len(outputs)


def store_outputs(job: Job, executed: dict[str, Any]) -> bool:
    """Put the outputs of a run with the paper's parameters into the notebook; True if it changed.

    A notebook whose code was edited while it ran stays as it is.
    """
    if not job.is_committed:
        return False
    folders = str(job.path(".staging")), str(job.root), sys.prefix
    stored = nb.with_outputs(nb.read(job.notebook), executed, folders)
    if stored is None:
        console.say(f"{job.notebook.stem}: its code changed while it ran; run it again")
        return False
    return nb.write(job.notebook, stored)


def keep_failed(job: Job, described: dict[str, str], failure: str) -> str:
    """Leave the failed notebook to look at, and no older one that looks like a success."""
    failed, running = job.path(".FAILED.ipynb"), job.path(".running.ipynb")
    notebook = nb.read(running if running.is_file() else job.notebook)
    notebook.setdefault("metadata", {})["repro"] = {**described, "failure": failure}
    nb.write(failed, notebook)
    job.path(".ipynb").unlink(missing_ok=True)
    where = job.show(job.notebook)
    space = " " if failure.startswith("In[") else ": "
    return f"FAILED {where}{space}{failure}  (see {job.show(failed)})"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else "missing"
