"""Arguments that every study of many runs takes: learners, seeds, processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import joblib
import numpy as np

from repro._checks import check_choice, check_count, is_whole, shown
from repro.evaluation._runner import Runner
from repro.interop.adapting import check_learners
from repro.streams.stream import Stream
from repro.studies.task import Part

__all__ = ["MEASURES", "NO_MEASURES", "Measures", "as_jobs", "as_measures", "check_models"]
__all__ += ["check_named", "model_part"]

Measures = Mapping[str, Callable[..., Any]]  #: names to functions of the losses, or of the labels

MEASURES: Measures = {"error": np.mean}
NO_MEASURES: Measures = {}
MOST_JOBS = 1000


def as_jobs(jobs: int, backend: str, backends: Sequence[str] = ("processes", "dask")) -> int:
    """Return `jobs`, a number of processes or threads; -1 is one per core.

    Raises ValueError for other numbers, and for a `backend` that is not among the `backends`.
    """
    check_choice(backend, backends, name="backend")
    is_all = is_whole(jobs) and jobs == -1
    return joblib.cpu_count() if is_all else check_count(jobs, name="jobs", most=MOST_JOBS)


def check_named(values: Any, *, name: str) -> None:
    """Raise ValueError unless `values` is a mapping that is not empty; its name says of what."""
    if not isinstance(values, Mapping) or not values:
        raise ValueError(f"{name} must map names to {name}, at least one; got {shown(values)}")


def check_models(learners: Any, streams: Any) -> None:
    """Raise an error unless these map names to learners, and to what can be drawn or is data."""
    check_named(learners, name="learners")
    check_learners(learners)
    check_named(streams, name="streams")
    for name, stream in streams.items():
        if not isinstance(stream, Stream) and not hasattr(stream, "sample"):
            rule = "must be a description with sample(seed), or a Stream"
            raise TypeError(f"streams[{name!r}] {rule}; got {shown(stream)}")


def as_measures(measures: Any, label_measures: Any) -> tuple[Measures, Measures]:
    """Return both; raise ValueError unless each maps names to functions."""
    for name, given in {"measures": measures, "label_measures": label_measures}.items():
        if not isinstance(given, Mapping) or not all(map(callable, given.values())):
            raise ValueError(f"{name} must map names to functions; got {shown(given)}")
    return measures, label_measures


def model_part(name: str, runner: Runner, versions: Mapping[str, str]) -> Part:
    """The learner called `name`, and how it is run, as a part of a task."""
    thing: Any = runner
    with suppress(Exception):  # it cannot be copied: its run will fail, and report why
        thing = runner.identified()
    return Part(f"learner {name!r}", (thing, [*_kinds(runner)]), versions.get(name, ""), runner)


def _kinds(runner: Runner | None) -> Iterator[type]:
    """The class of `runner`, and those of the runners inside it."""
    while runner is not None:
        yield type(runner)
        runner = getattr(runner, "base", None)
