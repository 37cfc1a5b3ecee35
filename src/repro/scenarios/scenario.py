"""A scenario: which samples each task presents, and with which labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_inside, check_text, settle
from repro._named import Named
from repro.scenarios._draw import (
    as_assignment,
    as_labelled,
    as_sizes,
    as_test,
    choose,
    rows_of_task,
    train_and_test,
)
from repro.scenarios.base_set import BaseSet, as_base_sets, states_of, wanted_labels
from repro.scenarios.tasks import Tasks
from repro.streams.stream import Stream

__all__ = ["SCENARIOS", "Scenario"]


@dataclass(frozen=True)
class Scenario:
    r"""The non-empty base sets of a problem of T tasks.

    A classifier learns task after task, each only from its own batch. After task *i* it should
    answer, for each sample presented so far, with the label of the latest presentation.
    Szadkowski, Drchal and Faigl (Sec. 2) have two tasks and two labels; more of both are accepted.
    Samples that no task presents (the paper's C00) belong to no base set.

    Parameters
    ----------
    base_sets : different base sets, or their names or states, all of the same number of tasks.
    name : name of the scenario in tables and figures.
    tested : what the scenario tests, in words.

    Raises ValueError if a base set is never presented, if a task presents nothing, or if there
    are fewer than two labels.

    >>> forget = Scenario(["C120", "C002", "C111"], name="relabel, then leave alone")
    >>> forget.n_tasks, forget.n_labels, forget.task_names
    (3, 2, ('T1', 'T2', 'T3'))
    >>> forget.ideal_accuracy().round(3).tolist()
    [0.5, 1.0, 1.0]
    """

    base_sets: tuple[BaseSet, ...]
    name: str = ""
    tested: str = ""

    def __post_init__(self) -> None:
        settle(self, base_sets=as_base_sets(self.base_sets))
        check_text(self.name, name="name")
        check_text(self.tested, name="tested")

    @property
    def base_set_names(self) -> tuple[str, ...]:
        """Names of the base sets, such as C10, in their order."""
        return tuple(base_set.name for base_set in self.base_sets)

    @property
    def task_names(self) -> tuple[str, ...]:
        """T1, T2, ..."""
        return tuple(f"T{i + 1}" for i in range(self.n_tasks))

    @property
    def n_tasks(self) -> int:
        """Number of tasks, T."""
        return self.base_sets[0].n_tasks

    @property
    def n_labels(self) -> int:
        """Number of labels, K: the largest state."""
        return int(self.states.max())

    @property
    def states(self) -> NDArray[np.int64]:
        """State of each base set in each task, (T, B): 0 not presented, *k* with label *k*."""
        return states_of(self.base_sets)

    @property
    def wanted(self) -> NDArray[np.int64]:
        """Label 0..K-1 wanted for each base set after each task, (T, B); -1 not yet presented."""
        return wanted_labels(self.base_sets)

    @property
    def problems(self) -> tuple[str, ...]:
        """What a classifier may fail at, as in the paper's Table 1.

        Catastrophic forgetting if a task leaves out samples whose label must be kept, concept
        drift if samples change their label.
        """
        before, after, states = self.wanted[:-1], self.wanted[1:], self.states[1:]
        forgetting = bool(((before >= 0) & (states == 0)).any())
        drift = bool(((before >= 0) & (before != after)).any())
        named = ("catastrophic forgetting", forgetting), ("concept drift", drift)
        return tuple(problem for problem, occurs in named if occurs)

    def ideal_accuracy(
        self, sizes: Mapping[Any, int] | Sequence[int] | None = None
    ) -> NDArray[np.float64]:
        r"""Accuracy, for each task, of the classifier that is right after the last task; (T,).

        Entry *i* is taken over the base sets presented up to task *i*, under the labels
        :math:`F^{T_i}` wanted then:

        .. math:: A_i = \sum_b n_b\, [F^{T_i}(b) = F^{T_T}(b)] \Big/ \sum_b n_b.

        Parameters
        ----------
        sizes : number of test samples of each base set, by name or in their order; by default all
            equal.

        Raises ValueError for sizes that are not one whole number >= 1 per base set.

        >>> SEP = Scenario(["C10", "C02", "C12"])
        >>> SEP.ideal_accuracy().tolist()
        [0.5, 1.0]
        >>> SEP.ideal_accuracy({"C10": 3, "C02": 5, "C12": 1}).tolist()
        [0.75, 1.0]
        """
        n = np.array(as_sizes(sizes, self.base_sets) or [1] * len(self.base_sets), dtype=np.float64)
        asked, right = self.wanted >= 0, self.wanted == self.wanted[-1]
        return np.asarray((asked & right) @ n / (asked @ n))

    def build(
        self,
        X: ArrayLike,
        y: ArrayLike,
        assignment: str | Mapping[Any, Any],
        seed: int = 0,
        *,
        test: tuple[ArrayLike, ArrayLike] | None = None,
        test_share: float = 1 / 7,
        sizes: Mapping[Any, int] | Sequence[int] | None = None,
        nominal: NDArray[np.int64] | None = None,
    ) -> Tasks:
        """The tasks of this scenario, made of the classes of a labelled data set.

        Each base set consists of the samples of the classes assigned to it; samples of other
        classes are not used. A task may present one label only, as ADD does: its batch then holds
        one label, and models are still asked for all labels of the scenario.

        Parameters
        ----------
        X : (n, d) attributes, used as they are: scale them before.
        y : (n,) classes, integers 0..K-1.
        assignment : a text such as "021", one digit per base set in their order, each a class.
            Digits left over are not used, so that one text serves all four basic scenarios. Or a
            mapping from classes to base sets; or from names of base sets to a class or a list of
            classes.
        seed : of the split, and of the choice of `sizes`.
        test : X and y of the test set. By default `test_share` of each class is drawn from X and
            y; the default of 1/7 is the paper's split 6 to 1.
        test_share : share of the samples of each class to test with, in (0, 1).
        sizes : number of training samples of each base set, by name or in their order, for
            unbalanced base sets; drawn at random. By default all samples.
        nominal : (d,) 0 for a numeric attribute, else its number of values; default all numeric.

        Raises ValueError for an assignment that names a class that is not in y or names one twice,
        for a base set without a class or without samples, and for sizes larger than the base sets.

        >>> X, y = np.arange(28.0)[:, None], np.repeat([0, 1], 14)
        >>> tasks = Scenario(["C10", "C02"], "ADD").build(X, y, "01")
        >>> tasks
        Tasks('ADD', batches of 12, 12, tests {'C10': 2, 'C02': 2})
        >>> [set(batch.y.tolist()) for batch in tasks.batches]
        [{0}, {1}]
        """
        test_share = check_inside(test_share, name="test_share")
        seed = check_count(seed, name="seed", least=0)
        data, sets = as_labelled(X, y), self.base_sets
        held_out = None if test is None else as_test(test, data.X.shape[1])
        classes, counts = as_assignment(assignment, sets), as_sizes(sizes, sets)
        train, tested = train_and_test(data, held_out, classes, test_share, seed)
        train = choose(train, counts, sets, seed)
        batches = []
        for i, task in enumerate(self.task_names):
            rows, labels = rows_of_task(train, sets, i)
            name = f"{self.name or 'scenario'}, {task}"
            batches.append(Stream(data.X[rows], labels, nominal, self.n_labels, name=name))
        source = held_out or data
        tests = {s.name: source.X[rows] for s, rows in zip(sets, tested, strict=True)}
        return Tasks(sets, tuple(batches), tests, name=self.name)


# Presented in the first task only, and in the second only; then the further base sets.
_C10, _C02 = BaseSet((1, 0)), BaseSet((0, 2))
_C01, _C21, _C12 = BaseSet((0, 1)), BaseSet((2, 1)), BaseSet((1, 2))

#: ADD, EXP, INC and SEP of Szadkowski, Drchal and Faigl (Table 1), by name.
SCENARIOS: Named[Scenario] = Named(
    {
        scenario.name: scenario
        for scenario in (
            Scenario((_C10, _C02), "ADD", "Adding a new class"),
            Scenario((_C10, _C02, _C01), "EXP", "Expanding a class"),
            Scenario((_C10, _C02, _C21), "INC", "Untraining a class"),
            Scenario((_C10, _C02, _C12), "SEP", "Untraining part of a class"),
        )
    }
)
