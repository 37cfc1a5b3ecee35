"""Learners x scenarios x assignments x seeds: in processes, cached by content, resumable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import joblib
from numpy.typing import ArrayLike

from repro import _folders
from repro._checks import as_list, check_flag, check_values, shown
from repro._progress import progress
from repro.evaluation._arguments import as_jobs, as_seeds, check_learners, check_named
from repro.evaluation._scenario_groups import (
    Finished,
    Group,
    ScenarioKey,
    Study,
    files_of,
    load_run,
    perform,
    perform_in_threads,
    perform_sent,
    store_run,
)
from repro.evaluation._workers import packed, pool_of
from repro.evaluation.scenario import ScenarioRun
from repro.scenarios.basic import SCENARIOS
from repro.scenarios.scenario import Scenario

__all__ = ["ScenarioKey", "evaluate_scenarios"]

BACKENDS = "processes", "threads", "dask"
Runs = dict[ScenarioKey, ScenarioRun]


def evaluate_scenarios(
    learners: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    assignments: Iterable[str] | Mapping[str, Any] = ("021",),
    seeds: Iterable[int] = range(3),
    *,
    scenarios: Mapping[str, Scenario] = SCENARIOS,
    jobs: int = 1,
    backend: str = "processes",
    scheduler: str | None = None,
    cache: str | Path | None = None,
    fresh: bool = False,
    **options: Any,
) -> Runs:
    """Run every learner through every scenario, with every assignment and seed.

    All learners get the same tasks. One process runs those of one assignment and seed one after
    the other, so networks train what they have in common once; with fewer of these than `jobs`,
    every learner has a process of its own. The results do not depend on `jobs`.

    Parameters
    ----------
    learners : name -> anything that `evaluate_scenario` takes.
    X, y : the labelled data set, as in `Scenario.build`.
    assignments : texts such as "021"; or name -> any assignment of `Scenario.build`.
    seeds : integers >= 0; each decides the split, the orders, and the learner's own randomness.
    scenarios : name -> scenario; by default the four basic ones.
    jobs : number of processes or threads, -1 for one per core.
    backend : "processes", or "dask" to run on a cluster. Or "threads", which share the memory of
        this process: for learners that compute outside Python, as `repro.networks` do. Others
        wait for each other.
    scheduler : address of the cluster, for "dask".
    cache : folder of stored runs; default the cache of the checkout.
    fresh : run everything again, and replace the stored runs.
    options : further arguments of `Scenario.build`, such as `test` and `sizes`.

    Returns a dict from `ScenarioKey` to `ScenarioRun`, in the order of the arguments. Raises
    ValueError for a seed or an assignment that is given twice, and what `Scenario.build` and
    `evaluate_scenario` raise.

    Notes
    -----
    A run is stored as soon as it is finished, under a hash of its learner, data, tasks and seed,
    the code and packages that it runs with, and the processor, as in `repro.sweep`: a call that is
    killed continues where it was.

    >>> import numpy as np
    >>> from repro.learners import Majority, NoChange
    >>> X, y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    >>> runs = evaluate_scenarios({"M": Majority(), "N": NoChange()}, X, y, ["021"], [0])
    >>> len(runs), runs["N", "SEP", "021", 0].task_accuracies[-1].tolist()
    (8, [0.0, 0.6666666666666666])
    """
    check_learners(learners)
    check_named(scenarios, name="scenarios")
    check_values(scenarios, Scenario, name="scenarios", rule="names to scenarios")
    named, numbers = _as_assignments(assignments), as_seeds(seeds)
    _check_once(numbers, name="seeds")
    jobs = as_jobs(jobs, backend, BACKENDS)
    check_flag(fresh, name="fresh")
    study = Study(dict(learners), dict(scenarios), named, X, y, options)
    pairs = [(a, seed) for seed in numbers for a in named]
    keys = [ScenarioKey(n, sc, a, s) for n in learners for sc in scenarios for a, s in pairs]
    files = files_of(study, keys, Path(cache or _folders.cache() / "scenarios"))
    found = {key: run for key in keys if not fresh and (run := load_run(files[key])) is not None}
    waiting = {key: path for key, path in files.items() if key not in found}
    is_here = backend != "dask" and jobs == 1
    groups = [*_groups(study, waiting, jobs, is_here)]
    done: Iterator[list[Finished]]
    if is_here:
        done = (perform(group, study) for group in groups)
    elif backend == "threads":
        done = perform_in_threads(groups, study, jobs)
    else:
        done = _in_workers(groups, study, backend, scheduler, jobs)
    for group in progress(done, total=len(groups), desc="scenarios", unit="group"):
        for finished in group:
            path = files[finished.key]
            if finished.is_certain and path is not None and (fresh or not path.is_file()):
                store_run(path, finished.run)  # it may come from another machine
            found[finished.key] = finished.run
    return {key: found[key] for key in keys}


def _in_workers(
    groups: list[Group], study: Study, backend: str, scheduler: str | None, jobs: int
) -> Iterator[list[Finished]]:
    """`perform` for each group, in processes or on a cluster; in the order they finish."""
    content = packed(study._replace(X=(), y=()))
    with pool_of(backend, scheduler, jobs) as pool:
        work = (joblib.delayed(perform_sent)(group, content, study.X, study.y) for group in groups)
        yield from pool(work)


def _groups(
    study: Study, waiting: Mapping[ScenarioKey, Path | None], workers: int, is_here: bool
) -> Iterator[Group]:
    """The runs that wait, by assignment and seed; with fewer of these than workers by learner."""
    pairs = {(key.assignment, key.seed): key for key in waiting}
    codes = {name: study.code(name, []) for name in study.learners}
    for pair in pairs:
        runs = {key: path for key, path in waiting.items() if (key.assignment, key.seed) == pair}
        names = [None] if len(pairs) >= workers else study.learners
        for name in names:
            chosen = {key: path for key, path in runs.items() if name in (None, key.learner)}
            if chosen:
                yield Group(chosen, codes, is_here)


def _as_assignments(assignments: Any) -> dict[str, Any]:
    """The assignments by name."""
    if isinstance(assignments, Mapping):
        named = dict(assignments)
    else:
        rule = 'a list of texts such as ["021"], or map names to assignments'
        listed = as_list(assignments, str, name="assignments", rule=rule)
        _check_once(listed, name="assignments")
        named = {a: a for a in listed}
    if not named:
        raise ValueError(f"assignments must hold at least one; got {shown(assignments)}")
    return named


def _check_once(values: list[Any], *, name: str) -> None:
    """Raise ValueError if a value is there twice: runs are named by them."""
    if len(set(values)) < len(values):
        raise ValueError(f"{name} must hold each value once; got {shown(values)}")
