"""A learner through a scenario: learn task after task, test every base set after each.

As a task of a study, its result is the shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._progress import progress
from repro.evaluation._runner import Runner
from repro.metrics.continual import Continual, continual_report
from repro.scenarios.scenario import Scenario
from repro.scenarios.tasks import Tasks
from repro.streams.stream import Stream

__all__ = ["FIELDS", "ScenarioRun", "Settings", "run_task", "run_through"]

FIELDS = "shares", "sizes"  #: of a result


@dataclass(frozen=True, eq=False, repr=False)
class ScenarioRun:
    """Predictions of one learner after each of the T tasks, for each of the B base sets.

    Attributes
    ----------
    scenario : the base sets and the name of the scenario.
    shares : (T, B, K) share of each label among the predictions for the test samples.
    sizes : (B,) number of test samples.
    """

    scenario: Scenario
    shares: NDArray[np.float64]
    sizes: NDArray[np.int64]

    @property
    def accuracies(self) -> NDArray[np.float64]:
        """Accuracy after each task on each base set, (T, B), under the label wanted then.

        For a base set that was not presented yet it is taken under its first label. The last row
        is the paper's Table 4.
        """
        states, wanted = self.scenario.states, self.scenario.wanted
        first = states[(states > 0).argmax(axis=0), np.arange(states.shape[1])] - 1
        return self._share_of(np.where(wanted < 0, first, wanted))

    @property
    def task_accuracies(self) -> NDArray[np.float64]:
        r"""Accuracy after task i under the labels :math:`F^{T_j}` wanted after task j, (T, T).

        It is taken over all test samples of the base sets presented up to task j. The last row is
        the paper's Table 3: its columns T1 and T2.
        """
        columns = []
        for wanted in self.scenario.wanted:
            right = self._share_of(np.broadcast_to(wanted, self.shares.shape[:2]))
            asked = wanted >= 0
            columns.append(right[:, asked] @ self.sizes[asked] / self.sizes[asked].sum())
        return np.stack(columns, axis=1)

    @property
    def ideal_accuracy(self) -> NDArray[np.float64]:
        """Last row of `task_accuracies` for a classifier that is right after the last task."""
        return self.scenario.ideal_accuracy(self.sizes.tolist())

    @property
    def continual(self) -> Continual:
        """Retention, relabel and acquisition rates, forgetting and transfer."""
        return continual_report(self.shares, self.scenario.states, sizes=self.sizes)

    @property
    def table(self) -> pd.DataFrame:
        """Accuracies after each task: a column per base set, then `task_accuracies`."""
        names = [*self.scenario.base_set_names, *self.scenario.task_names]
        after = pd.Index(self.scenario.task_names, name="after")
        return pd.DataFrame(np.hstack([self.accuracies, self.task_accuracies]), after, names)

    def __repr__(self) -> str:
        tasks = zip(self.scenario.task_names, self.task_accuracies[-1], strict=True)
        accuracies = ", ".join(f"{name}={accuracy:.3f}" for name, accuracy in tasks)
        return f"ScenarioRun({self.scenario.name!r}, {accuracies})"

    def _share_of(self, labels: NDArray[np.int64]) -> NDArray[np.float64]:
        """Share of the predictions that equal `labels` (T, B); of label 0 where it is -1."""
        index = np.maximum(labels, 0)[:, :, None]
        return np.take_along_axis(self.shares, index, axis=2)[:, :, 0]


def run_through(
    runner: Runner, tasks: Tasks, seed: int, batch: int | None = None, *, desc: str = ""
) -> ScenarioRun:
    """A learner through `tasks`, as in `repro.evaluate_scenario`; `desc` is for the bar."""
    test, owner = _all_tests(tasks), _owners(tasks)
    most = max(len(samples) for samples in tasks.batches)
    trainee = runner.start(tasks.schema, seed=seed, batch=batch or most)
    counts = np.zeros((len(tasks), len(tasks.tests), tasks.schema.n_classes))
    pairs = list(zip(tasks.batches, counts, strict=True))
    for i, (samples, counted) in enumerate(progress(pairs, desc=desc)):
        order = seeds.generator(seed, "batch", f"T{i + 1}").permutation(len(samples))
        trainee.learn(samples, order)
        np.add.at(counted, (owner, trainee.predict(test)), 1)
    sizes = np.bincount(owner)
    scenario = Scenario(tasks.base_sets, tasks.name)
    return ScenarioRun(scenario, counts / sizes[:, None], sizes)


def _all_tests(tasks: Tasks) -> Stream:
    """The test samples of all base sets, with the labels wanted after the last task."""
    y, first = tasks.wanted[-1][_owners(tasks)], tasks.batches[0]
    X = np.concatenate([*tasks.tests.values()])
    return Stream(X, y, first.nominal, first.n_classes, name=tasks.name)


def _owners(tasks: Tasks) -> NDArray[np.int64]:
    """Number of the base set of each test sample."""
    sizes = [*tasks.sizes.values()]
    return np.repeat(np.arange(len(sizes)), sizes)


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
