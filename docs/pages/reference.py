"""The reference: one page for each package of public names, filled from the docstrings."""

from __future__ import annotations

import ast
import importlib
import importlib.resources
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType

import repro

__all__ = ["reference_pages"]

INDEX = """\
Reference
=========

Every public name with its definition: a formula, the shape of each array, the errors, an example.
The definitions are the docstrings of the code, and ``[source]`` shows the code itself.

.. toctree::
   :hidden:

"""


def reference_pages() -> dict[str, str]:
    """The text of each page, by file name: ``reference/index.rst`` and one for each package."""
    names = ["repro", *(f"repro.{name}" for name in _packages())]
    pages = {f"reference/{name.removeprefix('repro.')}.rst": _page(name) for name in names}
    short = {name: name.removeprefix("repro.") for name in names}
    menu = [f"   {name} <{page}>\n" for name, page in short.items()]
    lines = [f":doc:`{name} <{page}>`\n   {_first_line(name)}\n" for name, page in short.items()]
    return pages | {"reference/index.rst": "\n".join([INDEX + "".join(menu), *lines])}


def _first_line(name: str) -> str:
    """What the docstring of a module says first."""
    paragraph = (inspect.getdoc(importlib.import_module(name)) or "").partition("\n\n")[0]
    return " ".join(paragraph.split())


def _packages() -> list[str]:
    """The packages and modules that `repro` exports."""
    return [name for name in sorted(_exported()) if inspect.ismodule(getattr(repro, name))]


def _exported() -> list[str]:
    """What the stub of `repro` imports: its public names."""
    source = importlib.resources.files("repro").joinpath("__init__.pyi").read_text("utf-8")
    imports = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    return [alias.asname or alias.name for node in imports for alias in node.names]


def _page(name: str) -> str:
    """A page: what the package is for, a list of its names, then each with its docstring."""
    module = importlib.import_module(name)
    names = _names(module)
    parts = [f"{name}\n{'=' * len(name)}\n", f".. automodule:: {name}\n   :no-members:\n"]
    files = _by_file(module, names)
    for file, members in files.items():
        if len(files) > 1:
            parts.append(_heading(file))
        parts += [_entry(f"{name}.{n}", getattr(module, n)) for n in members]
    return "\n".join(parts)


def _by_file(module: ModuleType, names: Iterable[str]) -> dict[str, list[str]]:
    """The names by the module that defines them, each in the order of its source."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(_home(module, name), []).append(name)
    return {file: sorted(found[file], key=_source_order(file)) for file in sorted(found)}


def _home(module: ModuleType, name: str) -> str:
    """The module that defines a name; for a constant, the one whose source assigns it."""
    home = getattr(getattr(module, name), "__module__", None)
    if home and home.startswith("repro"):
        return str(home)
    return next((file for file, text in _sources(module) if _assigned(text, name)), module.__name__)


def _source_order(file: str) -> Callable[[str], int]:
    defined = list(vars(importlib.import_module(file)))
    return lambda name: defined.index(name) if name in defined else len(defined)


def _heading(file: str) -> str:
    """The title of a file of a package, and what its docstring says first."""
    title = file.rpartition(".")[2].strip("_").replace("_", " ").capitalize()
    text = inspect.getdoc(importlib.import_module(file)) or ""
    return f"{title}\n{'-' * len(title)}\n\n{text.partition(chr(10) * 2)[0]}\n"


def _names(module: ModuleType) -> set[str]:
    """The names that `module` exports, without modules and what `repro` has from its packages."""
    if module is not repro:
        return {n for n in module.__all__ if not inspect.ismodule(getattr(module, n))}
    in_packages = {n for name in _packages() for n in getattr(repro, name).__all__}
    return set(_exported()) - set(_packages()) - in_packages


def _entry(name: str, value: object) -> str:
    """The directive that describes a public name."""
    if inspect.isclass(value):
        return f".. autoclass:: {name}\n   :members:\n"
    if callable(value):
        return f".. autofunction:: {name}\n"
    keys = f" By name: {', '.join(map(str, value))}." if isinstance(value, Mapping) else ""
    return f".. py:data:: {name}\n\n   {_comment(name)}{keys}\n"


def _comment(name: str) -> str:
    """What the comment ``#:`` above the definition of a constant says."""
    package, _, constant = name.rpartition(".")
    for _, text in _sources(importlib.import_module(package)):
        if found := _assigned(text, constant):
            return " ".join(line.removeprefix("#: ") for line in found[1].splitlines())
    return ""


def _assigned(text: str, name: str) -> re.Match[str] | None:
    """Where a source assigns a constant, with the comment ``#:`` above it as group 1."""
    return re.search(rf"((?:^#:.*\n)*)^{name}\b.*=", text, re.MULTILINE)


def _sources(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The modules of a package with their sources."""
    for file in sorted(importlib.resources.files(module).iterdir(), key=str):
        if file.name.endswith(".py") and file.name != "__init__.py":
            yield f"{module.__name__}.{file.name[:-3]}", file.read_text("utf-8")
