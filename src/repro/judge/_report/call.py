"""The code and the command that make a report on learners again."""

from __future__ import annotations

import inspect
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any

from repro.streams.testbed import TESTBED

__all__ = ["as_call", "as_command"]

PLAIN = int, float, str, bool, type(None)


class Unmade(Exception):
    """No code is known that makes an object."""


def as_call(models: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Python code that makes the report; an object that code cannot make is shown in ``<>``.

    Parameters
    ----------
    models : by name.
    arguments : those of `judge.learner` that are not the default.
    """
    imports: dict[str, str] = {}
    by_name = {name: _code(model, imports) for name, model in models.items()}
    inside = "{" + ", ".join(f"{name!r}: {code}" for name, code in by_name.items()) + "}"
    if len(models) == 1 and list(models) == [type(model).__name__ for model in models.values()]:
        (inside,) = by_name.values()
    options = [f"{name}={_code(value, imports)}" for name, value in arguments.items()]
    modules = sorted({"repro", *imports.values()})
    imports["judge"] = "repro"
    names = {m: sorted(name for name in imports if imports[name] == m) for m in modules}
    lines = [f"from {module} import {', '.join(names[module])}" for module in modules]
    return "\n".join([*lines, "", f"judge.learner({', '.join([inside, *options])})"])


def as_command(models: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """The shell command; empty where a model is more than a class with its default settings.

    Parameters
    ----------
    models, arguments : as in `as_call`.
    """
    imports: dict[str, str] = {}
    names = []
    for name, model in models.items():
        code = _code(model, imports)
        if code != f"{name}()" or name not in imports:
            return ""
        names.append(f"{imports[name]}:{name}")
    parts = ["python", "-m", "repro", "judge", "learner", *names]
    for name, value in arguments.items():
        if value is True:
            parts.append(f"--{name}")
        elif isinstance(value, int) and name == "seeds":
            parts += ["--seeds", str(value)]
        elif name == "streams" and (listed := _names(value)):
            parts += ["--streams", ",".join(listed)]
        else:
            return ""
    return shlex.join([*parts, "--report", "report.html"])


def _names(streams: Any) -> list[str]:
    """`streams` as names of the testbed; empty for others."""
    listed = [streams] if isinstance(streams, str) else streams
    is_list = isinstance(listed, list | tuple) and all(isinstance(s, str) for s in listed)
    return list(listed) if is_list else []


def _code(value: Any, imports: dict[str, str]) -> str:
    try:
        return _construction(value, imports)
    except Exception:  # a finished run is not lost because its code cannot be shown
        return f"<{type(value).__name__}>"


def _construction(value: Any, imports: dict[str, str]) -> str:
    """Code that makes `value`; the modules that its classes are imported from go to `imports`."""
    if isinstance(value, PLAIN):
        return repr(value)
    match value:
        case (type() as kind, dict() as arguments):  # how river shows a model in a model
            return f"{_imported(kind, imports)}({_keywords(_chosen(kind, arguments), imports)})"
    if type(value) in (list, tuple):
        inside = ", ".join(_construction(part, imports) for part in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, Mapping) and not hasattr(value, "learn_one"):
        pairs = value.items()
        return "{" + ", ".join(f"{k!r}: {_construction(v, imports)}" for k, v in pairs) + "}"
    if isinstance(value, type):
        return _imported(value, imports)
    for name, stream in TESTBED.items():
        if value is stream:
            imports["TESTBED"] = "repro"
            return f"TESTBED[{name!r}]"
    inside = _keywords(_chosen(type(value), _given(value)), imports)
    return f"{_imported(type(value), imports)}({inside})"


def _keywords(values: Mapping[str, Any], imports: dict[str, str]) -> str:
    return ", ".join(f"{name}={_construction(value, imports)}" for name, value in values.items())


def _imported(kind: type, imports: dict[str, str]) -> str:
    """The name of a class, whose import is noted."""
    if imports.setdefault(kind.__qualname__, module := _home(kind)) != module:
        raise Unmade
    return kind.__qualname__


def _home(kind: type) -> str:
    """The shortest module from which `kind` can be imported."""
    parts = kind.__module__.split(".")
    for size in range(1, len(parts) + 1):
        module = ".".join(parts[:size])
        if module != "__main__" and getattr(sys.modules.get(module), kind.__name__, None) is kind:
            return module
    raise Unmade


def _chosen(kind: type, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the `arguments` that are not the default of `kind`."""
    parameters = inspect.signature(kind).parameters
    if any(p.kind == p.VAR_POSITIONAL for p in parameters.values()):
        raise Unmade  # its parts have no names
    fresh: Mapping[str, Any] = {}
    with suppress(Exception):  # what None stands for in river, such as a default splitter
        fresh = _given(kind())
    return {
        name: value
        for name, value in arguments.items()
        if name in parameters
        and not _equal(value, parameters[name].default)
        and not (name in fresh and repr(value) == repr(fresh[name]))
    }


def _given(value: Any) -> dict[str, Any]:
    if is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in fields(value) if f.init}
    if hasattr(value, "_get_params"):  # river
        return dict(value._get_params())
    if hasattr(value, "get_params"):  # scikit-learn
        return dict(value.get_params(deep=False))
    try:  # yours: as new
        if vars(value) == vars(type(value)()):
            return {}
    except Exception:
        raise Unmade from None
    raise Unmade


def _equal(one: Any, other: Any) -> bool:
    try:
        return type(one) is type(other) and bool(one == other)
    except Exception:  # arrays
        return False
