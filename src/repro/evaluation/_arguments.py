"""Arguments that every study of many runs takes: learners, seeds, processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import joblib

from repro._checks import check_choice, check_count, is_whole, shown
from repro.evaluation._runner import Runner
from repro.studies.task import Part

__all__ = ["as_jobs", "as_seeds", "check_named", "model_part"]

MOST_JOBS = 1000


def as_seeds(seeds: int | Iterable[int]) -> list[int]:
    """Return `seeds` as a list: 0..n-1 for a number n >= 1, or the integers >= 0, at least one."""
    if is_whole(seeds):
        return list(range(check_count(seeds, name="seeds")))  # type: ignore[arg-type]
    if not isinstance(seeds, Iterable) or isinstance(seeds, str | bytes):
        rule = "a number of seeds, or integers, such as range(10)"
        raise ValueError(f"seeds must be {rule}; got {shown(seeds)}")
    listed = [check_count(seed, name="seeds", least=0) for seed in seeds]
    if not listed:
        raise ValueError("seeds must hold at least one integer; got none")
    return listed


def as_jobs(jobs: int, backend: str, backends: Sequence[str] = ("processes", "dask")) -> int:
    """Return `jobs`, a number of processes or threads; -1 is one per core.

    Raises ValueError for other numbers, and for a `backend` that is not among the `backends`.
    """
    check_choice(backend, backends, name="backend")
    return joblib.cpu_count() if jobs == -1 else check_count(jobs, name="jobs", most=MOST_JOBS)


def check_named(values: Any, *, name: str) -> None:
    """Raise ValueError unless `values` is a mapping that is not empty; its name says of what."""
    if not isinstance(values, Mapping) or not values:
        raise ValueError(f"{name} must map names to {name}, at least one; got {shown(values)}")


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
