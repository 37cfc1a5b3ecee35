"""Running a notebook of the paper: only if its inputs changed, and whole or not at all.

The executed notebook is ``build/<profile>/NN.ipynb``. With the paper's parameters, figures and
tables go to ``figures`` and ``data/results`` of the checkout, and the outputs into the notebook
itself. With another profile or a changed parameter these stay as they are, and results go below
``build``. The same holds for a run on stand-ins: a notebook with the parameters `data_sets`, names
of real data, and `stand_in` gets ``stand_in = True`` if one of the sets is missing.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from repro import _folders, _locks, _progress
from repro.provenance import VARIABLE
from repro.runner import console, execute
from repro.runner import notebook as nb
from repro.runner.job import Job, check, find, prepare, with_data
from repro.runner.notebook import Notebook
from repro.runner.outputs import with_front
from repro.runner.publish import (
    GATHERED,
    current,
    finish,
    keep_failed,
    publish,
    remove_left,
    store_outputs,
)

__all__ = ["RunFailed", "perform", "run_notebook"]

LOOK_EVERY = 1.0  # seconds between two looks at the bar of a cell, for a terminal
REPORT_EVERY = 300.0  # seconds between two lines of a log


class RunFailed(RuntimeError):
    """A notebook failed; the message is the one line to show."""


def run_notebook(
    notebook: str | Path,
    *,
    profile: str = "paper",
    parameters: Mapping[str, Any] | None = None,
    force: bool = False,
    timeout: int | None = None,
) -> Path:
    """Run `notebook` unless its results are up to date; the path of the executed notebook.

    Parameters
    ----------
    notebook : a path, or the name of a notebook in ``notebooks``
    profile : "paper", or the name of a file in ``profiles``
    parameters : values that differ from those of the profile; results then go to ``build/custom``
    force : run even if the results are up to date
    timeout : seconds that a cell may take; None for no limit

    Raises
    ------
    ParameterError : an unknown parameter or profile, or, with the profile "paper", a parameters
        cell that does not hold the paper's values; nothing was written
    InvalidNotebook : the file is not a notebook
    NoCheckout : the package is installed without its notebooks
    RunFailed : the notebook did not reach its end; earlier figures, tables and outputs stay
    """
    job = prepare(find(notebook, _folders.need_checkout()), profile, parameters or {})
    check(job)
    return perform(with_data(job), force=force, timeout=timeout)


def perform(job: Job, *, force: bool = False, timeout: int | None = None) -> Path:
    """Run `job` unless its results are up to date; the path of the executed notebook.

    `force` and `timeout` are those of `run_notebook`.
    """
    lock = job.path(".ipynb").with_name(f".{job.name}.lock")
    with (
        _in_one_line(job),
        _locks.alone(lock, lambda: console.say(f"{job.name}: waiting for another run of it")),
    ):
        remove_left(job)
        if finish(job):
            console.say(f"{job.name}: put in place what a killed run had gathered")
        job = job.read_again()  # it may have been saved while other notebooks ran
        if executed := None if force else current(job):
            is_restored = store_outputs(job, executed)
            console.say(f"{job.name}: up to date" + ", outputs put back" * is_restored)
        else:
            with execute.interruptible():
                _run(job, timeout)
    return job.path(".ipynb")


@contextmanager
def _in_one_line(job: Job) -> Iterator[None]:
    """A disk that is full or not to be written to is said in one line."""
    try:
        yield
    except BrokenPipeError:  # a reader of the output that has left
        raise
    except OSError as error:  # one of a write, and not of opening, does not know its file
        what = f"{error.strerror or error}: {error.filename or job.path('.ipynb').parent}"
        is_gathered = job.path(GATHERED).is_dir()
        then = "; the run is done, and the next one puts its results in place" * is_gathered
        raise RunFailed(f"FAILED {job.name}: {what}{then}") from error


def _run(job: Job, timeout: int | None) -> None:
    """Execute with a staging folder for the results; publish all of them or none."""
    provenance = job.provenance()
    stage, running = job.path(".staging"), job.path(".running.ipynb")
    start = time.perf_counter()
    console.say(f"{job.name}: running (profile {job.profile}) ...")
    try:
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(parents=True)
        with _shown(job) as (on_cell, file):
            executed = execute.execute(
                job.notebook,
                running,
                job.changed,
                environment={
                    "REPRO_OUTPUT": str(stage),
                    VARIABLE: json.dumps(provenance),
                    _progress.FILE: str(file),
                },
                timeout=timeout,
                on_cell=on_cell,
            )
        _check_executed(job, executed)
        executed = with_front(job, executed, stage)
        with execute.uninterrupted():
            n_files = publish(job, stage, executed, provenance)
            seconds = time.perf_counter() - start
            where = job.show(job.path(".ipynb"))
            files = f"{n_files} figures and tables"
            console.say(f"{job.name}: done in {seconds:.1f} s, {files}; see {where}")
    except execute.Failure as failure:
        raise RunFailed(keep_failed(job, provenance, str(failure))) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        running.unlink(missing_ok=True)


def _check_executed(job: Job, executed: Notebook) -> None:
    """Check what was run: the notebook may have been saved between the check and the start."""
    if job.is_committed:
        check(replace(job, notebook=job.notebook.with_content(executed.content)))


@contextmanager
def _shown(job: Job) -> Iterator[tuple[Callable[[int], None], Path]]:
    """Show which cell is running and how far it is; a log has a line every five minutes.

    Gives a function that is told of each cell, and the file in which the kernel keeps its bar.
    """
    cells = [cell for cell in job.notebook.code if nb.source(cell).strip()]
    n_cells, start = len(cells) + bool(job.changed), time.perf_counter()
    is_terminal = console.is_terminal()
    show = console.show if is_terminal else console.say
    line, end = f"{job.name}: no cell has begun yet", threading.Event()

    def begin(count: int) -> None:
        nonlocal line
        minutes, seconds = divmod(int(time.perf_counter() - start), 60)
        line = f"{job.name}: cell {count} of {n_cells} (began at {minutes}:{seconds:02} min)"
        if is_terminal:
            show(line)

    def report(file: Path) -> None:
        before = ""
        while not end.wait(LOOK_EVERY if is_terminal else REPORT_EVERY):
            bar = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
            if bar or before or not is_terminal:
                show(f"{line}, {bar}" if bar else line)
            before = bar

    with tempfile.TemporaryDirectory(prefix="repro-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "bar.txt"
        thread = threading.Thread(target=report, args=(file,), daemon=True)
        thread.start()
        try:
            yield begin, file
        finally:
            end.set()
            thread.join()
            if is_terminal:
                console.clear()
