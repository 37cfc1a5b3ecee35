"""What was handed in, made a notebook that can be graded: the student's code, the sheet's tests.

Editors drop metadata, students split, copy and delete cells. What belongs to the sheet is therefore
taken from the sheet, and every other cell stays as the student wrote it, where it stands.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from repro.course._cells import TEST, code_cells, grading, read_cells, source

__all__ = ["restored", "shared_with"]


def shared_with(notebook: Mapping[str, Any], names: frozenset[str]) -> int:
    """How many of the tasks or tests with these `names` the notebook has, by what is left of them.

    A cell is known by nbgrader's metadata or, where an editor dropped them, by its id.
    """
    return len({_name(cell, names) for cell in code_cells(notebook)} & names)


def restored(notebook: Mapping[str, Any], blank: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of `notebook` with the tests of the sheet `blank`, each once, after its answer.

    Of several cells of a task all run, and the last one stands for the task. A test stays where it
    is if that is after them; else it goes before the next cell of another task, or to the end. What
    the student has written into a test is dropped.

    Parameters
    ----------
    notebook : as it was handed in
    blank : the sheet as students get it
    """
    own = {grading(cell)["grade_id"]: cell for cell in read_cells(blank) if grading(cell)}
    names = frozenset(own)
    by_source = {source(cell).strip(): name for name, cell in own.items() if name.endswith(TEST)}
    kept: list[tuple[str, dict[str, Any]]] = []
    for cell in read_cells(notebook):
        name = _name(cell, names) or by_source.get(source(cell).strip(), "")
        plain = copy.deepcopy(cell)
        plain["metadata"] = {k: v for k, v in _metadata(cell).items() if k != "nbgrader"}
        if not name.endswith(TEST):
            kept.append((name, plain))
        elif name not in dict(kept):
            kept.append((name, copy.deepcopy(own[name])))
    last = {name: i for i, (name, _) in enumerate(kept) if name}
    for name in (name for name in last if not name.endswith(TEST)):
        for part in ("metadata", "cell_type"):
            kept[last[name]][1][part] = copy.deepcopy(own[name][part])
    for name, cell in own.items():
        if cell["cell_type"] == "markdown" and name not in last:  # a text that was deleted
            kept.append((name, copy.deepcopy(cell)))
    for name in (name for name in own if name.endswith(TEST)):
        if last.get(name, -1) <= last.get(name.removesuffix(TEST), -1):
            _place(kept, name, copy.deepcopy(own[name]))
    whole = copy.deepcopy(dict(notebook))
    whole["cells"] = [_valid(cell) for _, cell in kept]
    whole["metadata"] = copy.deepcopy(dict(blank["metadata"]))
    whole |= {"nbformat": blank["nbformat"], "nbformat_minor": blank["nbformat_minor"]}
    return _with_ids(whole)


def _name(cell: Mapping[str, Any], names: frozenset[str]) -> str:
    """The task or test that a cell is of; empty for other cells."""
    by_id = str(cell.get("id", "")).replace("-", "_")
    candidates = (grading(cell).get("grade_id"), by_id)
    return next((name for name in candidates if name in names), "")


def _metadata(cell: Mapping[str, Any]) -> dict[str, Any]:
    metadata = cell.get("metadata")
    return dict(metadata) if isinstance(metadata, dict) else {}


def _place(kept: list[tuple[str, dict[str, Any]]], name: str, test: dict[str, Any]) -> None:
    """Put the test `name` after the last cell of its task, and after further cells that follow."""
    kept[:] = [entry for entry in kept if entry[0] != name]
    names = [other for other, _ in kept]
    task = name.removesuffix(TEST)
    first = len(names) - names[::-1].index(task) if task in names else len(names)
    place = next((i for i in range(first, len(names)) if names[i]), len(names))
    kept.insert(place, (name, test))


def _valid(cell: dict[str, Any]) -> dict[str, Any]:
    """A code cell has outputs and a count, which an editor may have dropped; others have none."""
    if cell.get("cell_type") == "code":
        return cell | {"outputs": [], "execution_count": None}
    return {k: v for k, v in cell.items() if k not in ("outputs", "execution_count")}


def _with_ids(notebook: dict[str, Any]) -> dict[str, Any]:
    """Every cell has an id of its own: copies get a new one."""
    used: set[str] = set()
    for i, cell in enumerate(notebook["cells"]):
        name = cell.get("id")
        if not isinstance(name, str) or name in used:
            name = f"cell-{i}"
            while name in used:
                name += "-"
            cell["id"] = name
        used.add(name)
    return notebook
