"""Learners x scenarios x assignments x seeds: every run of a study, side by side in processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import joblib
from numpy.typing import ArrayLike

from repro._checks import as_list, check_choice, check_count, check_kind, check_mapping, shown
from repro._progress import progress, quiet
from repro.evaluation._workers import allow_growth, pool_of
from repro.evaluation.scenario import ScenarioRun, evaluate_scenario
from repro.interop.adapting import check_learner
from repro.scenarios.basic import SCENARIOS
from repro.scenarios.scenario import Scenario

__all__ = ["ScenarioKey", "evaluate_scenarios"]

Runs = dict["ScenarioKey", ScenarioRun]


class ScenarioKey(NamedTuple):
    """What one run is: the names of its learner, scenario and assignment, and its seed."""

    learner: str
    scenario: str
    assignment: str
    seed: int


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
    jobs : number of processes, -1 for one per core.
    backend : "processes", or "dask" to run on the cluster at the address `scheduler`.
    options : further arguments of `Scenario.build`, such as `test` and `sizes`.

    Returns a dict from `ScenarioKey` to `ScenarioRun`, in the order of the arguments. Raises what
    `Scenario.build` and `evaluate_scenario` raise.

    >>> import numpy as np
    >>> from repro.learners import Majority, NoChange
    >>> X, y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    >>> runs = evaluate_scenarios({"M": Majority(), "N": NoChange()}, X, y, ["021"], [0])
    >>> len(runs), runs["N", "SEP", "021", 0].task_accuracies[-1].tolist()
    (8, [0.0, 0.6666666666666666])
    """
    named, numbers = _check(learners, scenarios, assignments, seeds)
    if jobs != -1:
        check_count(jobs, name="jobs")
    check_choice(backend, ("processes", "dask"), name="backend")
    pairs = [(a, seed) for seed in numbers for a in named]
    workers = joblib.cpu_count() if jobs == -1 else jobs
    whole = len(pairs) >= workers
    groups = [dict(learners)] if whole else [{name: learners[name]} for name in learners]
    work = [
        joblib.delayed(_group)(group, scenarios, X, y, (a, named[a]), seed, options)
        for a, seed in pairs
        for group in groups
    ]
    keys = (ScenarioKey(n, sc, a, s) for n in learners for sc in scenarios for a, s in pairs)
    found: Runs = {}
    with pool_of(backend, scheduler, jobs) as pool:
        for runs in progress(pool(work), total=len(work), desc="scenarios", unit="group"):
            found |= runs
    return {key: found[key] for key in keys}


def _check(
    learners: Any, scenarios: Any, assignments: Any, seeds: Any
) -> tuple[Mapping[str, Any], list[int]]:
    """The assignments by name, and the seeds."""
    for learner in check_mapping(learners, name="learners", rule="names to learners").values():
        check_learner(learner)
    rule = "names to scenarios"
    for scenario in check_mapping(scenarios, name="scenarios", rule=rule).values():
        check_kind(scenario, Scenario, name="scenarios", rule="a mapping of names to scenarios")
    if isinstance(assignments, Mapping):
        named = dict(assignments)
    else:
        rule = 'a list of texts such as ["021"], or map names to assignments'
        named = {a: a for a in as_list(assignments, str, name="assignments", rule=rule)}
    listed: list[Any] = as_list(seeds, name="seeds", rule="a list of integers")
    numbers = [check_count(seed, name="seeds", least=0) for seed in listed]
    given = {"learners": learners, "scenarios": scenarios, "assignments": named, "seeds": numbers}
    for name, values in given.items():
        if not values:
            raise ValueError(f"{name} must not be empty; got {shown(values)}")
    return named, numbers


def _group(
    learners: Mapping[str, Any],
    scenarios: Mapping[str, Scenario],
    X: ArrayLike,
    y: ArrayLike,
    assignment: tuple[str, Any],
    seed: int,
    options: Mapping[str, Any],
) -> Runs:
    """The runs of one process."""
    allow_growth()
    name, classes = assignment
    runs = {}
    for sc, scenario in scenarios.items():
        tasks = scenario.build(X, y, classes, seed, **options)
        for learner_name, learner in learners.items():
            with quiet():
                run = evaluate_scenario(learner, tasks, seed)
            runs[ScenarioKey(learner_name, sc, name, seed)] = run
    return runs
