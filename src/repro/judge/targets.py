"""Your models on the command line: ``module:Name``, imported from this folder or as installed."""

from __future__ import annotations

import difflib
import importlib
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["BrokenModule", "Target", "UnknownTarget", "find", "together"]


class UnknownTarget(ValueError):
    """There is nothing of this name."""


class BrokenModule(RuntimeError):
    """The module is there, and raises when it is imported."""


class Target(NamedTuple):
    """What a ``module:Name`` stands for, and the code that means it."""

    name: str
    value: Any
    code: str  # as in mymodule.MyLearner
    load: str  # as in import mymodule


def find(text: str) -> Target:
    """The object that `text` names, as ``mymodule:MyLearner`` or ``package.module:models.best``.

    The current folder counts as a place of modules, also for the installed command ``repro``.
    Raises `UnknownTarget` for another form, module or name and `BrokenModule` for a module that
    cannot be imported.
    """
    module, _, name = text.partition(":")
    words = r"[^\W\d]\w*(\.[^\W\d]\w*)*"
    if module.endswith(".py") or not all(re.fullmatch(words, part) for part in (module, name)):
        hint = f"; leave .py out: {module[:-3]}:{name or 'MyModel'}" if ".py" in module else ""
        raise UnknownTarget(f"a model must be named like mymodule:MyModel; got {text!r}{hint}")
    value: Any = _imported(module)
    for i, part in enumerate(name.split(".")):
        try:
            value = getattr(value, part)
        except AttributeError:
            where = ".".join([module, *name.split(".")[:i]])
            near = difflib.get_close_matches(part, [n for n in dir(value) if n[0] != "_"], n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UnknownTarget(f"{where} has no {part}{hint}") from None
    return Target(name, value, f"{module}.{name}", f"import {module}")


def together(targets: Sequence[Target]) -> tuple[dict[str, Any], str]:
    """All of the `targets` by name, and the code of that mapping.

    Of a target that is a mapping, the names are those of its models.
    """
    models: dict[str, Any] = {}
    codes = []
    for target in targets:
        named = target.value if isinstance(target.value, Mapping) else {target.name: target.value}
        if twice := [name for name in named if name in models]:
            raise UnknownTarget(f"models must have different names; got {twice[0]!r} twice")
        models |= named
        is_mapping = isinstance(target.value, Mapping)
        codes.append(f"**{target.code}" if is_mapping else f"{target.name!r}: {target.code}")
    return models, "{" + ", ".join(codes) + "}"


def _imported(name: str) -> Any:
    if (here := str(Path.cwd())) not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            where = f"in {here} and among the installed packages"
            raise UnknownTarget(f"there is no module {error.name} {where}") from None
        raise _broken(name, error) from error
    except (Exception, SystemExit) as error:  # a script may end itself
        raise _broken(name, error) from error


def _broken(name: str, error: BaseException) -> BrokenModule:
    """The error of a module in one line, with the place of it that is nearest to the module."""
    if isinstance(error, SyntaxError):
        place, text = f"{Path(error.filename or name).name}, line {error.lineno}", error.msg
    else:
        frames = traceback.extract_tb(error.__traceback__)
        nearest = [f for f in frames if Path(f.filename).is_relative_to(Path.cwd())] or frames
        place, text = f"{Path(nearest[-1].filename).name}, line {nearest[-1].lineno}", str(error)
    kind = type(error).__name__
    return BrokenModule(f"{name} cannot be imported: {kind}: {text} ({place})")
