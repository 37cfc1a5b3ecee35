"""Values of parameters for one run: the notebook's defaults, a profile, the command line.

The defaults are the paper's values, so the profile "paper" needs no file. Any other profile is
``profiles/<profile>.toml``, with one table per notebook.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from repro.runner.notebook import Notebook
from repro.runner.parameters import Parameter, ParameterError, closest

__all__ = ["effective", "from_text", "profiles", "read_profile"]


def effective(
    notebook: Notebook, root: Path, profile: str, values: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values that differ from the defaults, and those of all parameters.

    Parameters
    ----------
    notebook : the notebook that declares the parameters
    root : the checkout, which holds the profiles
    profile : "paper", or the name of a file in ``profiles``
    values : by name; they take precedence over those of the profile
    """
    parameters, name = notebook.parameters, notebook.name
    changed = _checked(
        read_profile(root, profile).get(notebook.stem, {}), parameters, f"profile {profile}: {name}"
    )
    changed |= _checked(values, parameters, name)
    return changed, {key: parameter.default for key, parameter in parameters.items()} | changed


def from_text(notebook: Notebook, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Values from the command line: Python literals, ``true`` and ``false``, or plain text."""
    parameters = notebook.parameters
    return {name: _value(text, _parameter(name, parameters, notebook.name)) for name, text in pairs}


def profiles(root: Path) -> list[str]:
    """The names of the profiles."""
    files = sorted(path.stem for path in (root / "profiles").glob("*.toml"))
    return ["paper", *(name for name in files if name != "paper")]


def _checked(
    values: Mapping[str, Any], parameters: Mapping[str, Parameter], where: str
) -> dict[str, Any]:
    return {
        name: _parameter(name, parameters, where).accept(value) for name, value in values.items()
    }


def _parameter(name: str, parameters: Mapping[str, Parameter], where: str) -> Parameter:
    if name not in parameters:
        raise ParameterError(f"{where} has no parameter {name!r}; {closest(name, parameters)}")
    return parameters[name]


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


def read_profile(root: Path, profile: str) -> dict[str, dict[str, Any]]:
    """The tables of a profile, each of a notebook; raises ParameterError if it is not valid."""
    if profile not in profiles(root):
        raise ParameterError(f"profile must be one of {', '.join(profiles(root))}; got {profile!r}")
    if profile == "paper":
        return {}
    path = root / "profiles" / f"{profile}.toml"
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError(f"profiles/{path.name} is not valid TOML: {error}") from None
    notebooks = sorted(p.stem for p in (root / "notebooks").glob("*.ipynb"))
    for name, table in tables.items():
        if name not in notebooks or not isinstance(table, dict):
            raise ParameterError(
                f"profiles/{path.name} must have one table per notebook; "
                f"got {name!r}: {closest(name, notebooks)}"
            )
    return tables
