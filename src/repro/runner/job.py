"""A job: one notebook with checked parameters, and where its results go; nothing is written.

A run with the paper's parameters replaces committed results, so the parameters cell must then
hold the values on record. If a data set is missing, the job becomes one with stand-ins.
"""

from __future__ import annotations

import dis
import json
import warnings
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any

from repro import _folders
from repro._folders import python
from repro.provenance import surroundings
from repro.runner import console, paper, profiles
from repro.runner import notebook as nb
from repro.runner.inputs import inputs_hash
from repro.runner.notebook import Notebook
from repro.runner.parameters import ParameterError, closest

__all__ = ["Job", "check", "check_assigned_once", "find", "missing", "on_stand_ins", "prepare"]
__all__ += ["with_data"]


@dataclass(frozen=True)
class Job:
    """One notebook with one set of parameters, and where the results of a run go."""

    notebook: Notebook
    root: Path
    profile: str
    changed: dict[str, Any]
    parameters: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the notebook, as messages begin with it."""
        return self.notebook.stem

    @property
    def is_committed(self) -> bool:
        """Whether a run replaces the committed outputs, figures and tables."""
        return self.profile == "paper"

    @property
    def results(self) -> Path:
        """The folder that holds ``figures`` and ``data/results`` of a run."""
        return self.root if self.is_committed else self.root / "build" / self.profile

    @property
    def record(self) -> Path:
        """The file with the provenance of this notebook's figures and tables."""
        return self.results / "data" / "results" / f"{self.notebook.number}_provenance.json"

    @cached_property
    def inputs(self) -> str:
        """The hash of what decides the results, as far as the code shows: see `inputs_hash`."""
        return inputs_hash(self.notebook, self.parameters, root=self.root)

    def provenance(self) -> dict[str, str]:
        """What figures, tables and the executed notebook say that they come from."""
        return surroundings(self.root) | {
            "Notebook": self.notebook.stem,
            "Profile": self.profile,
            "Inputs": self.inputs,
            "Parameters": json.dumps(self.parameters, sort_keys=True),
        }

    def read_again(self) -> Job:
        """The same job with the notebook as it is on disk now."""
        return replace(self, notebook=nb.read(self.notebook.path))

    def path(self, name: str) -> Path:
        """A file of this run: the notebook's name and `name`, in the folder of the profile."""
        return self.root / "build" / self.profile / f"{self.notebook.stem}{name}"

    def show(self, path: Path) -> str:
        """`path` as messages show it."""
        return nb.relative(path, self.root)


def find(name: str | Path, root: Path) -> Notebook:
    """Read the notebook `name`: a path, or a name in ``notebooks``."""
    folder = root / "notebooks"
    for path in (Path(name), root / name, folder / name, folder / f"{name}.ipynb"):
        if path.is_file():
            return nb.read(path.resolve())
    names = sorted(path.stem for path in folder.glob("*.ipynb"))
    raise ParameterError(f"there is no notebook {str(name)!r}; {closest(Path(name).stem, names)}")


def prepare(notebook: Notebook, profile: str, values: Mapping[str, Any]) -> Job:
    """The job of running `notebook` with a `profile` and these `values`, all checked."""
    root = _folders.need_checkout()
    changed, all_values = profiles.effective(notebook, root, profile, values)
    is_ours = not values and notebook.path.parent == root / "notebooks"
    return Job(notebook, root, profile if is_ours else "custom", changed, all_values)


def check(job: Job) -> None:
    """Raise `ParameterError` if the results could come from other parameters than stated.

    With the profile "paper" the parameters cell must hold the paper's values, and with every
    profile no later cell may assign a parameter.
    """
    if job.is_committed:
        paper.check(job.notebook, job.root)
    check_assigned_once(job.notebook)


def check_assigned_once(notebook: Notebook) -> None:
    """Raise `ParameterError` if a later cell of `notebook` assigns a parameter.

    A value from a profile or the command line would have no effect there, and the provenance of
    the figures would name values that they do not come from.
    """
    for number, cell in enumerate(notebook.code, start=1):
        if nb.PARAMETERS not in nb.tags(cell):
            for name in notebook.parameters.keys() & _assigned(nb.plain(cell)):
                rule = f"{name} must be assigned in the parameters cell only"
                advice = "set the value there, or use another name here"
                raise ParameterError(f"{notebook.name}: {rule}; got code cell {number}: {advice}")


#: Instructions that bind a global name: in any code, and in that of a cell itself. Tables of
#: symbols do not say it: from Python 3.12 on they hold the names of comprehensions as well.
BINDING = {"STORE_GLOBAL", "DELETE_GLOBAL"}
BINDING_IN_CELL = BINDING | {"STORE_NAME", "DELETE_NAME"}


def _assigned(code: str) -> set[str]:
    """The global names that `code` binds; empty for a syntax error, since it cannot run either."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what the code looks like
            cell = compile(code, "cell", "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError):
        return set()
    names, parts = set[str](), [cell]
    for part in parts:
        parts += [inner for inner in part.co_consts if isinstance(inner, CodeType)]
        binding = BINDING_IN_CELL if part is cell else BINDING
        names |= {step.argval for step in dis.get_instructions(part) if step.opname in binding}
    return names


def with_data(job: Job) -> Job:
    """`job` with its data sets, downloaded if necessary; with stand-ins if one is missing."""
    if not (names := missing(job.parameters, download=True)):
        return job
    why = f"{python()} -m repro data fetch says why"
    other = on_stand_ins(job)
    console.say(f"no {', '.join(names)} ({why}): stand-ins instead, into build/{other.profile}")
    return other


def on_stand_ins(job: Job) -> Job:
    """`job` without the real data, with results in a folder of their own."""
    profile = "stand-in" if job.is_committed else f"{job.profile}-stand-in"
    stand_in = {"stand_in": True}
    return replace(
        job, profile=profile, changed=job.changed | stand_in, parameters=job.parameters | stand_in
    )


def missing(values: Mapping[str, Any], *, download: bool) -> list[str]:
    """The names in ``data_sets`` that are missing and, with `download`, cannot be downloaded.

    `values` are a notebook's parameters; it needs the data only if it has ``stand_in = False``.
    """
    if values.get("stand_in") is not False or not (listed := values.get("data_sets", [])):
        return []
    from repro import data_sets  # here: as slow to import as the whole runner

    if unknown := set(listed) - set(data_sets.names()):
        choices = ", ".join(data_sets.names())
        rule = f"data_sets must hold names of data sets ({choices})"
        raise ParameterError(f"{rule}; got {min(unknown)!r}")
    names = [name for name in listed if not data_sets.available(name)]
    return [name for name in names if not (download and _is_fetched(name, data_sets.fetch))]


def _is_fetched(name: str, fetch: Callable[[str], None]) -> bool:
    try:
        fetch(name)
    except (OSError, ValueError):
        return False
    return True
