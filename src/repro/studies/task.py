"""A task: what is computed at once, from what, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from repro.studies.store import Result

__all__ = ["Failure", "Outcome", "Part", "Task", "failure_of"]


class Part(NamedTuple):
    """Something that decides the result of a task."""

    name: str  #: such as "learner 'NB'", for messages; "" for a number or a text
    thing: Any
    version: str = ""  #: that the user gave it; "" for none
    source: Any = None  #: what `thing` was copied from, by code that may be the user's


@dataclass(frozen=True, eq=False)
class Task:
    """A call ``function(settings, data)`` whose result can be stored.

    Attributes
    ----------
    name : for messages.
    function : of this package; returns arrays of numbers, numbers and texts by name.
    settings : small things, of which each worker gets its own copy.
    data : what is large and the same for many tasks, such as a `Stream`; nobody changes it.
    parts : all that decides the result: of the settings, of the data.
    fields : names that the result has.
    """

    name: str
    function: Callable[[Any, Any], Result]
    settings: Any
    data: Any
    parts: tuple[Part, ...]
    fields: tuple[str, ...]


class Failure(NamedTuple):
    """Why a task has no result."""

    text: str  #: kind, message and notes of the error, in one line
    place: str  #: file and line of the error; "" where there is none
    error: Exception | None  #: as it was raised; None for a killed worker


class Outcome(NamedTuple):
    """What came of the task with this number."""

    number: int
    result: Result | None
    failure: Failure | None = None
    is_certain: bool = False  #: whether a fresh run would give the same


def failure_of(error: Exception) -> Failure:
    """The `Failure` of a task that raised `error`."""
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    text = " ".join(f"{type(error).__name__}: {error}{notes}".split())
    last = extract_tb(error.__traceback__)[-1:]
    return Failure(text, "".join(f"{Path(at.filename).name}:{at.lineno}" for at in last), error)
