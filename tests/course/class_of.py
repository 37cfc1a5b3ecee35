"""A class for the tests of the course: answers tried in one process, and notebooks handed in."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import matplotlib.pyplot as plt

from repro.course import Sheet, answer, read_answers
from repro.course._cells import code_cells, grading, read_notebook, source, write_notebook
from repro.course._examiner import Examiner


def automatic(sheet: Sheet) -> int:
    """The points of a sheet that need no person."""
    return sum(task.points for task in sheet.tasks)


def solutions(sheet: Sheet) -> dict[str, str]:
    """The solution of each task of a sheet."""
    cells = code_cells(read_notebook(sheet.path))
    return {grading(c)["grade_id"]: source(c) for c in cells if grading(c).get("solution")}


def variants(sheet: Sheet) -> dict[str, list[tuple[str, bool]]]:
    """Per task: the solution, the other right answers and the wrong ones, with their worth."""
    kept, own = read_answers(sheet), solutions(sheet)
    return {
        task: [(own[task], True), *((code, True) for code in a.right)]
        + [(code, False) for code in a.wrong]
        for task, a in kept.items()
    }


class Desk:
    """A sheet whose given cells a student has run; answers are tried and graded by its tests."""

    def __init__(self, sheet: Sheet, student: str) -> None:
        notebook = read_notebook(sheet.path)
        self.examiner = Examiner(notebook, student)
        # The student's own given cells: what an answer changes, the tests do not see.
        self.names: dict[str, object] = {"__name__": "notebook"}
        for cell in code_cells(answer(notebook, student, {})):
            if not grading(cell) and not cell["id"].endswith("-plot"):
                self._run(source(cell), self.names)
        plt.close("all")

    def fault(self, task: str, code: str) -> str:
        """What the tests of `task` say of an answer; empty if it is right."""
        names = dict(self.names)
        with contextlib.suppress(Exception):
            self._run(code, names)
        kind, text, _ = self.examiner.fault(task, names)
        return f"{kind}: {text}" if kind else ""

    def answers(self, code: str, names: list[str]) -> list[object]:
        """What the names hold after an answer; no functions."""
        after = dict(self.names)
        self._run(code, after)
        return [after[name] for name in names if not callable(after.get(name, print))]

    def _run(self, code: str, names: dict[str, object]) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "sheet", "exec"), names)


def hand_in(folder: Path, name: str, notebook: dict[str, object]) -> None:
    """Put a notebook into a student's folder."""
    write_notebook(folder / f"{name}.ipynb", notebook)
