"""Whether modules in memory are as a fresh Python loads them.

A user may put another function, class or constant into a module or class, of this package or of an
installed one, in any way: by assignment, with a mock, by writing into a function. What then runs is
not what the files say. So a fresh Python loads the same modules, and what they hold there is stored
as a reference: hashes of all functions, classes and constants.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import json
import operator
import os
import subprocess
import sys
import types
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from repro import _files, _folders
from repro.kernels import sources
from repro.kernels.sources import Unidentified
from repro.studies import installed
from repro.studies.namespace import (
    MODULE,
    THING,
    Names,
    constants_in,
    digest_of,
    made_of,
    names_in,
    parts_of,
)

__all__ = ["check_replaced", "main"]

SECONDS = 120.0  # that a fresh Python may take
VARIES = ""  # in place of the hash of what differs between two fresh Pythons
# A fresh Python imports what it is asked to; a package may exist in a running program only.
IMPORTED = """
for name in q["before"]:
    try:
        __import__(name)
    except Exception:
        pass
"""
# Settings by which modules differ between two processes.
SETTINGS = "NUMBA_", "REPRO_PLAIN_NUMBA"


def check_replaced(modules: Iterable[str], tops: Iterable[str] = ()) -> None:
    """Raise `Unidentified` if something was replaced in memory.

    Parameters
    ----------
    modules : of this package, by their names inside it.
    tops : top-level names of installed packages, of which all loaded modules are looked at.
    """
    packages = {*tops}
    names = [f"repro.{name}".rstrip(".") for name in modules]
    names += [name for name in list(sys.modules) if name.partition(".")[0] in packages]
    loaded = {name: sys.modules[name] for name in names if sys.modules.get(name) is not None}
    changed = {n: m for n, m in loaded.items() if n not in _checked or not _checked[n].is_same(m)}
    if changed:
        _check(changed)
        _checked.update({name: Glance(module) for name, module in changed.items()})


class Glance:
    """What is where in a module: tells in a moment whether anything was put elsewhere.

    It sees what `names_in` sees: things by their identity, functions by what they are made of.
    """

    def __init__(self, module: types.ModuleType) -> None:
        # Things are kept: a new one could have the address of one that is gone.
        self.module = module
        self.spaces: list[tuple[Mapping[str, Any], list[str], list[Any]]] = []
        self.classes: list[tuple[type, tuple[type, ...]]] = []
        self.made: list[tuple[Any, tuple[Any, ...]]] = []
        self.constants = self._constants()
        waiting: list[Mapping[str, Any]] = [vars(module)]
        seen: set[int] = set()
        for space in waiting:
            values = [*space.values()]
            self.spaces.append((space, [*space], values))
            for value in values:
                if isinstance(value, type):
                    if value.__module__ == module.__name__ and id(value) not in seen:
                        seen.add(id(value))
                        self.classes.append((value, value.__mro__))
                        waiting.append(vars(value))  # its names are looked at as well
                elif not (space is waiting[0] and _is_foreign(value, module)):
                    self.made += made_of(value, seen)

    def is_same(self, module: types.ModuleType) -> bool:
        """Whether each name still stands for the same thing, and each function for its code."""
        return (
            module is self.module
            and all(names == [*space] for space, names, _ in self.spaces)
            and all(_are(values, space.values()) for space, _, values in self.spaces)
            and all(kind.__mro__ is parents for kind, parents in self.classes)
            and all(_are(parts, parts_of(thing)) for thing, parts in self.made)
            and self.constants == self._constants()
        )

    def _constants(self) -> Names:
        """The tables of this package, which may be filled in place."""
        is_ours = self.module.__name__.partition(".")[0] == "repro"
        return constants_in(self.module) if is_ours else {}


def _are(things: Collection[Any], others: Collection[Any]) -> bool:
    """Whether each of the `things` is the one of `others` at its place."""
    return len(things) == len(others) and all(map(operator.is_, things, others))


def _is_foreign(value: Any, module: types.ModuleType) -> bool:
    """Whether it is a function of another module, where it is looked at."""
    return type(value) is types.FunctionType and value.__module__ != module.__name__


_checked: dict[str, Glance] = {}  # modules that were as a fresh Python loads them


def _check(loaded: Mapping[str, types.ModuleType]) -> None:
    fresh = _reference([*loaded])
    things = []
    for module in loaded:
        there = fresh[module]
        here = names_in(loaded[module]) if there else there
        is_lazy = "__getattr__" in vars(loaded[module])
        for name, digest in there.items():
            may_come = is_lazy or digest.startswith(MODULE)
            if digest in (VARIES, here.get(name)) or (may_come and name not in here):
                continue
            if not (digest.startswith(THING) and here.get(name, "").startswith(THING)):
                raise Unidentified(f"{module}.{name} was replaced")
            things.append((module, name, here[name]))
        for name in here.keys() - there.keys():
            hides = module != "builtins" and hasattr(builtins, name)  # such as another `sum`
            if hides or "." in name:  # or one more method
                raise Unidentified(f"{module}.{name} was added")
    if things:  # their classes may depend on which packages were imported before
        fresh = _reference([*{module for module, *_ in things}], _packages())
        for module, name, digest in things:
            if fresh[module].get(name) not in (VARIES, digest):
                raise Unidentified(f"{module}.{name} was replaced")


def _packages() -> list[str]:
    """The installed packages that are loaded here, in the order in which they were imported."""
    tops = [name for name in list(sys.modules) if "." not in name]
    return [name for name in tops if installed.is_installed(name)]


def _reference(modules: list[str], before: Collection[str] = ()) -> dict[str, Names]:
    """The `names_in` at least the `modules` in a fresh Python, which is asked once.

    It imports the packages `before` first.
    """
    key = digest_of((_surroundings(), *before))
    path = _folders.cache() / "fresh" / f"{key}.json"
    names = _known.get(path, {})
    if not names.keys() >= {*modules}:
        names = _known[path] = names | _read(path)
    if missing := [name for name in modules if name not in names]:
        names = _known[path] = names | _asked(missing, before)
        body = json.dumps(names, sort_keys=True)
        with suppress(OSError):  # without a folder to write to, every process asks
            _files.write(path, f"{digest_of(body)}\n{body}".encode())
    return names


def _read(path: Path) -> dict[str, Names]:
    if not path.is_file():
        return {}
    digest, _, body = path.read_text(encoding="utf-8", errors="replace").partition("\n")
    return dict(json.loads(body)) if digest == digest_of(body) else {}


_known: dict[Path, dict[str, Names]] = {}  # what was read or asked in this process, by file


def _surroundings() -> str:
    """Hash of all that decides what a fresh Python loads."""
    code = [(name, hashlib.sha1(s).hexdigest()) for name, s in sorted(sources.imported().items())]
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith(SETTINGS))
    return digest_of((installed.environment(), str(sources.PACKAGE), code, settings))


def _asked(modules: list[str], before: Collection[str]) -> dict[str, Names]:
    """What two fresh Pythons say of the `modules`; of one that they cannot load, nothing.

    What differs between them, such as a default that has the number of the process, cannot be
    compared: that it was replaced is not seen.
    """
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(_said, [modules] * 2, [before] * 2)
    return {
        module: {n: h if other[module].get(n) == h else VARIES for n, h in one[module].items()}
        for module in modules
    }


def _said(modules: list[str], before: Collection[str]) -> dict[str, Names]:
    """What a fresh Python says of the `modules` if it imports the packages `before` first."""
    question = json.dumps({"path": sys.path, "modules": modules, "before": [*before]})
    code = "import sys, json; q = json.load(sys.stdin); sys.path[:] = q['path']; " + IMPORTED
    code += "from repro.studies import memory; memory.main(q['modules'])"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=question,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        said = json.loads(done.stdout.splitlines()[-1])
    except (OSError, ValueError, IndexError, subprocess.SubprocessError) as error:
        raise Unidentified(f"a fresh Python cannot be asked ({type(error).__name__})") from None
    if said["surroundings"] != _surroundings():
        raise Unidentified("this package or another was edited since Python started")
    return dict(said["names"])


def main(modules: list[str]) -> None:
    """Print the `names_in` the `modules`, as a fresh Python loads them."""
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:  # a module that only a running program makes
            continue
    loaded = {name: sys.modules[name] for name in modules if name in sys.modules}
    names = {name: names_in(loaded[name]) if name in loaded else {} for name in modules}
    print(json.dumps({"surroundings": _surroundings(), "names": names}))
