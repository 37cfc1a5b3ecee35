"""Keys of a cache for code: the sources of this package, and the versions of other packages.

The sources are read when the package is first imported, before any other module of it. As long as
the files stay the same, the code in memory is theirs. After an edit it is unknown which modules in
memory are old, so nothing is cached until Python starts again.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

from repro.kernels.installed import distribution

__all__ = [
    "Unidentified",
    "check_not_replaced",
    "check_unchanged",
    "closure",
    "code",
    "imported",
    "modules_of_yours",
    "origin",
    "read",
    "versions",
]

PACKAGE = Path(__file__).parents[1]
INSTALLED = {"site-packages", "dist-packages"}
BUILT_IN = {*sys.builtin_module_names, "_frozen_importlib", "_frozen_importlib_external"}


class Unidentified(Exception):
    """The code behind a result is unknown; the message tells the user why."""


def _stamps(folder: str | Path, inside: str = "") -> dict[str, tuple[int, int]]:
    """Modification time and size of every source below `folder`, by relative path."""
    found: dict[str, tuple[int, int]] = {}  # not by `Path.rglob`, which takes six times as long
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        name = f"{inside}{entry.name}"
        if entry.is_dir():
            found |= _stamps(entry.path, f"{name}/")
        elif name.endswith(".py"):
            state = entry.stat()
            found[name] = state.st_mtime_ns, state.st_size
    return found


def read(folder: Path) -> dict[str, bytes]:
    """The content of every source below `folder`, by the module's name inside the package."""
    return {_module(name): (folder / name).read_bytes() for name in _stamps(folder)}


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".").removesuffix("__init__").removesuffix(".")


_STAMPS, _SOURCES = _stamps(PACKAGE), read(PACKAGE)


def imported() -> dict[str, bytes]:
    """The sources of this package as they were when it was imported, by the module's name."""
    return _SOURCES


def check_unchanged() -> None:
    """Raise `Unidentified` if a source of this package was edited since it was imported."""
    stamps = _stamps(PACKAGE)
    if stamps == _STAMPS:
        return
    now = read(PACKAGE)
    if changed := sorted(n for n in now.keys() | _SOURCES if now.get(n) != _SOURCES.get(n)):
        raise Unidentified(f"repro.{changed[0]} was edited since Python started; start it again")
    _STAMPS.clear()  # touched, with the same content
    _STAMPS.update(stamps)


def check_not_replaced(module: str) -> None:
    """Raise `Unidentified` if a name that ``repro.<module>`` uses was replaced in this package.

    A user may put another function, class or constant into one of its modules or classes.
    """
    for name in closure(module, _SOURCES):
        loaded = sys.modules.get(f"repro.{name}")
        constants = _constants(_SOURCES[name])
        for attribute, value in list(vars(loaded).items()) if loaded else ():
            inside = vars(value).values() if _is_defined_in(value, loaded) else ()
            is_other = attribute in constants and repr(value) != repr(constants[attribute])
            if is_other or _is_yours(value) or any(map(_is_yours, inside)):
                raise Unidentified(f"repro.{name}.{attribute} was replaced")


def _is_defined_in(thing: Any, module: Any) -> bool:
    return isinstance(thing, type) and thing.__module__ == module.__name__


def _is_yours(thing: Any) -> bool:
    if not isinstance(thing, FunctionType | MethodType | type):
        return False
    if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith("<"):
        return False  # made by dataclasses and the like
    return isinstance(thing.__module__, str) and origin(thing.__module__) is None


@cache
def _constants(source: bytes) -> dict[str, Any]:
    """The module-level names that `source` assigns a number or a text, and their values."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    return {
        node.targets[0].id: node.value.value
        for node in nodes
        if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)
    }


@cache
def code(module: str) -> str:
    """Hash of the source of ``repro.<module>`` and of every module of this package it imports."""
    digest = hashlib.sha256()
    for name in closure(module, _SOURCES):
        digest.update(f"{name}\0{len(_SOURCES[name])}\0".encode() + _SOURCES[name])
    return digest.hexdigest()


def closure(module: str, sources: dict[str, bytes]) -> list[str]:
    """The modules in `sources` that run when `module` is imported and used, sorted by name.

    Imports inside functions count, and so does the package that contains a module.
    """
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in sources and name not in found and (name or not module):
            found.add(name)
            ours = (n for n in _imports(sources[name]) if n.startswith("repro."))
            waiting += [name.rpartition(".")[0], *(n.removeprefix("repro.") for n in ours)]
    return sorted(found)


@cache
def _imports(source: bytes) -> frozenset[str]:
    """Full names of the modules that `source` imports, and of what it imports from them."""
    names: set[str] = set()
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def _statements(block: Any) -> Iterator[Any]:
    """Every statement in `block`, without what is inside expressions: a quarter of `ast.walk`."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(block, part, ()):
            yield statement
            yield from _statements(statement)


@cache
def versions(module: str) -> tuple[str, ...]:
    """The versions of Python and of every other package that ``repro.<module>`` depends on."""
    found = (n for name in closure(module, _SOURCES) for n in _imports(_SOURCES[name]))
    names = {name.partition(".")[0] for name in found}
    outside = sorted(names - sys.stdlib_module_names - {"repro"})
    return (sys.version, *(" ".join(distribution(name) or (name,)) for name in outside))


def origin(module: str) -> tuple[str, ...] | None:
    """Where the code of `module` comes from: this package, Python, or an installed package.

    A module of this package brings the versions of the packages that it computes with.

    None for code of yours, which may be edited at any time: a notebook, a script, a file in a
    folder of your own, an editable installation.
    """
    if module.partition(".")[0] == "repro":
        inside = module.partition(".")[2]
        return ("repro", code(inside), *versions(inside)) if inside in _SOURCES else None
    loaded = sys.modules.get(module)
    if loaded is None or module == "__main__":
        return None
    file = getattr(loaded, "__file__", None) or _extension_around(module)
    if file is None:
        return ("python",) if module in BUILT_IN else None
    return _origin_of_file(module.partition(".")[0], str(file))


def _extension_around(module: str) -> str | None:
    """The file of the compiled module that made `module` as a part of itself; None if none did."""
    outer = sys.modules.get(module.rpartition(".")[0])
    file = getattr(outer, "__file__", None)
    return file if file is not None and file.endswith(tuple(EXTENSION_SUFFIXES)) else None


@cache
def _origin_of_file(top: str, file: str) -> tuple[str, ...] | None:
    path = Path(file).resolve()
    if INSTALLED & set(path.parts):
        return distribution(top)
    standard_library = Path(sysconfig.get_path("stdlib")).resolve()
    return ("python",) if path.is_relative_to(standard_library) else None


def modules_of_yours() -> list[ModuleType]:
    """The modules in memory that no installed package holds, except the notebook or script."""
    loaded = [(name, thing) for name, thing in list(sys.modules.items()) if name != "__main__"]
    modules = [m for name, m in loaded if isinstance(m, ModuleType) and m.__name__ == name]
    return [module for module in modules if origin(module.__name__) is None]
