"""The paper's parameters: a matter of record, in ``profiles/paper.json``.

The figures and tables that are committed come from these values. The parameters cells hold the
same ones; a run with the paper's profile starts only while they do, so that a value changed for a
trial does not replace what stands in the paper. `accept` changes the record.
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
from repro.runner import parameters

__all__ = ["RECORD", "accept", "check", "recorded"]

RECORD = "profiles/paper.json"  # not TOML, which has no word for None

Table = dict[str, dict[str, Any]]
ABSENT = object()


def recorded(root: Path) -> Table:
    """The parameters of every notebook of the paper, by the notebook's name."""
    path = root / RECORD
    try:
        table = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except ValueError as error:
        raise parameters.ParameterError(f"{RECORD} is not valid JSON: {error}") from None
    if not (isinstance(table, dict) and all(isinstance(v, dict) for v in table.values())):
        raise parameters.ParameterError(f"{RECORD} must hold one object per notebook")
    return table


def check(notebook: Path, root: Path, file: Path | None = None) -> None:
    """Raise `ParameterError` unless the parameters cell of `notebook` holds the paper's values.

    A notebook that is not in the record is new and may run, unless its number, and thus its
    figures and tables, are those of a notebook of the paper. `file` is read in its place.
    """
    table, name = recorded(root), nb.relative(notebook, root)
    if notebook.stem not in table:
        _check_number(notebook, table, root)
        return
    if not (differing := _differences(table[notebook.stem], _values(file or notebook))):
        return
    if not nb.tagged(nb.read(notebook), "parameters"):
        said = f"it must have a cell tagged parameters with the paper's ({RECORD}); got none"
        raise parameters.ParameterError(f"{name}: {said}: put it back")
    said = "; ".join(_said(*each) for each in differing)
    key, _, here = differing[0]
    trial = f"-p {key} {_argument(here)}" if here is not ABSENT else "-p"
    raise parameters.ParameterError(
        f"{name}: {said}; nothing was run: put it back, or try it with {trial} or a profile, "
        f"or make it the paper's with: {_accepting(notebook)}"
    )


def accept(notebook: Path, root: Path) -> list[str]:
    """Make the values in the parameters cell of `notebook` the paper's; what that changed."""
    table = recorded(root)
    if notebook.stem not in table:
        gone = [stem for stem in table if not (root / "notebooks" / f"{stem}.ipynb").is_file()]
        table = {stem: values for stem, values in table.items() if stem not in gone}
        _check_number(notebook, table, root)
    values, before = _values(notebook), table.get(notebook.stem, {})
    table[notebook.stem] = values
    text = json.dumps(dict(sorted(table.items())), ensure_ascii=False, indent=1) + "\n"
    _files.write(root / RECORD, text.encode())
    return [_changed(*each) for each in _differences(before, values)]


def _values(notebook: Path) -> dict[str, Any]:
    """The values in the parameters cell, as JSON gives them back."""
    known = parameters.declared(notebook)
    values = {name: parameter.default for name, parameter in known.items()}
    return dict(json.loads(json.dumps(values)))


def _differences(
    paper: Mapping[str, Any], here: Mapping[str, Any]
) -> list[tuple[str, object, object]]:
    """Name, paper's value and the notebook's of each parameter where they differ, or one lacks."""
    pairs = [(key, paper.get(key, ABSENT), here.get(key, ABSENT)) for key in {**paper, **here}]
    return [(key, a, b) for key, a, b in pairs if ABSENT in (a, b) or _text(a) != _text(b)]


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)  # 1, 1.0 and True differ, and nan is nan


def _said(name: str, paper: object, here: object) -> str:
    if paper is ABSENT:
        return f"{name} must be in the paper's parameters ({RECORD}); got {here!r}, new"
    got = "no such parameter" if here is ABSENT else repr(here)
    return f"{name} must be {paper!r}, the paper's ({RECORD}); got {got}"


def _changed(name: str, paper: object, here: object) -> str:
    if here is ABSENT:
        return f"{name} is not a parameter of the paper any more; it was {paper!r}"
    return f"{name} = {here!r} is the paper's now" + f"; it was {paper!r}" * (paper is not ABSENT)


def _argument(value: object) -> str:
    return shlex.quote(value if isinstance(value, str) else repr(value))


def _accepting(notebook: Path) -> str:
    return f"{python()} -m repro run {notebook.stem} --accept"


def _check_number(notebook: Path, table: Table, root: Path) -> None:
    """Refuse a notebook that would replace the figures and tables of one of the paper's."""
    number = nb.number(notebook)
    for stem in (stem for stem in table if nb.number(Path(stem)) == number):
        rule = f"the number {number} and the figures {number}_* must be of one notebook"
        is_there = (root / "notebooks" / f"{stem}.ipynb").is_file()
        advice = "give it another number, or move it out of notebooks/, where results go to build/"
        if not is_there:
            advice = f"if this is it under a new name: {_accepting(notebook)}"
        name = nb.relative(notebook, root)
        raise parameters.ParameterError(
            f"{name}: {rule}; got {stem} as well ({RECORD}): nothing was run; {advice}"
        )
