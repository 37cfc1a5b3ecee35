"""The public surface of `repro`, found through `__all__`: nothing is listed that can be found."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

import repro

#: Public modules that users import by their full names; the others are named by `repro.__all__`.
MORE_MODULES = ("seeds",)
#: Not called: they execute notebooks or replace folders.
NOT_CALLED = {"build", "grade", "make_course", "run_notebook", "slides"}
#: They run a learner on all streams of the league, which takes minutes.
NOT_CALLED |= {"open_round", "predictions_of", "write_entry"}
#: Texts: their constructor is that of `str`.
NOT_CALLED |= {"Prose"}
#: Methods that the library calls with arrays and states which it has checked or made itself.
HOOKS = {
    "fill",  # of a generator, block by block
    "log_joint",
    "start",  # of learners, detectors and estimates: `online` is the public edge
    "counts",
    "state_bytes",
    "own_bytes",
    "before",  # of the wrappers of `repro.learners.temporal`
    "after",
    "learn",  # of networks: `online` is the public edge
    "score",
    "rehearse",
    "kept",
}

#: Functions whose results only the evaluation calls, with arrays that it has checked.
INSIDE = {"interop.adapt"}


@dataclass(frozen=True)
class Parameter:
    """One argument: its name, its annotation as text, and whether it must be given."""

    name: str
    annotation: str
    required: bool
    variadic: bool = False


@dataclass(frozen=True)
class Target:
    """Something public that can be called, as it is written in code: ``metrics.kappa``."""

    path: str
    parameters: tuple[Parameter, ...]
    is_record: bool = False

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def module(self) -> str:
        """The first part of the path."""
        return self.path.partition(".")[0]


def modules() -> dict[str, ModuleType]:
    """Every public module by its short name; `repro` itself is one."""
    public = set(repro.__all__) - NOT_CALLED
    names = sorted(n for n in public if isinstance(getattr(repro, n), ModuleType))
    found = {n: importlib.import_module(f"repro.{n}") for n in (*names, *MORE_MODULES)}
    return {"repro": repro, **found}


def targets() -> list[Target]:
    """Everything public that can be called; what several modules export counts once.

    >>> [t.path for t in targets() if t.name == "kappa"]
    ['metrics.kappa']
    """
    seen: set[int] = set()
    found = []
    for module, contents in modules().items():
        for name in contents.__all__:
            thing = getattr(contents, name)
            is_new = id(thing) not in seen and name not in NOT_CALLED
            if callable(thing) and is_new and not _is_abstract(thing):
                seen.add(id(thing))
                found += _targets_of(f"{module}.{name}", thing)
    return found


def _targets_of(path: str, thing: Any) -> Iterator[Target]:
    yield Target(path, parameters_of(thing), is_record=_is_record(thing))
    if inspect.isclass(thing):  # other constructors
        for name, member in vars(thing).items():
            if isinstance(member, classmethod | staticmethod) and not name.startswith("_"):
                yield Target(f"{path}.{name}", parameters_of(getattr(thing, name)))


def _is_abstract(thing: Any) -> bool:
    """Whether `thing` is a class that is there to be derived from, or an error."""
    if not inspect.isclass(thing):
        return False
    is_protocol = getattr(thing, "_is_protocol", False)
    return is_protocol or inspect.isabstract(thing) or issubclass(thing, BaseException)


def _is_record(thing: Any) -> bool:
    """Whether `thing` is a class that holds what the library computed, and checks nothing."""
    if not inspect.isclass(thing):
        return False
    checks = any("__post_init__" in vars(c) for c in thing.__mro__)
    return issubclass(thing, tuple) or (is_dataclass(thing) and not checks)


@cache
def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Its arguments, without `self`."""
    return tuple(
        Parameter(
            p.name,
            str(p.annotation).removeprefix("ForwardRef('").removesuffix("')"),
            p.default is p.empty and p.kind is not p.VAR_POSITIONAL,
            p.kind is p.VAR_POSITIONAL,
        )
        for p in inspect.signature(function).parameters.values()
        if p.kind is not p.VAR_KEYWORD
    )


@cache
def methods(kind: type) -> dict[str, tuple[Parameter, ...]]:
    """Public methods of a class of ours, by name, with their arguments."""
    found = {}
    for name, member in inspect.getmembers(kind, inspect.isfunction):
        ours = str(member.__module__).startswith("repro.")
        if ours and not name.startswith("_") and name not in HOOKS:
            found[name] = parameters_of(member)[1:]
    return found


@cache
def properties(kind: type) -> tuple[str, ...]:
    """Names of the public properties of a class of ours."""
    return tuple(
        name
        for name in dir(kind)
        if not name.startswith("_")
        and type(inspect.getattr_static(kind, name)).__name__ in ("property", "cached_property")
    )
