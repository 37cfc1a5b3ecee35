"""Parameters of notebooks: what a notebook declares, what a profile sets, what is allowed.

A notebook declares them in its code cell tagged ``parameters``, one per line, as
``name: type = literal  # comment``. The defaults are the paper's values, so the profile "paper"
needs no file; any other is ``profiles/<profile>.toml``, with one table per notebook.
"""

from __future__ import annotations

import ast
import difflib
import symtable
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repro.runner import notebook as nb

__all__ = ["Parameter", "ParameterError", "check_assigned_once", "declared", "effective"]
__all__ += ["from_text", "profiles"]

FORM = "name: type = literal  # comment"
PLAIN = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "dict": dict}


class ParameterError(ValueError):
    """A parameter, a profile or a notebook that is not there, or not as declared."""


@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell."""

    name: str
    type: str
    default: Any
    comment: str = ""

    def accept(self, value: Any) -> Any:
        """`value` if it is of the declared type, an int made a float where that is declared."""
        try:
            return _fit(value, ast.parse(self.type, mode="eval").body)
        except TypeError:
            raise ParameterError(f"{self.name} must be {self.type}; got {value!r}") from None


def declared(notebook: Path) -> dict[str, Parameter]:
    """The parameters that `notebook` declares, by name, in order; empty without such a cell."""
    cells = nb.tagged(nb.read(notebook), "parameters")
    if len(cells) > 1:
        one = f"{notebook.name} must have one cell tagged parameters"
        raise ParameterError(f"{one}; got {len(cells)}")
    lines = nb.source(cells[0]).splitlines() if cells else []
    code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    found = [_parse(line, notebook.name) for line in code]
    return {parameter.name: parameter for parameter in found}


def check_assigned_once(notebook: Path) -> None:
    """Refuse a notebook whose later cells give a parameter another value.

    What a profile or the command line sets would have no effect there, and the figures would be
    said to come from values that they do not come from.
    """
    known = declared(notebook)
    for number, cell in enumerate(nb.code(nb.read(notebook)), start=1):
        if "parameters" not in cell.get("metadata", {}).get("tags", []):
            for name in known.keys() & _assigned(nb.plain(cell)):
                rule = f"{name} must be assigned in the parameters cell only"
                advice = "set the value there, or use another name here"
                raise ParameterError(f"{notebook.name}: {rule}; got code cell {number}: {advice}")


def effective(
    notebook: Path, root: Path, profile: str, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values that the `profile` and `given` set, and those of all parameters with them."""
    known, name = declared(notebook), notebook.name
    changed = _checked(_table(root, profile, notebook.stem), known, f"profile {profile}: {name}")
    changed |= _checked(given, known, name)
    return changed, {key: parameter.default for key, parameter in known.items()} | changed


def from_text(notebook: Path, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Values from the command line: Python literals, ``true`` and ``false``, or plain text."""
    known = declared(notebook)
    return {name: _value(text, _known(name, known, notebook.name)) for name, text in pairs}


def profiles(root: Path) -> list[str]:
    """The names a profile may have."""
    files = sorted(path.stem for path in (root / "profiles").glob("*.toml"))
    return ["paper", *(name for name in files if name != "paper")]


def closest(name: str, names: Iterable[str]) -> str:
    """The names most like `name`, or all of them, as the end of a message."""
    names = list(names)
    if near := difflib.get_close_matches(name, names):
        return f"did you mean {' or '.join(near)}?"
    return f"there are: {', '.join(names)}" if names else "there are none"


def _parse(line: str, notebook: str) -> Parameter:
    try:
        (node,) = ast.parse(line.strip()).body
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            raise ValueError
        default = ast.literal_eval(node.value)  # type: ignore[arg-type]
    except (SyntaxError, ValueError, TypeError):
        raise ParameterError(f"{notebook}: parameters must read {FORM!r}; got {line!r}") from None
    comment = line.strip().encode()[node.end_col_offset :].decode().strip(" #")
    name, kind = node.target.id, ast.unparse(node.annotation)
    return Parameter(name, kind, Parameter(name, kind, default).accept(default), comment)


def _assigned(code: str) -> set[str]:
    """The global names that `code` binds; empty for what is not Python, which cannot run either."""
    try:
        tables = [symtable.symtable(code, "cell", "exec")]
    except SyntaxError:
        return set()
    names = {s.get_name() for s in tables[0].get_symbols() if s.is_assigned() or s.is_imported()}
    for table in tables:  # a function binds a global name only where it says so
        tables += table.get_children()
        symbols = (s for s in table.get_symbols() if s.is_declared_global() and s.is_assigned())
        names |= {symbol.get_name() for symbol in symbols}
    return names


def _fit(value: Any, kind: ast.expr) -> Any:
    """`value` as the type that the annotation `kind` describes; TypeError when it is another."""
    match kind:
        case ast.BinOp(left, ast.BitOr(), right):
            try:
                return _fit(value, left)
            except TypeError:
                return _fit(value, right)
        case ast.Constant(None) if value is None:
            return None
        case ast.Subscript(ast.Name("list"), item) if type(value) is list:
            return [_fit(entry, item) for entry in value]
        case ast.Subscript(ast.Name("dict"), ast.Tuple([_, item])) if type(value) is dict:
            return {key: _fit(entry, item) for key, entry in value.items()}
        case ast.Name("float") if type(value) in (int, float):
            return float(value)
        case ast.Name(name) if type(value) is PLAIN.get(name):
            return value
    raise TypeError


def _checked(values: Mapping[str, Any], known: dict[str, Parameter], where: str) -> dict[str, Any]:
    return {name: _known(name, known, where).accept(value) for name, value in values.items()}


def _known(name: str, known: dict[str, Parameter], where: str) -> Parameter:
    if name not in known:
        raise ParameterError(f"{where} has no parameter {name!r}; {closest(name, known)}")
    return known[name]


def _value(text: str, parameter: Parameter) -> Any:
    """`text` as a value of the type of `parameter`: a literal if that fits, else the text."""
    try:
        literal = {"true": True, "false": False}.get(text.lower())
        literal = ast.literal_eval(text) if literal is None else literal
    except (SyntaxError, ValueError):
        return parameter.accept(text)
    try:
        return parameter.accept(literal)
    except ParameterError:
        return text if "str" in parameter.type else parameter.accept(literal)


def _table(root: Path, profile: str, stem: str) -> dict[str, Any]:
    """The table of the notebook `stem` in a profile; every table is checked to name a notebook."""
    if profile not in profiles(root):
        raise ParameterError(f"profile must be one of {', '.join(profiles(root))}; got {profile!r}")
    if profile == "paper":
        return {}
    path = root / "profiles" / f"{profile}.toml"
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"profiles/{path.name} is not valid TOML: {error}") from None
    notebooks = sorted(p.stem for p in (root / "notebooks").glob("*.ipynb"))
    for name, table in tables.items():
        if name not in notebooks or not isinstance(table, dict):
            raise ParameterError(
                f"profiles/{path.name} must have one table per notebook; "
                f"got {name!r}: {closest(name, notebooks)}"
            )
    return dict(tables.get(stem, {}))
