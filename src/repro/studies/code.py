"""What code of this package a result reaches, as modules, and a hash of what that code does.

A module reaches what it imports, also inside functions. It does not reach the rest of a wing: the
``__init__`` of a package imports names for users, and no module takes a name from one. Comments,
docstrings, annotations and the lists of public names decide no number, so they do not count.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from repro.kernels import sources

__all__ = ["Code", "Meaning", "loaded", "names_in_texts", "of_source"]

# Annotations in a class body that decide what a dataclass makes of a field.
KINDS_OF_FIELDS = "ClassVar", "InitVar", "KW_ONLY"


class Meaning(NamedTuple):
    """What one source does."""

    digest: str  #: of the code without what decides no number
    imports: frozenset[tuple[str, str]]  #: full name of a module, and a name taken from it or ""
    named: frozenset[tuple[str, str]]  #: the same, where a text names the module


@cache
def of_source(source: bytes) -> Meaning:
    """What `source` does."""
    tree = _parsed(source)
    _strip(tree)
    return Meaning(_digest(tree), frozenset(_imports(tree)), frozenset(names_in_texts(tree)))


@cache
def of_package(source: bytes) -> str:
    """Hash of what the ``__init__`` of a package does beside imports of names; "" for nothing."""
    tree = _parsed(source)
    _strip(tree)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    tree.body = [node for node in tree.body if not _is_lazy(node)]
    return _digest(tree) if tree.body else ""


class Code(NamedTuple):
    """The sources of this package, by the module's name inside it ("" is the package itself)."""

    sources: Mapping[str, bytes]
    meaning: Callable[[bytes], Meaning] = of_source
    #: by package, what it imports at the first use of a name
    lazy: Mapping[str, frozenset[tuple[str, str]]] = MappingProxyType({})

    def reached(self, roots: Iterable[str]) -> tuple[str, ...]:
        """The modules that run when the modules `roots` are used, sorted; see above."""
        modules: set[str] = set()
        waiting = list(roots)
        while waiting:
            module = waiting.pop()
            if module in self.sources and module not in modules:
                modules.add(module)
                waiting += self.homes(self.meaning(self.sources[module]).imports)
        return tuple(sorted(modules))

    def homes(self, imports: Iterable[tuple[str, str]]) -> Iterator[str]:
        """The modules of this package in which the imported names are defined."""
        for full, name in imports:
            if full.partition(".")[0] == "repro":
                yield self._home(full.partition(".")[2], name)

    def _home(self, module: str, name: str) -> str:
        inside = f"{module}.{name}".strip(".")
        if not name or inside in self.sources:
            return inside
        # A package takes the name from a module of its own.
        taken = self.meaning(self.sources.get(module, b"")).imports
        taken |= self.lazy.get(module, frozenset())
        origins = [full for full, what in taken if what == name and full.startswith("repro.")]
        return self._home(origins[0][6:], name) if origins and self.is_package(module) else module

    def is_package(self, module: str) -> bool:
        """Whether `module` holds modules of its own."""
        return any(other.startswith(f"{module}.".lstrip(".")) for other in self.sources)

    def digest(self, modules: Iterable[str]) -> str:
        """Hash of what the `modules` do, and of what the packages around them do beside imports."""
        digest = hashlib.sha256()
        for name in modules:
            digest.update(f"{name} {self.meaning(self.sources[name]).digest}\n".encode())
            for package in _around(name):
                digest.update(of_package(self.sources.get(package, b"")).encode())
        return digest.hexdigest()

    def outside(self, modules: Iterable[str]) -> frozenset[str]:
        """The top-level names of all other packages that the `modules` import."""
        imports = (pair for name in modules for pair in self.meaning(self.sources[name]).imports)
        return frozenset(full.partition(".")[0] for full, _ in imports) - {"repro"}


def loaded() -> Code:
    """The code of this package as it was imported."""
    return Code(sources.imported())


def names_in_texts(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Modules of this package that texts name, as in ``import_module("repro.figures").theme``."""
    taken: dict[int, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Call(args=[ast.Constant() as text, *_]), attr=name):
                taken[id(text)] = name
            case ast.Constant(value=str(text)) if re.fullmatch(r"repro(\.\w+)+", text):
                yield text, taken.get(id(node), "")


def _parsed(source: bytes) -> ast.Module:
    """The tree of `source`; where it is no Python, a statement that holds it as it is."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([ast.Return(ast.Constant(source))], [])


def _around(module: str) -> Iterator[str]:
    """The packages that contain `module`, from the nearest to the outermost, which is ""."""
    while module:
        module = module.rpartition(".")[0]
        yield module


def _digest(tree: ast.AST) -> str:
    return hashlib.sha256(_dump(tree).encode()).hexdigest()


def _dump(part: object) -> str:
    """`part` of a tree as a text, the same in every version of Python; `ast.dump` is not."""
    if isinstance(part, ast.AST):
        fields = ((name, getattr(part, name, None)) for name in part._fields if name != "ctx")
        filled = (f"{name}={_dump(value)}" for name, value in fields if value not in (None, []))
        return f"{type(part).__name__}({','.join(filled)})"
    return f"[{','.join(map(_dump, part))}]" if isinstance(part, list) else repr(part)


def _is_lazy(node: ast.stmt) -> bool:
    """Whether a statement lets names be imported at their first use."""
    return isinstance(node, ast.Assign) and "attach_stub" in ast.unparse(node.value)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def _strip(tree: ast.AST) -> None:
    """Remove from `tree` what decides no number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.JoinedStr):  # Python 3.12 adds empty texts
            node.values = [v for v in node.values if getattr(v, "value", v) != ""]
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Name(_kind_of_field(node.annotation))
        for part in ("body", "orelse", "finalbody"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                setattr(node, part, [kept for kept in block if not _is_idle(kept)])


def _is_idle(node: Any) -> bool:
    """Whether a statement decides no number: a text, imports for types, a list of public names."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case (
            ast.AnnAssign(target=ast.Name(id="__all__"))
            | ast.AugAssign(target=ast.Name(id="__all__"))
        ):
            return True
    return False


def _kind_of_field(annotation: ast.expr) -> str:
    text = ast.unparse(annotation)
    return "".join(kind for kind in KINDS_OF_FIELDS if kind in text)
