"""Publishing the results of a run: all files or none; and whether they are still current."""

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
from repro.runner.notebook import Notebook
from repro.runner.outputs import with_outputs

__all__ = ["current", "keep_failed", "publish", "store_outputs"]


def current(job: Job) -> Notebook | None:
    """The executed notebook of the last run if its results are current, else None.

    They are if the run had the same inputs, as far as `inputs_hash` covers them, and every figure
    and table is as the run wrote it.
    """
    if not (job.path(".ipynb").is_file() and job.record.is_file()):
        return None
    executed = nb.read(job.path(".ipynb"))
    try:
        record = json.loads(job.record.read_text(encoding="utf-8"))
    except ValueError:  # as after a merge with conflicts
        return None
    is_current = executed.provenance.get("Inputs") == record.get("Inputs") == job.inputs and all(
        _checksum(job.results / name) == checksum for name, checksum in record["outputs"].items()
    )
    return executed if is_current else None


def publish(job: Job, stage: Path, executed: Notebook, provenance: dict[str, str]) -> int:
    """Move the files of a finished run to their folders; the number of figures and tables.

    The executed notebook is written last: a run that is killed on the way counts as not done.

    Parameters
    ----------
    job : the job that was run
    stage : the folder with ``figures`` and ``data/results`` of the run
    executed : the notebook with the outputs of the run
    provenance : what the results say that they come from
    """
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    outputs = {path.relative_to(stage).as_posix(): _checksum(path) for path in files}
    for name in outputs:
        (job.results / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(stage / name, job.results / name)
    text = json.dumps({**provenance, "outputs": outputs}, indent=1, sort_keys=True) + "\n"
    _files.write(job.record, text.encode())
    executed = _with_provenance(executed, {**provenance, "outputs": list(outputs)})
    store_outputs(job.read_again(), executed)  # it may have been edited during the run
    nb.write(job.path(".ipynb"), executed.content)
    job.path(".FAILED.ipynb").unlink(missing_ok=True)
    return len(outputs)


def store_outputs(job: Job, executed: Notebook) -> bool:
    """Put the outputs of a run with the paper's parameters into the notebook; True if it changed.

    If the code of the notebook is no longer what was run, the notebook stays as it is.
    """
    if not job.is_committed:
        return False
    folders = str(job.path(".staging")), str(job.root), sys.prefix
    content = with_outputs(job.notebook, executed, folders)
    if content is None:
        console.say(f"{job.name}: its code changed while it ran; run it again")
        return False
    return nb.write(job.notebook.path, content)


def keep_failed(job: Job, provenance: dict[str, str], failure: str) -> str:
    """Keep the failed notebook for inspection, and remove the last successful one; the message."""
    failed, running = job.path(".FAILED.ipynb"), job.path(".running.ipynb")
    executed = nb.read(running) if running.is_file() else job.notebook
    content = _with_provenance(executed, {**provenance, "failure": failure}).content
    nb.write(failed, content)
    job.path(".ipynb").unlink(missing_ok=True)
    space = " " if failure.startswith("In[") else ": "
    return f"FAILED {job.show(job.notebook.path)}{space}{failure}  (see {job.show(failed)})"


def _with_provenance(executed: Notebook, provenance: dict[str, Any]) -> Notebook:
    metadata = executed.metadata | {"repro": provenance}
    return executed.with_content(executed.content | {"metadata": metadata})


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else "missing"
