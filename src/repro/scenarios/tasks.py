"""The tasks of a scenario: training batches, and test samples of each base set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_list, as_matrix, check_mapping, check_text, settle, shown
from repro.scenarios.base_set import BaseSet, as_base_sets, states_of, wanted_labels
from repro.streams.stream import Schema, Stream

__all__ = ["Tasks"]


@dataclass(frozen=True, eq=False, repr=False)
class Tasks:
    """What a classifier learns, task after task, and what it is tested with.

    `repro.scenarios.Scenario.build` makes one from a labelled data set. Your batches and tests,
    such as the same images with their pixels permuted, are accepted as well.

    Parameters
    ----------
    base_sets : of the scenario.
    batches : one stream per task, to be learned as a whole; labels 0..K-1. A task may present one
        label only.
    tests : test samples (n, d) of each base set, by its name.
    name : name of the scenario in tables and figures.

    Raises ValueError for batches or tests that do not fit the base sets.
    """

    base_sets: tuple[BaseSet, ...]
    batches: tuple[Stream, ...]
    tests: Mapping[str, NDArray[np.float64]]
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        sets, name = as_base_sets(self.base_sets), check_text(self.name, name="name")
        batches = _as_batches(self.batches, sets)
        tests = _as_tests(self.tests, sets, batches[0].schema.n_features)
        settle(self, base_sets=sets, batches=batches, tests=tests, name=name)

    def __len__(self) -> int:
        return len(self.batches)

    def __repr__(self) -> str:
        learned = ", ".join(str(len(batch)) for batch in self.batches)
        return f"Tasks({self.name!r}, batches of {learned}, tests {self.sizes})"

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of labels."""
        return self.batches[0].schema

    @property
    def sizes(self) -> dict[str, int]:
        """Number of test samples of each base set."""
        return {name: len(X) for name, X in self.tests.items()}

    @property
    def wanted(self) -> NDArray[np.int64]:
        """Label 0..K-1 wanted for each base set after each task, (T, B); -1 not yet presented."""
        return wanted_labels(self.base_sets)


def _as_batches(streams: Iterable[Stream], sets: tuple[BaseSet, ...]) -> tuple[Stream, ...]:
    batches = tuple(as_list(streams, Stream, name="batches", rule="a list of streams"))
    if len(batches) != sets[0].n_tasks:
        rule = f"batches must be as many as the tasks of base_sets, {sets[0].n_tasks}"
        raise ValueError(f"{rule}; got {len(batches)}")
    for batch in batches[1:]:
        if batch.schema != batches[0].schema:
            raise ValueError(f"batches must have one schema; got {shown(batch.schema)} as well")
    n_labels = int(states_of(sets).max())
    if batches[0].schema.n_classes != n_labels:
        rule = f"batches must have n_classes={n_labels}, the number of labels of base_sets"
        raise ValueError(f"{rule}; got {batches[0].schema.n_classes}")
    return batches


def _as_tests(
    samples: Mapping[str, NDArray[np.float64]], sets: tuple[BaseSet, ...], n_features: int
) -> dict[str, NDArray[np.float64]]:
    names = [base_set.name for base_set in sets]
    check_mapping(samples, name="tests", rule="names of base sets to samples (n, d)")
    if set(samples) != set(names):
        raise ValueError(f"tests must have the keys {', '.join(names)}; got {shown(list(samples))}")
    tests = {name: as_matrix(samples[name], name=f"tests[{name!r}]", copy=True) for name in names}
    for name, X in tests.items():
        if X.shape[1] != n_features:
            rule = f"tests[{name!r}] must have the {n_features} attributes of batches"
            raise ValueError(f"{rule}; got {X.shape[1]}")
    return tests
