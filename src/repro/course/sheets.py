"""The exercise sheets: notebooks with solutions, the source of everything else, and answers."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repro._checks import as_path, check_kind, check_mapping, check_text, check_values, shown
from repro._folders import need_checkout
from repro.course._cells import TEST, code_cells, grading, read_cells, read_notebook, source

__all__ = ["Answers", "Sheet", "Task", "answer", "read_answers", "read_sheet", "sheets"]
__all__ += ["student_of"]

ID = re.compile(r"^student\s*=\s*(?:([\"'])(.*?)\1|(\d+))", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """A task of a sheet: its name, its title and its points."""

    name: str
    title: str
    points: int


@dataclass(frozen=True)
class Sheet:
    """An exercise sheet; its source is the notebook with the solutions.

    Parameters
    ----------
    name : of the notebook and of nbgrader's assignment, such as ``02_estimators``
    title : its heading
    minutes : what a student needs
    teaches : what a student knows afterwards, in a sentence
    tasks : the tasks that are graded automatically, in order
    path : the notebook with the solutions
    interpretation : the task in the student's own words, which a person grades; None without one
    """

    name: str
    title: str
    minutes: int
    teaches: str
    tasks: tuple[Task, ...]
    path: Path
    interpretation: Task | None = None

    @property
    def graded(self) -> tuple[Task, ...]:
        """All that has points: the tasks, and the interpretation if there is one."""
        return (*self.tasks, *([self.interpretation] if self.interpretation else []))

    @property
    def points(self) -> int:
        """The points of all of them."""
        return sum(task.points for task in self.graded)

    @property
    def answers_path(self) -> Path:
        """The file of other right answers, and of wrong ones, beside the notebook."""
        return self.path.with_suffix(".answers.toml")


def sheets(folder: Path | None = None) -> dict[str, Sheet]:
    """The sheets by name, in order; those of the checkout unless `folder` is given.

    Raises `repro._folders.NoCheckout` outside a checkout.
    """
    if folder is None:
        folder = need_checkout() / "notebooks" / "exercises"
    where = as_path(folder, name="folder", what="the path of a folder")
    paths = sorted(where.glob("[0-9]*.ipynb"))
    return {sheet.name: sheet for sheet in map(read_sheet, paths)}


def read_sheet(path: Path) -> Sheet:
    """The sheet whose notebook with solutions is the file `path`.

    Raises ValueError if the notebook does not describe a sheet: `minutes` and `teaches` under
    ``repro`` in its metadata, a heading, and a test cell for each cell with a solution.
    """
    path = as_path(path, name="path")
    try:
        notebook = read_notebook(path)
    except ValueError as error:
        raise ValueError(f"path must be the file of a sheet; got {str(path)!r}: {error}") from None
    about = notebook.get("metadata", {}).get("repro", {})
    (tasks, interpretation), title = _tasks(notebook, path.name), _title(notebook)
    if not title or not {"minutes", "teaches"} <= set(about):
        rule = "a sheet must have a heading, and minutes and teaches in its metadata"
        raise ValueError(f"{path.name}: {rule}; got heading {title!r} and {sorted(about)}")
    minutes, teaches = about["minutes"], about["teaches"]
    return Sheet(path.stem, title, minutes, teaches, tasks, path, interpretation)


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
    check_kind(sheet, Sheet, name="sheet")
    kept = tomllib.loads(sheet.answers_path.read_text(encoding="utf-8"))
    names = [task.name for task in sheet.tasks]
    if set(kept) != set(names):
        rule = f"{sheet.answers_path.name} must have answers to each task and no others"
        raise ValueError(f"{rule}; got {sorted(set(kept) ^ set(names))}")
    return {name: _answers(name, kept[name]) for name in names}


def answer(notebook: Mapping[str, Any], student: str, answers: Mapping[str, str]) -> dict[str, Any]:
    """A copy of a sheet's `notebook` with the id and the answers of a student.

    Parameters
    ----------
    notebook : a sheet, as the student gets it
    student : the id to write into it
    answers : code for tasks by their name, and a text for the interpretation; other cells stay
    """
    _check_notebook(notebook)
    check_text(student, name="student")
    check_values(answers, str, name="answers", rule="names of tasks to code")
    filled = copy.deepcopy(dict(notebook))
    for cell in read_cells(filled):
        about = grading(cell)
        if about.get("solution") and about["grade_id"] in answers:
            cell["source"] = answers[about["grade_id"]].strip("\n")
        elif not about and cell.get("cell_type") == "code" and ID.search(source(cell)):
            cell["source"] = ID.sub(f"student = {student!r}", source(cell))
    return filled


def student_of(notebook: Mapping[str, Any]) -> str | None:
    """The id that a student has written into the notebook; None if there is none."""
    _check_notebook(notebook)
    matches = (ID.search(source(cell)) for cell in code_cells(notebook) if not grading(cell))
    return next(((match[2] or match[3] or "").strip() for match in matches if match), None)


def _check_notebook(notebook: Any) -> None:
    rule = "names to the parts of a notebook, with a list of cells"
    held = check_mapping(notebook, name="notebook", rule=rule)
    if not isinstance(held.get("cells"), list):
        raise ValueError(f"notebook must map {rule}; got {shown(notebook)}")


def _tasks(notebook: Mapping[str, Any], where: str) -> tuple[tuple[Task, ...], Task | None]:
    titles, points, heading, interpretation = {}, {}, "", None
    for cell in read_cells(notebook):
        about = grading(cell)
        if about.get("solution") and about.get("grade"):
            interpretation = Task(about["grade_id"], heading, about["points"])
        elif cell.get("cell_type") == "markdown":
            heading = (re.findall(r"^## (.+)$", source(cell), re.MULTILINE) or [heading])[-1]
        elif about.get("solution"):
            titles[about["grade_id"]] = heading
        elif about.get("grade"):
            points[about["grade_id"].removesuffix(TEST)] = about["points"]
    if not titles or list(titles) != list(points):
        rule = "a sheet must have a test after each solution"
        raise ValueError(f"{where}: {rule}; got {list(titles)} and tests of {list(points)}")
    tasks = tuple(Task(name, title, points[name]) for name, title in titles.items())
    return tasks, interpretation


def _title(notebook: Mapping[str, Any]) -> str:
    texts = (source(cell) for cell in read_cells(notebook) if cell.get("cell_type") == "markdown")
    return next((text[2:].splitlines()[0] for text in texts if text.startswith("# ")), "")


def _answers(task: str, texts: Any) -> Answers:
    right, wrong = (tuple(texts.get(kind, ())) for kind in ("right", "wrong"))
    if len(wrong) < 2:
        raise ValueError(f"{task} must have at least 2 wrong answers; got {len(wrong)}")
    return Answers(right, wrong)
