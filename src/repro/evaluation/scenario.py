"""Evaluation through a scenario: learn task after task, test every base set after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_count, check_kind
from repro._progress import progress
from repro.evaluation._kinds import runner_of
from repro.metrics.continual import Continual, continual
from repro.scenarios.scenario import Scenario
from repro.scenarios.tasks import Tasks
from repro.streams.stream import Stream

__all__ = ["ScenarioRun", "evaluate_scenario"]


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
        return continual(self.shares, self.scenario.states, sizes=self.sizes)

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
    test, owner = _all_tests(tasks), _owners(tasks)
    most = max(len(samples) for samples in tasks.batches)
    trainee = runner.start(tasks.schema, seed=seed, batch=batch or most)
    counts = np.zeros((len(tasks), len(tasks.tests), tasks.schema.n_classes))
    pairs = list(zip(tasks.batches, counts, strict=True))
    for i, (samples, counted) in enumerate(progress(pairs, desc=str(learner)[:40])):
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
