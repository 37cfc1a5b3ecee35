"""The paper's parameters, on record in ``profiles/paper.json``.

The committed figures and tables come from these values. The parameters cells hold the same ones,
and a run with the paper's profile starts only if they agree: a value changed for a trial cannot
replace a committed result. `accept` changes the record.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repro import _files
from repro._folders import python
from repro.runner import notebook as nb
from repro.runner.notebook import Notebook
from repro.runner.parameters import ParameterError

__all__ = ["RECORD", "accept", "check", "recorded"]

RECORD = "profiles/paper.json"  # not TOML, which cannot express None

Table = dict[str, dict[str, Any]]
ABSENT = object()


def recorded(root: Path) -> Table:
    """The parameters of every notebook of the paper, by the notebook's name."""
    path = root / RECORD
    try:
        table = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except ValueError as error:
        raise ParameterError(f"{RECORD} is not valid JSON: {error}") from None
    if not (isinstance(table, dict) and all(isinstance(v, dict) for v in table.values())):
        raise ParameterError(f"{RECORD} must hold one object per notebook")
    return table


def check(notebook: Notebook, root: Path) -> None:
    """Raise `ParameterError` unless the parameters cell of `notebook` holds the paper's values.

    A notebook that is not on record is new and may run, unless its number, and thus its figures
    and tables, belong to a notebook of the paper.
    """
    table, name = recorded(root), nb.relative(notebook.path, root)
    if notebook.stem not in table:
        _check_number(notebook, table, root)
        return
    if not (differing := _differences(table[notebook.stem], _values(notebook))):
        return
    if notebook.parameters_cell is None:
        rule = f"it must have a cell tagged parameters with the paper's ({RECORD}); got none"
        raise ParameterError(f"{name}: {rule}: put it back")
    rules = "; ".join(_rule(*each) for each in differing)
    key, _, here = differing[0]
    trial = f"-p {key} {_argument(here)}" if here is not ABSENT else "-p"
    raise ParameterError(
        f"{name}: {rules}; nothing was run: put it back, or try it with {trial} or a profile, "
        f"or make it the paper's with: {_accept_command(notebook)}"
    )


def accept(notebook: Notebook, root: Path) -> list[str]:
    """Record the values in the parameters cell of `notebook` as the paper's; one line a change."""
    table = recorded(root)
    if notebook.stem not in table:
        gone = [stem for stem in table if not (root / "notebooks" / f"{stem}.ipynb").is_file()]
        table = {stem: values for stem, values in table.items() if stem not in gone}
        _check_number(notebook, table, root)
    values, before = _values(notebook), table.get(notebook.stem, {})
    table[notebook.stem] = values
    text = json.dumps(dict(sorted(table.items())), ensure_ascii=False, indent=1) + "\n"
    _files.write(root / RECORD, text.encode())
    return [_change(*each) for each in _differences(before, values)]


def _values(notebook: Notebook) -> dict[str, Any]:
    """The values in the parameters cell, as JSON gives them back."""
    return dict(json.loads(json.dumps(notebook.defaults)))


def _differences(
    paper: Mapping[str, Any], here: Mapping[str, Any]
) -> list[tuple[str, object, object]]:
    """Name, paper's value and notebook's value where they differ; `ABSENT` for a missing one."""
    pairs = [(key, paper.get(key, ABSENT), here.get(key, ABSENT)) for key in {**paper, **here}]
    return [(key, a, b) for key, a, b in pairs if ABSENT in (a, b) or _text(a) != _text(b)]


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)  # 1, 1.0 and True differ, and nan equals nan


def _rule(name: str, paper: object, here: object) -> str:
    if paper is ABSENT:
        return f"{name} must be in the paper's parameters ({RECORD}); got {here!r}, new"
    got = "no such parameter" if here is ABSENT else repr(here)
    return f"{name} must be {paper!r}, the paper's ({RECORD}); got {got}"


def _change(name: str, paper: object, here: object) -> str:
    if here is ABSENT:
        return f"{name} is not a parameter of the paper any more; it was {paper!r}"
    return f"{name} = {here!r} is the paper's now" + f"; it was {paper!r}" * (paper is not ABSENT)


def _argument(value: object) -> str:
    return shlex.quote(value if isinstance(value, str) else repr(value))


def _accept_command(notebook: Notebook) -> str:
    return f"{python()} -m repro run {notebook.stem} --accept"


def _check_number(notebook: Notebook, table: Table, root: Path) -> None:
    """Refuse a notebook that would replace figures and tables of another one."""
    number = notebook.number
    for stem in (stem for stem in table if nb.number(stem) == number):
        rule = f"the number {number} and the figures {number}_* must be of one notebook"
        is_there = (root / "notebooks" / f"{stem}.ipynb").is_file()
        advice = "give it another number, or move it out of notebooks/, where results go to build/"
        if not is_there:
            advice = f"if this is it under a new name: {_accept_command(notebook)}"
        name = nb.relative(notebook.path, root)
        raise ParameterError(
            f"{name}: {rule}; got {stem} as well ({RECORD}): nothing was run; {advice}"
        )
