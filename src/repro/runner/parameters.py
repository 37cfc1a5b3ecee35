"""Parameters of a notebook: what its parameters cell declares, and which values each one takes.

The code cell tagged ``parameters`` declares one per line, as ``name: type = literal  # comment``.
The defaults are the paper's values; `repro.runner.profiles` says what other values a run has.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Parameter", "ParameterError", "closest", "parse"]

FORM = "name: type = literal  # comment"
PLAIN = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "dict": dict}


class ParameterError(ValueError):
    """Unknown parameter, profile or notebook, or a value that is not of the declared type."""


@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell."""

    name: str
    type: str
    default: Any
    comment: str = ""

    def accept(self, value: Any) -> Any:
        """`value` if it is of the declared type; an int becomes a float where one is declared."""
        try:
            return _fit(value, ast.parse(self.type, mode="eval").body)
        except TypeError:
            raise ParameterError(f"{self.name} must be {self.type}; got {value!r}") from None


def parse(text: str, notebook: str) -> dict[str, Parameter]:
    """The parameters that the cell `text` declares, by name, in order.

    Blank lines and lines of comment are left out. Raises `ParameterError`, with the name of the
    `notebook`, for a line of another form.
    """
    lines = (line for line in text.splitlines() if line.strip())
    parsed = [_parse(line, notebook) for line in lines if not line.lstrip().startswith("#")]
    return {parameter.name: parameter for parameter in parsed}


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


def _fit(value: Any, kind: ast.expr) -> Any:
    """`value` as the type that the annotation `kind` names; TypeError if it is of another."""
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
