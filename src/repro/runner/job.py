"""What is to be run: a notebook with its parameters, checked; nothing is written.

With the paper's parameters a run replaces what is committed, and then the parameters cell must
hold those that are on record. Where a data set is nowhere, the job becomes one on stand-ins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from repro import _folders
from repro._folders import python
from repro.runner import console, missing_data, paper, parameters
from repro.runner import notebook as nb
from repro.runner.inputs import inputs_hash

__all__ = ["Job", "check", "find", "prepare", "with_data"]


@dataclass(frozen=True)
class Job:
    """One notebook with one set of parameters, and where the results of a run go."""

    notebook: Path
    root: Path
    profile: str
    changed: dict[str, Any]
    parameters: dict[str, Any]

    @property
    def is_committed(self) -> bool:
        """Whether a run replaces the committed outputs, figures and tables."""
        return self.profile == "paper"

    @property
    def results(self) -> Path:
        """The folder whose ``figures`` and ``data/results`` a run writes."""
        return self.root if self.is_committed else self.root / "build" / self.profile

    @property
    def record(self) -> Path:
        """The file that says what the figures and tables of this notebook came from."""
        number = nb.number(self.notebook)
        return self.results / "data" / "results" / f"{number}_provenance.json"

    @cached_property
    def inputs(self) -> str:
        """The hash of everything the results depend on."""
        return inputs_hash(self.notebook, self.parameters, root=self.root)

    def path(self, name: str) -> Path:
        """A file of this run: the notebook's name and `name`, in the folder of the profile."""
        return self.root / "build" / self.profile / f"{self.notebook.stem}{name}"

    def show(self, path: Path) -> str:
        """`path` as messages show it."""
        return nb.relative(path, self.root)


def prepare(notebook: str | Path, profile: str, given: Mapping[str, Any]) -> Job:
    """The job of running `notebook`, its parameters checked; nothing is written."""
    root = _folders.need_checkout()
    path = find(notebook, root)
    changed, all_values = parameters.effective(path, root, profile, given)
    is_ours = not given and path.parent == root / "notebooks"
    return Job(path, root, profile if is_ours else "custom", changed, all_values)


def check(job: Job, file: Path | None = None) -> None:
    """Refuse, with a `ParameterError`, results that would be said to come from other parameters.

    With the profile "paper" the parameters cell must hold the paper's values; with every profile
    no later cell may override one. `file` is read in the place of the job's notebook.
    """
    if job.is_committed:
        paper.check(job.notebook, job.root, file)
    parameters.check_assigned_once(file or job.notebook)


def with_data(job: Job) -> Job:
    """`job` with its data sets, downloaded where they are nowhere; else with stand-ins."""
    if not (names := missing_data.missing(job.parameters, download=True)):
        return job
    why = f"{python()} -m repro data fetch says why"
    profile = "stand-in" if job.is_committed else f"{job.profile}-stand-in"
    console.say(f"no {', '.join(names)} ({why}): stand-ins instead, into build/{profile}")
    given = {"stand_in": True}
    return replace(
        job, profile=profile, changed=job.changed | given, parameters=job.parameters | given
    )


def find(notebook: str | Path, root: Path) -> Path:
    """The file that `notebook` names: a path, or a name in ``notebooks``."""
    folder = root / "notebooks"
    for path in (Path(notebook), root / notebook, folder / notebook, folder / f"{notebook}.ipynb"):
        if path.is_file():
            return path.resolve()
    names = sorted(path.stem for path in folder.glob("*.ipynb"))
    near = parameters.closest(Path(notebook).stem, names)
    raise parameters.ParameterError(f"there is no notebook {str(notebook)!r}; {near}")
