"""The reference: one page for each package of public names, filled from the docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Mapping
from types import ModuleType

import repro

__all__ = ["reference_pages"]

INDEX = """\
Reference
=========

Every public name with its definition: a formula, the shape of each array, the errors, an example.
The definitions are the docstrings of the code, and ``[source]`` shows the code itself.

.. toctree::
   :maxdepth: 1

"""


def reference_pages() -> dict[str, str]:
    """The text of each page, by file name: ``reference/index.rst``, ``reference/metrics.rst``, ..."""
    names = ["repro", *(f"repro.{name}" for name in _packages())]
    pages = {f"reference/{name.removeprefix('repro.')}.rst": _page(name) for name in names}
    entries = [f"   {name} <{name.removeprefix('repro.')}>\n" for name in names]
    return pages | {"reference/index.rst": INDEX + "".join(entries)}


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
    members = {n: getattr(module, n) for n in sorted(_names(module), key=_order)}
    parts = [f"{name}\n{'=' * len(name)}\n", f".. automodule:: {name}\n   :no-members:\n"]
    parts += [", ".join(f"`{n} <{name}.{n}>`" for n in members) + "\n"] * (len(members) > 3)
    return "\n".join(parts + [_entry(f"{name}.{n}", value) for n, value in members.items()])


def _names(module: ModuleType) -> set[str]:
    """The names that `module` exports, without modules and what `repro` has from its packages."""
    if module is not repro:
        return {n for n in module.__all__ if not inspect.ismodule(getattr(module, n))}
    in_packages = {n for name in _packages() for n in getattr(repro, name).__all__}
    return set(_exported()) - set(_packages()) - in_packages


def _order(name: str) -> tuple[bool, str]:
    """Classes first, then functions, each by name."""
    return (not name[0].isupper(), name.lower())


def _entry(name: str, value: object) -> str:
    """The directive that describes a public name."""
    if inspect.isclass(value):
        return f".. autoclass:: {name}\n   :members:"
    if callable(value):
        return f".. autofunction:: {name}\n"
    keys = f" By name: {', '.join(map(str, value))}." if isinstance(value, Mapping) else ""
    return f".. py:data:: {name}\n\n   {_comment(name)}{keys}\n"


def _comment(name: str) -> str:
    """What the comment ``#:`` above the definition of a constant says."""
    package, _, constant = name.rpartition(".")
    folder = importlib.resources.files(package)
    for file in sorted(folder.iterdir(), key=str):
        if file.name.endswith(".py"):
            found = re.search(rf"((?:^#: .*\n)+){constant}\b", file.read_text("utf-8"), re.MULTILINE)
            if found:
                return " ".join(line.removeprefix("#: ") for line in found[1].splitlines())
    return ""
