"""Answers that are kept beside a sheet, and notebooks of students that give them."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from repro.course._cells import code_cells, grading, source
from repro.course.sheets import Sheet

__all__ = ["Answers", "answer", "read_answers", "student_of"]

ID = re.compile(r"^student\s*=\s*([\"'])(.*?)\1", re.MULTILINE)


@dataclass(frozen=True)
class Answers:
    """Code for one task: other `right` answers than the solution, and `wrong` ones."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]


def read_answers(sheet: Sheet) -> dict[str, Answers]:
    """The answers of each task of `sheet`, from the TOML file beside its notebook.

    Raises ValueError for a task without at least two wrong answers, and for answers to a task that
    the sheet does not have.
    """
    kept = tomllib.loads(sheet.answers_path.read_text(encoding="utf-8"))
    names = [task.name for task in sheet.tasks]
    if set(kept) != set(names):
        rule = f"{sheet.answers_path.name} must have answers to each task and no others"
        raise ValueError(f"{rule}; got {sorted(set(kept) ^ set(names))}")
    found = {name: _answers(name, kept[name]) for name in names}
    return found


def answer(notebook: Mapping[str, Any], student: str, answers: Mapping[str, str]) -> dict[str, Any]:
    """A copy of a sheet's `notebook` with the id and the answers of a student.

    Parameters
    ----------
    notebook : a sheet, as the student gets it
    student : the id to write into it
    answers : code for tasks by their name; the cells of other tasks stay as they are
    """
    filled = copy.deepcopy(dict(notebook))
    for cell in code_cells(filled):
        about = grading(cell)
        if about.get("solution") and about["grade_id"] in answers:
            cell["source"] = answers[about["grade_id"]].strip("\n")
        elif not about and ID.search(source(cell)):
            cell["source"] = ID.sub(f"student = {student!r}", source(cell))
    return filled


def student_of(notebook: Mapping[str, Any]) -> str | None:
    """The id that a student has written into the notebook; None if there is none."""
    found = (ID.search(source(cell)) for cell in code_cells(notebook) if not grading(cell))
    return next((match[2].strip() for match in found if match), None)


def _answers(task: str, given: Any) -> Answers:
    right, wrong = (tuple(given.get(kind, ())) for kind in ("right", "wrong"))
    if len(wrong) < 2:
        raise ValueError(f"{task} must have at least 2 wrong answers; got {len(wrong)}")
    return Answers(right, wrong)
