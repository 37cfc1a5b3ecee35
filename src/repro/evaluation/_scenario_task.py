"""One task of a study of scenarios: a learner through one scenario; its result is the shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from repro.evaluation._runner import Runner
from repro.evaluation.scenario_run import run_through
from repro.scenarios.scenario import Scenario

__all__ = ["FIELDS", "Settings", "run_task"]

FIELDS = "shares", "sizes"  #: of a result


class Settings(NamedTuple):
    """What a task runs."""

    runner: Runner
    name: str  # of the learner, before the bar
    scenario: Scenario
    assignment: Any
    options: Mapping[str, Any]
    seed: int


def run_task(settings: Settings, data: tuple[ArrayLike, ArrayLike]) -> dict[str, Any]:
    """Run the learner through the scenario that `data`, samples and labels, are put into."""
    runner, name, scenario, assignment, options, seed = settings
    tasks = scenario.build(*data, assignment, seed, **options)
    run = run_through(runner, tasks, seed, desc=name[:40])
    return {"shares": run.shares, "sizes": run.sizes}
