"""What a function's bytecode shows of it: names it uses, modules it imports, files it may read."""

from __future__ import annotations

import builtins
import dis
import importlib
import importlib.util
import types
from collections.abc import Iterator

from repro.kernels.sources import Unidentified

__all__ = ["check_reads", "global_names", "imported_modules"]

# Code that uses one of these may depend on more than a hash of it covers.
READS = {"open", "eval", "exec", "globals", "__import__", "import_module", "environ", "getenv"}
READS |= {"read_csv", "read_parquet", "read_pickle", "read_text", "read_bytes", "fromfile"}
READS |= {"loadtxt", "genfromtxt", "memmap", "urlopen"}


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """`code`, and the code of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def global_names(code: types.CodeType) -> set[str]:
    """The global names that `code` looks up."""
    found = (i for each in _codes(code) for i in dis.get_instructions(each))
    return {i.argval for i in found if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _imports(code: types.CodeType) -> set[tuple[int, str]]:
    """Level (0 for an absolute import) and name of the modules that `code` imports."""
    found = set()
    for each in _codes(code):
        steps = list(dis.get_instructions(each))
        for i, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":
                levels = [s.argval for s in steps[max(i - 2, 0) : i] if isinstance(s.argval, int)]
                found.add((levels[0] if levels else 0, step.argval))
    return found


def imported_modules(function: types.FunctionType) -> list[types.ModuleType]:
    """The modules that `function` imports when it runs, sorted by level and name."""
    return [_imported(level, name, function) for level, name in sorted(_imports(function.__code__))]


def _imported(level: int, name: str, function: types.FunctionType) -> types.ModuleType:
    try:
        package = function.__globals__.get("__package__") or None
        return importlib.import_module(importlib.util.resolve_name("." * level + name, package))
    except ImportError as error:
        raise Unidentified(f"{function.__qualname__} imports {name!r}: {error}") from None


def check_reads(function: types.FunctionType) -> None:
    """Raise `Unidentified` if `function` reads files, variables or code that may change."""
    code, used = function.__code__, global_names(function.__code__)
    attributes = {name for each in _codes(code) for name in each.co_names} - used
    free = {name for name in used if name in vars(builtins) and name not in function.__globals__}
    if named := sorted((attributes | free) & READS):
        raise Unidentified(f"{function.__qualname__} uses {named[0]!r}, whose result may change")
