"""Which modules of the library a program uses.

Of a namespace, such as ``learners`` in a notebook, only the attributes count that the code takes
from it. All of it counts where the code does something else with it: passes it on, gives it another
name, or takes an attribute whose name is a value.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from repro.runner.program import Program
from repro.studies.code import Code, names_in_texts

__all__ = ["reached"]


def reached(program: Program, code: Code) -> tuple[str, ...]:
    """The modules of `code` that run when `program` does, sorted."""
    names = Names(code, defaultdict(set))
    whole = names.whole("") if "repro" in program.other else ()
    return code.reached({*whole, *_roots(program.trees, names)})


def _roots(trees: Iterable[ast.Module], names: Names) -> Iterator[str]:
    """The modules that the code of the `trees` takes something from."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    for node in nodes:
        yield from names.bind(node)
    for tree in trees:
        yield from names.code.homes(names_in_texts(tree))
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if id(node) not in inner:
            yield from names.used(node)


class Names(NamedTuple):
    """The names that a program gives to modules of this package."""

    code: Code
    modules: defaultdict[str, set[str]]  #: by the name that they have in the program

    def bind(self, node: ast.AST) -> Iterator[str]:
        """Note the namespaces that a statement imports; gives the modules behind the rest."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                top, _, inside = alias.name.partition(".")
                if top == "repro":
                    self.modules[alias.asname or top].add(inside if alias.asname else "")
                    yield from self._single(inside)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "repro":
            for alias in node.names:
                yield from self._take((node.module or "").partition(".")[2], alias)

    def _take(self, module: str, alias: ast.alias) -> Iterator[str]:
        inside = f"{module}.{alias.name}".strip(".")
        if inside in self.code.sources:
            self.modules[alias.asname or alias.name].add(inside)
            yield from self._single(inside)
        elif alias.name == "*":
            yield from self.whole(module)
        else:
            yield self._home(module, alias.name)

    def _single(self, module: str) -> Iterator[str]:
        """`module` if it is not a package: it runs where it is imported."""
        if module and not self.code.is_package(module):
            yield module

    def used(self, node: ast.AST) -> Iterator[str]:
        """The modules that an expression takes something from, if it begins with a known name."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            for module in self.modules.get(node.id, ()):
                yield from self._end(module, attributes)

    def whole(self, module: str) -> Iterator[str]:
        """`module`, and where it is a package that loads names at first use, their modules."""
        yield module
        for home in self.code.homes(self.code.lazy.get(module, ())):
            yield from self.whole(home)

    def _end(self, module: str, attributes: list[str]) -> Iterator[str]:
        """The module in which an attribute of `module` is defined; the whole without attributes."""
        for name in attributes:
            inside = f"{module}.{name}".strip(".")
            if inside not in self.code.sources:
                yield self._home(module, name)
                return
            module = inside
        yield from self.whole(module)

    def _home(self, module: str, name: str) -> str:
        return next(self.code.homes([(f"repro.{module}".rstrip("."), name)]))
