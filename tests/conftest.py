"""The order of the tests, and hypothesis without a time limit.

Tests of one kind of learner stand together.

numba compiles a learner once for each kind, such as `OzaBag` of `HoeffdingTree`, which takes up to
ten seconds; later processes load the result from the disk cache. Processes that run side by side
take blocks of consecutive tests, so in this order each kind is compiled by one of them. The kinds
come first: the short tests that follow fill the gaps at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import settings

from repro.learners import Learner, Temporal

# As a module with doctests it would have the name of notebooks/conftest.py.
collect_ignore = ["conftest.py"]

settings.register_profile("repro", deadline=None)  # the first example may compile
settings.load_profile("repro")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (not (kind := kind_of(item)), kind))


def kind_of(item: pytest.Item) -> str:
    """The kind of the first learner among the parameters of a test; empty without one.

    A parameter may be the learner, or its name in the test module's table `LEARNERS`.
    """
    params = getattr(item, "callspec", None)
    table = getattr(getattr(item, "module", None), "LEARNERS", None)
    named = table if isinstance(table, dict) else {}
    for value in params.params.values() if params else ():
        learner = named.get(value) if isinstance(value, str) else value
        if isinstance(learner, Learner | Temporal):
            return " of ".join(names(learner))
        if isinstance(learner, type) and issubclass(learner, Learner):
            return learner.__name__
    return ""


def names(description: Any) -> Iterator[str]:
    """The class of a learner or detector, then those of what it wraps."""
    yield type(description).__name__
    for field in fields(description):
        if is_dataclass(inner := getattr(description, field.name)):
            yield from names(inner)
