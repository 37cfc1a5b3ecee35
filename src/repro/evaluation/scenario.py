"""Learners through scenarios: one, or x scenarios x assignments x seeds, cached by content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite.binding import get_host_cpu_name
from numpy.typing import ArrayLike

from repro import _folders
from repro._checks import (
    as_list,
    as_seeds,
    check_count,
    check_flag,
    check_kind,
    check_values,
    shown,
)
from repro.evaluation._arguments import as_jobs, check_named, model_part
from repro.evaluation._kinds import runner_of
from repro.evaluation._runner import Runner
from repro.evaluation.scenario_run import FIELDS, ScenarioRun, Settings, run_task, run_through
from repro.interop.adapting import check_learners
from repro.scenarios.scenario import SCENARIOS, Scenario
from repro.scenarios.tasks import Tasks
from repro.studies.engine import perform
from repro.studies.task import Part, Task
from repro.studies.versions import NO_KEYS, as_keys

__all__ = ["ScenarioKey", "ScenarioRun", "evaluate_scenario", "evaluate_scenarios"]

BACKENDS = "processes", "threads", "dask"


def evaluate_scenario(
    learner: Any, tasks: Tasks, seed: int = 0, *, batch: int | None = None
) -> ScenarioRun:
    """Let `learner` learn the batches of `tasks` one after the other, and test it after each.

    Every batch is learned once, as a stream in an order that depends on the seed. No label is
    predicted while a batch is learned. After each task the test samples of all base sets are
    predicted, also of those that come later; predictions do not change the learner.

    Parameters
    ----------
    learner : as in `repro.prequential`, except learners that use previous labels. A model with
        `partial_fit` gets a whole batch in one call, other learners get one example at a time.
        Before it has learned, a scikit-learn model is told of all labels, since a task may present
        one label only.
    tasks : of a scenario, see `repro.scenarios.Scenario.build`.
    seed : of the order of each batch, and of the learner's own randomness.
    batch : number of examples that a model with `partial_fit` learns in one call; by default the
        whole batch of a task.

    Source: Szadkowski, Drchal and Faigl, Sec. 2 and 4.
    Raises TypeError for an unsupported learner; ValueError for predicted labels other than
    0..K-1, and for `BayesOptimal`, which needs to know optimal labels. A label that the scenario
    has, but that is not the one wanted, is a wrong prediction. Errors of a model are raised as
    they are.

    >>> import numpy as np
    >>> from repro.learners import NoChange
    >>> from repro.scenarios import SCENARIOS
    >>> X, y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    >>> evaluate_scenario(NoChange(), SCENARIOS["SEP"].build(X, y, "021")).table
           C10  C02  C12   T1   T2
    after
    T1     1.0  0.0  1.0  1.0  0.333333
    T2     0.0  1.0  1.0  0.0  0.666667
    """
    check_kind(tasks, Tasks, name="tasks", rule="Tasks, such as scenario.build(X, y, assignment)")
    runner = runner_of(learner)
    seed = check_count(seed, name="seed", least=0)
    if batch is not None:
        batch = check_count(batch, name="batch")
    return run_through(runner, tasks, seed, batch, desc=str(learner)[:40])


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
    seeds: int | Iterable[int] = 3,
    *,
    scenarios: Mapping[str, Scenario] = SCENARIOS,
    jobs: int = 1,
    backend: str = "processes",
    scheduler: str | None = None,
    cache: str | Path | None = None,
    fresh: bool = False,
    keys: Mapping[str, str] = NO_KEYS,
    **options: Any,
) -> dict[ScenarioKey, ScenarioRun]:
    """Run every learner through every scenario, with every assignment and seed.

    All learners get the same tasks. One process runs those of one assignment and seed one after
    the other, so networks train what they have in common once; with fewer of these than `jobs`,
    every learner has a process of its own. The results do not depend on `jobs`.

    Parameters
    ----------
    learners : name -> anything that `evaluate_scenario` takes.
    X, y : the labelled data set, as in `Scenario.build`.
    assignments : texts such as "021"; or name -> any assignment of `Scenario.build`.
    seeds : a number n stands for 0..n-1; or integers >= 0. Each decides the split,
        the orders, and the learner's own randomness.
    scenarios : name -> scenario; by default the four basic ones.
    jobs : number of processes or threads, -1 for one per core.
    backend : "processes", or "dask" to run on a cluster. Or "threads", which share the memory of
        this process: for learners that compute outside Python, as `repro.networks` do. Others
        wait for each other.
    scheduler : address of the cluster, for "dask".
    cache : folder of stored runs; default the cache of the checkout.
    fresh : run everything again, and replace the stored runs.
    keys : name of a learner with user code -> version of that code, as in `repro.sweep`.
    options : further arguments of `Scenario.build`, such as `test` and `sizes`.

    Returns a dict from `ScenarioKey` to `ScenarioRun`, in the order of the arguments. Raises
    ValueError for a seed or an assignment that is given twice, and what `Scenario.build` and
    `evaluate_scenario` raise.

    Notes
    -----
    A run is stored as soon as it is finished, by the rules of `repro.sweep`: a call that is killed
    continues where it was. Its key also has the processor, since networks round differently on
    another kind, and training amplifies that.

    >>> import numpy as np
    >>> from repro.learners import Majority, NoChange
    >>> X, y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    >>> runs = evaluate_scenarios({"M": Majority(), "N": NoChange()}, X, y, ["021"], [0])
    >>> len(runs), runs["N", "SEP", "021", 0].task_accuracies[-1].tolist()
    (8, [0.0, 0.6666666666666666])
    """
    check_named(learners, name="learners")
    check_learners(learners)
    check_named(scenarios, name="scenarios")
    check_values(scenarios, Scenario, name="scenarios", rule="names to scenarios")
    named, numbers = _as_assignments(assignments), as_seeds(seeds)
    jobs = as_jobs(jobs, backend, BACKENDS)
    check_flag(fresh, name="fresh")
    versions = as_keys(keys, {"learners": learners})
    draws = [(assignment, seed) for seed in numbers for assignment in named]
    names = [ScenarioKey(a, b, *draw) for a in learners for b in scenarios for draw in draws]
    runners = {name: runner_of(learner) for name, learner in learners.items()}
    tasks = Study(runners, versions, scenarios, named, (X, y), options).tasks(names)
    how: dict[str, Any] = {"jobs": jobs, "backend": backend, "scheduler": scheduler, "fresh": fresh}
    how |= {"desc": "scenarios", "batches": _batches(names, jobs), "raises": True}
    runs: dict[ScenarioKey, ScenarioRun] = {}
    for outcome in perform(tasks, cache or _folders.cache() / "scenarios", **how):
        key = names[outcome.number]
        runs[key] = ScenarioRun(scenarios[key.scenario], **(outcome.result or {}))
    return {key: runs[key] for key in names}


class Study(NamedTuple):
    """What all runs of a call have in common."""

    runners: Mapping[str, Runner]
    versions: Mapping[str, str]  # of user code, by name
    scenarios: Mapping[str, Scenario]
    assignments: Mapping[str, Any]
    data: tuple[ArrayLike, ArrayLike]
    options: Mapping[str, Any]

    def tasks(self, names: Sequence[ScenarioKey]) -> list[Task]:
        """The task of each run."""
        models = {
            name: model_part(name, runner, self.versions) for name, runner in self.runners.items()
        }
        processor = Part("", get_host_cpu_name())
        common = Part("the data", self.data), Part("the options", self.options), processor
        return [self._task(key, (models[key.learner], *common)) for key in names]

    def _task(self, key: ScenarioKey, parts: tuple[Part, ...]) -> Task:
        runner = self.runners[key.learner]
        scenario, assignment = self.scenarios[key.scenario], self.assignments[key.assignment]
        settings = Settings(runner, key.learner, scenario, assignment, self.options, key.seed)
        text = ", ".join(f"{name}={value!r}" for name, value in key._asdict().items())
        case = Part(f"scenario {key.scenario!r}", (scenario, assignment, key.seed))
        return Task(text, run_task, settings, self.data, (case, *parts), FIELDS)


def _batches(names: Sequence[ScenarioKey], workers: int) -> list[list[int]]:
    """The numbers of the runs that one worker makes one after the other.

    They go scenario by scenario, since the first tasks of several networks may be the same.
    """
    ranks = {name: i for i, name in enumerate(dict.fromkeys(key.scenario for key in names))}
    ordered = sorted(range(len(names)), key=lambda i: ranks[names[i].scenario])
    n_draws = len({(key.assignment, key.seed) for key in names})
    batches: dict[Any, list[int]] = {}
    for i in ordered:
        key = names[i]
        whose = "" if n_draws >= workers else key.learner
        batches.setdefault((key.assignment, key.seed, whose), []).append(i)
    return [*batches.values()]


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
