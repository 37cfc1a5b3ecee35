"""Running a notebook of the paper: when its inputs changed, whole or not at all.

The executed notebook is ``build/<profile>/NN.ipynb``. With the paper's parameters figures and
tables go to ``figures`` and ``data/results`` of the checkout, and the outputs into the notebook
itself; any other profile, and any changed parameter, leaves these as they are and writes below
``build``. So does a run on stand-ins: a notebook that has the parameters `data_sets`, names of
real data, and `stand_in` gets ``stand_in = True`` where one of the sets is nowhere to be found.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repro import _console, _execute, _files, _locks, _notebook, provenance
from repro._job import Job, check, find, prepare, with_data

__all__ = ["Job", "RunFailed", "check", "find", "is_current", "perform", "prepare", "run"]
__all__ += ["with_data"]


class RunFailed(RuntimeError):
    """A notebook failed; the message is the one line to show."""


def run(
    notebook: str | Path,
    *,
    profile: str = "paper",
    parameters: Mapping[str, Any] | None = None,
    force: bool = False,
    timeout: int | None = None,
) -> Path:
    """Run `notebook` unless its results are up to date; the path of the executed notebook.

    `parameters` change single values of the `profile`; results then go to ``build/custom``.
    `force` runs in any case, and a cell may take `timeout` seconds. Before anything is written, a
    parameter or profile that is not known raises `ParameterError`, and so does a parameters cell
    that does not hold the paper's values with the profile "paper"; a file that is no notebook
    raises `InvalidNotebook`, and a package installed outside a checkout `NoCheckout`. A notebook
    that does not reach its end raises `RunFailed`; earlier figures, tables and outputs stay as
    they were.
    """
    job = prepare(notebook, profile, parameters or {})
    check(job)
    return perform(with_data(job), force=force, timeout=timeout)


def perform(job: Job, *, force: bool = False, timeout: int | None = None) -> Path:
    """Do `job` unless its results are up to date; the path of the executed notebook."""
    name = job.notebook.stem
    lock = job.path(".ipynb").with_name(f".{name}.lock")
    with _locks.alone(lock, lambda: _console.say(f"{name}: waiting for another run of it")):
        if force or not is_current(job):
            with _execute.interruptible():
                _run(job, timeout)
        else:
            is_restored = _store_outputs(job, _notebook.read(job.path(".ipynb")))
            _console.say(f"{name}: up to date" + ", outputs put back" * is_restored)
    return job.path(".ipynb")


def is_current(job: Job) -> bool:
    """Whether the last run had these inputs and all its figures and tables are as it left them."""
    if not (job.path(".ipynb").is_file() and job.record.is_file()):
        return False
    ran = _notebook.read(job.path(".ipynb"))["metadata"].get("repro", {})
    try:
        record = json.loads(job.record.read_text(encoding="utf-8"))
    except ValueError:  # as after a merge with conflicts
        return False
    return ran.get("Inputs") == record.get("Inputs") == job.inputs and all(
        _checksum(job.results / name) == checksum for name, checksum in record["outputs"].items()
    )


def _run(job: Job, timeout: int | None) -> None:
    """Execute into a folder of its own; move everything to its place, or nothing."""
    described = provenance.describe(
        job.notebook, job.parameters, profile=job.profile, root=job.root
    )
    stage, running = job.path(".staging"), job.path(".running.ipynb")
    environment = {"REPRO_OUTPUT": str(stage), provenance.VARIABLE: json.dumps(described)}
    start = time.perf_counter()
    _console.say(f"{job.notebook.stem}: running (profile {job.profile}) ...")
    try:
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(parents=True)
        with _progress(job) as on_cell:
            _execute.execute(
                job.notebook,
                running,
                job.changed,
                environment=environment,
                timeout=timeout,
                on_cell=on_cell,
            )
        if job.is_committed:  # the notebook may have been saved between the check and the start
            check(job, running)
        n_files = _publish(job, stage, described)
    except _execute.Failure as failure:
        raise RunFailed(_keep_failed(job, described, str(failure))) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        running.unlink(missing_ok=True)
    seconds = time.perf_counter() - start
    _console.say(f"{job.notebook.stem}: done in {seconds:.1f} s, {n_files} figures and tables")


def _publish(job: Job, stage: Path, described: dict[str, str]) -> int:
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
    executed = _notebook.read(job.path(".running.ipynb"))
    executed["metadata"]["repro"] = {**described, "outputs": list(outputs)}
    _store_outputs(job, executed)
    _notebook.write(job.path(".ipynb"), executed)
    job.path(".FAILED.ipynb").unlink(missing_ok=True)
    return len(outputs)


def _store_outputs(job: Job, executed: dict[str, Any]) -> bool:
    """Put the outputs of a run with the paper's parameters into the notebook; True if it changed.

    A notebook whose code was edited while it ran stays as it is.
    """
    if not job.is_committed:
        return False
    folders = str(job.path(".staging")), str(job.root), sys.prefix
    stored = _notebook.with_outputs(_notebook.read(job.notebook), executed, folders)
    if stored is None:
        _console.say(f"{job.notebook.stem}: its code changed while it ran; run it again")
        return False
    return _notebook.write(job.notebook, stored)


def _keep_failed(job: Job, described: dict[str, str], failure: str) -> str:
    """Leave the failed notebook to look at, and no older one that looks like a success."""
    failed, running = job.path(".FAILED.ipynb"), job.path(".running.ipynb")
    notebook = _notebook.read(running if running.is_file() else job.notebook)
    notebook.setdefault("metadata", {})["repro"] = {**described, "failure": failure}
    _notebook.write(failed, notebook)
    job.path(".ipynb").unlink(missing_ok=True)
    where = job.show(job.notebook)
    space = " " if failure.startswith("In[") else ": "
    return f"FAILED {where}{space}{failure}  (see {job.show(failed)})"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else "missing"


@contextmanager
def _progress(job: Job) -> Iterator[Callable[[int], None]]:
    """Say on a terminal which cell is running; in a log the first and last lines are enough."""
    cells = [c for c in _notebook.code(_notebook.read(job.notebook)) if _notebook.source(c).strip()]
    n_cells, start = len(cells) + bool(job.changed), time.perf_counter()

    def show(count: int) -> None:
        minutes, seconds = divmod(int(time.perf_counter() - start), 60)
        began = f"(began at {minutes}:{seconds:02} min)"
        _console.show(f"{job.notebook.stem}: cell {count} of {n_cells} {began}")

    if not _console.is_terminal():
        yield lambda count: None
        return
    try:
        yield show
    finally:
        _console.clear()
