"""Publishing the results of a run: all files or none; and whether they are still current.

All new files are first gathered in one folder. It gets another name, which happens at once or not
at all; then the files go to their places, one by one. A run that is killed before leaves everything
as it was. If it is killed after, the next start puts the rest in place.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from repro.runner import console
from repro.runner import notebook as nb
from repro.runner.job import Job
from repro.runner.notebook import Notebook
from repro.runner.outputs import digest, with_outputs

__all__ = [
    "GATHERED",
    "current",
    "finish",
    "keep_failed",
    "publish",
    "remove_left",
    "store_outputs",
]

DIGEST = "outputs_digest"  # in the metadata of the executed notebook
FAILED = ".FAILED.ipynb"
GATHERED = ".gathered"  # after the name of the notebook: the folder of its new files
PLACES = "places.json"  # in it: where each file goes


def current(job: Job) -> Notebook | None:
    """The executed notebook of the last run if its results are current, else None.

    They are if the run had the same inputs, as far as `inputs_hash` covers them, and every figure,
    table and output of a cell, and what they are said to come from, is as the run wrote it.
    """
    try:
        executed = nb.read(job.path(".ipynb"))
        record = json.loads(job.record.read_text(encoding="utf-8"))
        outputs = dict(record["outputs"])
        says = executed.provenance | {"outputs": sorted(executed.provenance["outputs"])}
    except (OSError, ValueError, LookupError, TypeError):  # missing, or not whole
        return None
    is_current = (
        says == record | {"outputs": sorted(outputs)}
        and says.get("Inputs") == job.inputs
        and all(_checksum(job.results / name) == sum_ for name, sum_ in outputs.items())
        and executed.metadata.get(DIGEST) in (None, digest(executed, _local(job)))  # the slow one
    )
    return executed if is_current else None


def publish(job: Job, stage: Path, executed: Notebook, provenance: dict[str, str]) -> int:
    """Put the files of a finished run in their places; the number of figures and tables.

    Parameters
    ----------
    job : the job that was run
    stage : the folder with ``figures`` and ``data/results`` of the run
    executed : the notebook with the outputs of the run
    provenance : what the results say that they come from
    """
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    outputs = {path.relative_to(stage).as_posix(): _checksum(path) for path in files}
    places = {name: job.results / name for name in outputs}
    about = {**provenance, "outputs": list(outputs)}
    executed = executed.with_metadata({"repro": about, DIGEST: digest(executed, _local(job))})
    text = json.dumps({**provenance, "outputs": outputs}, indent=1, sort_keys=True) + "\n"
    others = {job.record: text.encode(), job.path(".ipynb"): nb.encoded(executed.content)}
    for path, content in others.items():
        (stage / path.name).write_bytes(content)
        places[path.name] = path
    listed = {name: path.relative_to(job.root).as_posix() for name, path in places.items()}
    (stage / PLACES).write_text(json.dumps(listed), encoding="utf-8")
    os.replace(stage, job.path(GATHERED))
    finish(job)
    return len(outputs)


def finish(job: Job) -> bool:
    """Put files in their places that a run has gathered; False if there are none."""
    folder = job.path(GATHERED)
    if not folder.is_dir():
        return False
    if (folder / PLACES).is_file():  # removed last
        for name, place in json.loads((folder / PLACES).read_text(encoding="utf-8")).items():
            if (folder / name).is_file():
                (job.root / place).parent.mkdir(parents=True, exist_ok=True)
                os.replace(folder / name, job.root / place)
        # The notebook itself may have been edited: it gets the outputs only.
        store_outputs(job.read_again(), nb.read(job.path(".ipynb")))
        job.path(FAILED).unlink(missing_ok=True)
        (folder / PLACES).unlink()
    shutil.rmtree(folder)
    return True


def remove_left(job: Job) -> None:
    """Remove files that a killed run was writing: the lock of `job` says that none is at it now."""
    for path in (job.notebook.path, job.record, *(job.path(end) for end in (".ipynb", FAILED))):
        for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
            left.unlink(missing_ok=True)


def store_outputs(job: Job, executed: Notebook) -> bool:
    """Put the outputs of a run with the paper's parameters into the notebook; True if it changed.

    If the code of the notebook is no longer what was run, the notebook stays as it is.
    """
    if not job.is_committed:
        return False
    content = with_outputs(job.notebook, executed, _local(job))
    if content is None:
        console.say(f"{job.name}: its code changed while it ran; run it again")
        return False
    return nb.write(job.notebook.path, content)


def _local(job: Job) -> tuple[str, ...]:
    """The folders of this machine, which outputs must not show."""
    return str(job.path(".staging")), str(job.root), sys.prefix


def keep_failed(job: Job, provenance: dict[str, str], failure: str) -> str:
    """Keep the failed notebook for inspection, and remove the last successful one; the message."""
    failed, running = job.path(FAILED), job.path(".running.ipynb")
    executed = nb.read(running) if running.is_file() else job.notebook
    content = executed.with_metadata({"repro": {**provenance, "failure": failure}}).content
    nb.write(failed, content)
    job.path(".ipynb").unlink(missing_ok=True)
    space = " " if failure.startswith("In[") else ": "
    return f"FAILED {job.show(job.notebook.path)}{space}{failure}  (see {job.show(failed)})"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else "missing"
