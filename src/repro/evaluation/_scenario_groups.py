"""Groups of scenario runs: those that one process makes one after the other, and their files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import joblib
from llvmlite import binding
from numpy.typing import ArrayLike

from repro._progress import quiet
from repro.evaluation._keys import certain_package_key, key_or_note, learner_key
from repro.evaluation._tasks import load_cached, store_cached
from repro.evaluation._workers import allow_growth, unpacked
from repro.evaluation.scenario import ScenarioRun, evaluate_scenario
from repro.kernels.identity import identity
from repro.scenarios.scenario import Scenario

__all__ = [
    "Finished",
    "Group",
    "ScenarioKey",
    "Study",
    "files_of",
    "load_run",
    "perform",
    "perform_in_threads",
    "perform_sent",
    "store_run",
]

MODULE = "evaluation.scenario"  # its imports are all the code of this package that a run needs


class ScenarioKey(NamedTuple):
    """What one run is: the names of its learner, scenario and assignment, and its seed."""

    learner: str
    scenario: str
    assignment: str
    seed: int


class Study(NamedTuple):
    """What all runs of a call have in common."""

    learners: Mapping[str, Any]
    scenarios: Mapping[str, Scenario]
    assignments: Mapping[str, Any]
    X: ArrayLike
    y: ArrayLike
    options: Mapping[str, Any]

    def code(self, learner: str, notes: list[str]) -> str:
        """Hash of `learner`, of the code and packages it runs with, and of the processor.

        Networks round differently on another processor, and training amplifies that. It is ""
        where it cannot be computed; `notes` then get the reason.
        """
        package = key_or_note(notes, "every learner", partial(certain_package_key, MODULE))
        named = f"learner {learner!r}"
        own = key_or_note(notes, named, partial(learner_key, self.learners[learner]))
        return joblib.hash((package, own, binding.get_host_cpu_name())) if package and own else ""

    def tasks_key(self, scenario: str, assignment: str, data: str, notes: list[str]) -> str:
        """Hash of what decides the tasks beside the seed; `data` is that of X, y and options."""
        chosen = self.scenarios[scenario], self.assignments[assignment]
        own = key_or_note(notes, f"scenario {scenario!r}", partial(identity, chosen))
        return joblib.hash((own, data)) if own and data else ""


class Group(NamedTuple):
    """Runs of one assignment and seed, which one process makes."""

    runs: Mapping[ScenarioKey, Path | None]  # and the file of each, None if it is not stored
    codes: Mapping[str, str]  # `Study.code` of each learner, as the caller has it
    is_here: bool  # in the process of the caller, where bars are seen


class Finished(NamedTuple):
    """A run, and whether a fresh run of the caller would give the same."""

    key: ScenarioKey
    run: ScenarioRun
    is_certain: bool


def files_of(study: Study, keys: list[ScenarioKey], folder: Path) -> dict[ScenarioKey, Path | None]:
    """The file in `folder` of each run; says on stderr which runs are not stored, and why."""
    notes: list[str] = []
    data = key_or_note(notes, "this data", partial(identity, (study.X, study.y, study.options)))
    codes = {name: study.code(name, notes) for name in study.learners}
    pairs = {(key.scenario, key.assignment) for key in keys}
    tasks = {pair: study.tasks_key(*pair, data, notes) for pair in sorted(pairs)}
    for note in dict.fromkeys(notes):
        print(f"repro: no scenario runs are stored of {note}", file=sys.stderr)
    found: dict[ScenarioKey, Path | None] = {}
    for key in keys:
        parts = codes[key.learner], tasks[key.scenario, key.assignment]
        name = joblib.hash((*parts, key.seed))
        found[key] = folder / name[:2] / f"{name}.joblib" if all(parts) else None
    return found


def perform_sent(group: Group, content: bytes, X: ArrayLike, y: ArrayLike) -> list[Finished]:
    """`perform` in a worker; `content` is the packed study without its data, which are shared."""
    allow_growth()
    return perform(group, unpacked(content)._replace(X=X, y=y))


def perform_in_threads(groups: list[Group], study: Study, jobs: int) -> Iterator[list[Finished]]:
    """`perform` for each group, in so many threads; in the order in which they finish.

    A thread cannot be ended from outside. After an error or Ctrl-C it ends after its present run,
    for which nobody waits.
    """
    # Python waits for these threads at its end. joblib's it would end, and JAX aborts in them.
    stop, pool = Event(), ThreadPoolExecutor(jobs)
    try:
        futures = [pool.submit(perform, group, study, stop) for group in groups]
        yield from (future.result() for future in as_completed(futures))
        pool.shutdown()
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)


def perform(group: Group, study: Study, stop: Event | None = None) -> list[Finished]:
    """The runs of `group`, scenario by scenario, until `stop` is set.

    Each is stored as soon as it is finished.
    """
    finished: list[Finished] = []
    for name, scenario in study.scenarios.items():
        runs = [key for key in group.runs if key.scenario == name]
        if not runs:
            continue
        first = runs[0]
        chosen = study.assignments[first.assignment]
        tasks = scenario.build(study.X, study.y, chosen, first.seed, **study.options)
        for key in runs:
            if stop is not None and stop.is_set():
                return finished
            with nullcontext() if group.is_here else quiet():
                run = evaluate_scenario(study.learners[key.learner], tasks, key.seed)
            # After the run: an edit of the package since the start makes the code uncertain.
            is_certain = study.code(key.learner, []) == group.codes[key.learner] != ""
            path = group.runs[key]
            if is_certain and path is not None:
                with suppress(OSError):  # another machine may lack the folder
                    store_run(path, run)
            finished.append(Finished(key, run, is_certain))
    return finished


def store_run(path: Path, run: ScenarioRun) -> None:
    """Write `run` completely or not at all."""
    store_cached(path, {"shares": run.shares, "sizes": run.sizes, "scenario": run.scenario})


def load_run(path: Path | None) -> ScenarioRun | None:
    """The stored run; None without a file."""
    stored = load_cached(path)
    return None if stored is None else ScenarioRun(**stored)
