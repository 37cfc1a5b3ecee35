"""The code of this package and of others as keys of a cache: which source, which version.

The sources of the package are read when it is first imported, before any other module of it. As
long as the files are the same, what runs is what they say. After an edit nobody can tell which of
the modules in memory are old, so nothing is cached until Python starts again.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

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
    """The code behind a result cannot be told; the message says why, for a user to read."""


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Time of change and size of every source below `folder`, by relative path."""
    found = sorted(folder.rglob("*.py"))
    states = ((path.relative_to(folder).as_posix(), path.stat()) for path in found)
    return {name: (state.st_mtime_ns, state.st_size) for name, state in states}


def read(folder: Path) -> dict[str, bytes]:
    """Every source below `folder`, by the name of its module inside the package."""
    return {_module(name): (folder / name).read_bytes() for name in _stamps(folder)}


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".").removesuffix("__init__").removesuffix(".")


_STAMPS, _SOURCES = _stamps(PACKAGE), read(PACKAGE)


def imported() -> dict[str, bytes]:
    """Every source of this package when it was imported, by the name of its module."""
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
    """Raise `Unidentified` if a function, class or constant in use by ``repro.<module>`` is yours.

    Somebody may have put another one into a module or a class of this package, to try something.
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
    """The names that `source` gives a number or a text, once and for all."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    return {
        node.targets[0].id: node.value.value
        for node in nodes
        if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)
    }


@cache
def code(module: str) -> str:
    """Hash of the source of ``repro.<module>`` and of all of the package that it imports."""
    digest = hashlib.sha256()
    for name in closure(module, _SOURCES):
        digest.update(f"{name}\0{len(_SOURCES[name])}\0".encode() + _SOURCES[name])
    return digest.hexdigest()


def closure(module: str, sources: dict[str, bytes]) -> list[str]:
    """The modules in `sources` that run when `module` is imported and used, sorted by name.

    Imports inside functions count, and so does the package that a module stands in.
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
    """The modules that `source` imports, and what it imports from them, by full names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


@cache
def versions(module: str) -> tuple[str, ...]:
    """Python, and every package that ``repro.<module>`` and what it imports of ours take in."""
    found = (n for name in closure(module, _SOURCES) for n in _imports(_SOURCES[name]))
    names = {name.partition(".")[0] for name in found}
    outside = sorted(names - sys.stdlib_module_names - {"repro"})
    return (sys.version, *(" ".join(_distribution(name) or (name,)) for name in outside))


def origin(module: str) -> tuple[str, ...] | None:
    """Where the code of `module` comes from: this package, Python, or an installed package.

    None for code of yours: a notebook, a script, a file in a folder of your own, a package that is
    installed as editable. It may be edited at any time.
    """
    if module.partition(".")[0] == "repro":
        inside = module.partition(".")[2]
        return ("repro", code(inside)) if inside in _SOURCES else None
    loaded = sys.modules.get(module)
    if loaded is None or module == "__main__":
        return None
    file = getattr(loaded, "__file__", None)
    if file is None:
        return ("python",) if module in BUILT_IN else None
    return _origin_of_file(module.partition(".")[0], str(file))


@cache
def _origin_of_file(top: str, file: str) -> tuple[str, ...] | None:
    path = Path(file).resolve()
    if INSTALLED & set(path.parts):
        return _distribution(top)
    standard_library = Path(sysconfig.get_path("stdlib")).resolve()
    return ("python",) if path.is_relative_to(standard_library) else None


def modules_of_yours() -> list[ModuleType]:
    """The modules in memory that are of no installed package, but for the notebook or script."""
    loaded = [(name, thing) for name, thing in list(sys.modules.items()) if name != "__main__"]
    modules = [m for name, m in loaded if isinstance(m, ModuleType) and m.__name__ == name]
    return [module for module in modules if origin(module.__name__) is None]


@cache
def _distribution(top: str) -> tuple[str, ...] | None:
    """Name and version of the installed package of the module `top`, and a hash of its files.

    The list of an installed package's files holds their checksums: an installation of other code
    under the same version is told apart. None for a file that is of no package.
    """
    from importlib import metadata  # here: it takes longer than the rest of `import repro`

    try:
        found = metadata.distribution(top)
    except metadata.PackageNotFoundError:
        names = metadata.packages_distributions().get(top, [])
        if not names:
            return None
        found = metadata.distribution(names[0])
    files = found.read_text("RECORD") or ""
    return found.name, found.version, hashlib.sha256(files.encode()).hexdigest()
