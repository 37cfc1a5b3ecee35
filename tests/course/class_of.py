"""A class for the tests of the course: answers tried in one process, and notebooks handed in."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from repro.course import Sheet, answer, read_answers
from repro.course._cells import code_cells, grading, read_notebook, source, write_notebook


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
        self.names: dict[str, object] = {"__name__": "sheet"}
        self.tests: dict[str, str] = {}
        for cell in code_cells(answer(read_notebook(sheet.path), student, {})):
            about, code = grading(cell), source(cell)
            if about.get("grade"):
                self.tests[about["grade_id"].removesuffix("_test")] = code
            elif not about and not cell["id"].endswith("-plot"):
                self._run(code)
        self.before = dict(self.names)

    def fault(self, task: str, code: str) -> str:
        """What the tests of `task` say of an answer; empty if it is right."""
        self.names.clear()
        self.names.update(self.before)
        with contextlib.suppress(Exception):
            self._run(code)
        try:
            self._run(self.tests[task])
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def _run(self, code: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "sheet", "exec"), self.names)


def hand_in(folder: Path, name: str, notebook: dict[str, object]) -> None:
    """Put a notebook into a student's folder."""
    write_notebook(folder / f"{name}.ipynb", notebook)
