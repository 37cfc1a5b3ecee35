"""Evaluation of a learner through one scenario."""

from __future__ import annotations

from typing import Any

from repro._checks import check_count, check_kind
from repro.evaluation._kinds import runner_of
from repro.evaluation.scenario_run import ScenarioRun, run_through
from repro.scenarios.tasks import Tasks

__all__ = ["ScenarioRun", "evaluate_scenario"]


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
    check_count(seed, name="seed", least=0)
    if batch is not None:
        check_count(batch, name="batch")
    return run_through(runner, tasks, seed, batch, desc=str(learner)[:40])
