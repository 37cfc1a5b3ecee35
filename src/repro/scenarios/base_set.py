"""A base set: samples that are presented in the same tasks with the same labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_list, check_count, is_whole, settle, shown

__all__ = ["BaseSet", "as_base_sets", "states_of", "wanted_labels"]

MOST_LABELS = 9  # one digit for each state, so that a name is unambiguous
MOST_TASKS = 100
RULE = "states must be whole numbers 0..9, one per task, or a name such as 'C10'"


@dataclass(frozen=True)
class BaseSet:
    r"""The samples with the states :math:`(s_1, \dots, s_T)`, one for each task.

    The state is 0 in a task that does not present the samples, and *k* in a task that presents
    them with the *k*-th label. For two tasks this is the base set :math:`C_{s,s'}` of Szadkowski,
    Drchal and Faigl (Sec. 2), written C10 for :math:`C_{1,0}`. Models get the labels 0..K-1: the
    paper's label 1 is 0 here, and its label 2 is 1.

    Parameters
    ----------
    states : one state 0..9 for each task, or the name, such as "C10".

    Raises ValueError for other states.

    >>> relabelled = BaseSet("C21")
    >>> relabelled.states, relabelled.wanted(0), relabelled.wanted(1)
    ((2, 1), 1, 0)
    """

    states: tuple[int, ...]

    def __post_init__(self) -> None:
        settle(self, states=_as_states(self.states, RULE))

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """C and the states, such as C10."""
        return "C" + "".join(map(str, self.states))

    @property
    def n_tasks(self) -> int:
        """Number of tasks, T."""
        return len(self.states)

    def presented(self, task: int) -> int | None:
        """The label 0..K-1 with which the task number `task`, 0..T-1, presents it, or None."""
        state = self.states[self._check(task)]
        return state - 1 if state else None

    def wanted(self, task: int) -> int | None:
        """The label 0..K-1 wanted after the task number `task`, 0..T-1.

        It is the label of the latest presentation up to that task: the classifier
        :math:`F^{T_i}` of the paper's Eq. 1 and 2. None before the first presentation.
        """
        past = [state for state in self.states[: self._check(task) + 1] if state]
        return past[-1] - 1 if past else None

    def _check(self, task: int) -> int:
        return check_count(task, name="task", least=0, most=self.n_tasks - 1)


def as_base_sets(values: Iterable[Any]) -> tuple[BaseSet, ...]:
    """Return `values`, base sets or their names or states, as the base sets of a scenario.

    They are different, have the same number of tasks, are each presented in a task, and present
    something in each task, with at least two labels in all.
    """
    rule = "a list of base sets, each by its name or its states 0..9, such as ['C10', 'C02']"
    listed: list[Any] = as_list(values, name="base_sets", rule=rule)
    rule = f"base_sets must be {rule}"
    sets = tuple(v if isinstance(v, BaseSet) else BaseSet(_as_states(v, rule)) for v in listed)
    if not sets or len({s.n_tasks for s in sets}) > 1:
        rule = "base_sets must hold at least one base set, all of the same number of tasks"
        raise ValueError(f"{rule}; got {shown([s.name for s in sets])}")
    if twice := [s.name for i, s in enumerate(sets) if s in sets[:i]]:
        raise ValueError(f"base_sets must hold each base set once; got {twice[0]} twice")
    _check_presented(states_of(sets), [s.name for s in sets])
    return sets


def _check_presented(states: NDArray[np.int64], names: list[str]) -> None:
    if not states.any(axis=0).all():
        rule = "base_sets must each be presented in a task"
        raise ValueError(f"{rule}; got {names[int(states.any(axis=0).argmin())]}")
    if not states.any(axis=1).all():
        task = int(states.any(axis=1).argmin()) + 1
        raise ValueError(f"base_sets must present something in T{task}; got {shown(names)}")
    if len(set(states[states > 0].tolist())) < 2:
        rule = "base_sets must be presented with at least two labels"
        raise ValueError(f"{rule}; got {shown(names)}")


def states_of(base_sets: Iterable[BaseSet]) -> NDArray[np.int64]:
    """State of each base set in each task, shape (T, B)."""
    return np.array([base_set.states for base_set in base_sets], dtype=np.int64).T


def wanted_labels(base_sets: Iterable[BaseSet]) -> NDArray[np.int64]:
    """Label 0..K-1 wanted for each base set after each task, shape (T, B); -1 not yet presented."""
    labels = states_of(base_sets) - 1
    for earlier, later in pairwise(labels):
        np.copyto(later, earlier, where=later < 0)
    return labels


def _as_states(states: Any, rule: str) -> tuple[int, ...]:
    """Return `states`, a list of them or a name, as a tuple; `rule` is the start of the message."""
    if isinstance(states, str):
        digits = states.removeprefix("C")
        is_name = states.startswith("C") and digits.isascii() and digits.isdigit()
        values: list[Any] = [int(digit) for digit in digits] if is_name else []
    elif isinstance(states, tuple | list):
        values = list(states)
    else:
        values = []
    are_states = all(is_whole(value) and 0 <= value <= MOST_LABELS for value in values)
    if not are_states or not 1 <= len(values) <= MOST_TASKS:
        raise ValueError(f"{rule}; got {shown(states)}")
    return tuple(int(value) for value in values)
