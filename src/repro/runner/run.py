"""Running a notebook of the paper: when its inputs changed, whole or not at all.

The executed notebook is ``build/<profile>/NN.ipynb``. With the paper's parameters figures and
tables go to ``figures`` and ``data/results`` of the checkout, and the outputs into the notebook
itself; any other profile, and any changed parameter, leaves these as they are and writes below
``build``. So does a run on stand-ins: a notebook that has the parameters `data_sets`, names of
real data, and `stand_in` gets ``stand_in = True`` where one of the sets is nowhere to be found.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repro.provenance import VARIABLE
from repro.runner import console, execute, locks
from repro.runner import notebook as nb
from repro.runner.inputs import describe
from repro.runner.job import Job, check, find, prepare, with_data
from repro.runner.publish import is_current, keep_failed, publish, store_outputs

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
    with locks.alone(lock, lambda: console.say(f"{name}: waiting for another run of it")):
        if force or not is_current(job):
            with execute.interruptible():
                _run(job, timeout)
        else:
            is_restored = store_outputs(job, nb.read(job.path(".ipynb")))
            console.say(f"{name}: up to date" + ", outputs put back" * is_restored)
    return job.path(".ipynb")


def _run(job: Job, timeout: int | None) -> None:
    """Execute into a folder of its own; move everything to its place, or nothing."""
    described = describe(job.notebook, job.parameters, profile=job.profile, root=job.root)
    stage, running = job.path(".staging"), job.path(".running.ipynb")
    environment = {"REPRO_OUTPUT": str(stage), VARIABLE: json.dumps(described)}
    start = time.perf_counter()
    console.say(f"{job.notebook.stem}: running (profile {job.profile}) ...")
    try:
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(parents=True)
        with _progress(job) as on_cell:
            execute.execute(
                job.notebook,
                running,
                job.changed,
                environment=environment,
                timeout=timeout,
                on_cell=on_cell,
            )
        if job.is_committed:  # the notebook may have been saved between the check and the start
            check(job, running)
        n_files = publish(job, stage, described)
    except execute.Failure as failure:
        raise RunFailed(keep_failed(job, described, str(failure))) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        running.unlink(missing_ok=True)
    seconds = time.perf_counter() - start
    console.say(f"{job.notebook.stem}: done in {seconds:.1f} s, {n_files} figures and tables")


@contextmanager
def _progress(job: Job) -> Iterator[Callable[[int], None]]:
    """Say on a terminal which cell is running; in a log the first and last lines are enough."""
    cells = [c for c in nb.code(nb.read(job.notebook)) if nb.source(c).strip()]
    n_cells, start = len(cells) + bool(job.changed), time.perf_counter()

    def show(count: int) -> None:
        minutes, seconds = divmod(int(time.perf_counter() - start), 60)
        began = f"(began at {minutes}:{seconds:02} min)"
        console.show(f"{job.notebook.stem}: cell {count} of {n_cells} {began}")

    if not console.is_terminal():
        yield lambda count: None
        return
    try:
        yield show
    finally:
        console.clear()
