"""The cells of a notebook file, and what nbgrader says of them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = [
    "PLACEHOLDER",
    "TEST",
    "code_cells",
    "grading",
    "read_cells",
    "read_notebook",
    "source",
    "with_points",
    "write_notebook",
]

PLACEHOLDER = "your-id"  # the id in a sheet as students get it
HEADING = re.compile(r"^(## (?:Task \d+|In your own words).*)$", re.MULTILINE)
TEST = "_test"  # the cell that tests the task `history` has the grade_id `history_test`


def read_notebook(path: Path) -> dict[str, Any]:
    """The notebook in the file `path`; ValueError, in one line, if it holds none."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name} is not a notebook: {error}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{path.name} is not a notebook: it has no cells")
    return notebook


def write_notebook(path: Path, notebook: Mapping[str, Any]) -> None:
    """Write `notebook` to `path`, as Jupyter does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def read_cells(notebook: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cells that are objects, as every cell of a valid notebook is."""
    return [cell for cell in notebook["cells"] if isinstance(cell, dict)]


def code_cells(notebook: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cells that hold code."""
    return [cell for cell in read_cells(notebook) if cell.get("cell_type") == "code"]


def source(cell: Mapping[str, Any]) -> str:
    """The text of a cell, which a file holds as one text or as lines; "" for anything else."""
    text = cell.get("source", "")
    lines = text if isinstance(text, list) else [text]
    return "".join(line for line in lines if isinstance(line, str))


def grading(cell: Mapping[str, Any]) -> dict[str, Any]:
    """What nbgrader says of a cell: grade_id, solution, grade, points; empty for other cells."""
    metadata = cell.get("metadata")
    entry = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return entry if isinstance(entry, dict) and "grade_id" in entry else {}


def with_points(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a sheet's `notebook` in which the heading of each task says its points."""
    shown = copy.deepcopy(dict(notebook))
    tasks: list[tuple[dict[str, Any], list[int]]] = []
    for cell in read_cells(shown):
        if cell.get("cell_type") == "markdown" and HEADING.search(source(cell)):
            tasks.append((cell, []))
        elif tasks and grading(cell).get("grade"):
            tasks[-1][1].append(int(grading(cell)["points"]))
    for cell, points in tasks:
        what = f"{sum(points)} point{'s' * (sum(points) != 1)}"
        cell["source"] = HEADING.sub(rf"\1 ({what})", source(cell))
    return shown
