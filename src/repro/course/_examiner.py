"""The tests of a sheet, run apart from the student's names."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping
from math import floor
from typing import Any, NamedTuple

from repro.course._cells import TEST, code_cells, grading, source
from repro.course.check import WrongAnswer
from repro.course.sheets import answer

__all__ = ["Examiner", "Fault"]

PLOT = "-plot"  # the end of the ids of cells that draw a student's answers


class Fault(NamedTuple):
    """What the tests of a task raised; without texts if the answer is right."""

    kind: str = ""
    text: str = ""
    right: float = 0.0  # the share of the task's answers without a fault

    def points(self, most: float) -> float:
        """The points of a task of `most` points, in halves."""
        return float(floor(2 * most * self.right) / 2) if self.kind else most


class Examiner:
    """The given cells of a sheet, run as this student runs them, and its tests.

    The tests know the given names and see of the answers what `Check` asks for: code that a student
    has put in the place of a check, a library or a stream does not reach them.

    Parameters
    ----------
    sheet : the notebook with the hidden tests
    student : the id, which decides the numbers
    """

    def __init__(self, sheet: Mapping[str, Any], student: str) -> None:
        self._answers = _Latest()
        # `Check(student, globals())` of the sheet looks at the answers, which are elsewhere.
        self._given: dict[str, Any] = {"__name__": "sheet", "globals": lambda: self._answers}
        self.tests: dict[str, str] = {}
        for cell in code_cells(answer(sheet, student, {})):
            about, code = grading(cell), source(cell)
            if about.get("grade"):
                self.tests[about["grade_id"].removesuffix(TEST)] = code
            elif not about and not str(cell.get("id", "")).endswith(PLOT):
                _run(code, self._given)

    def given(self) -> dict[str, Any]:
        """A copy of the names that the given cells have made."""
        return dict(self._given)

    def fault(self, task: str, answers: Mapping[str, Any]) -> Fault:
        """What the tests of `task` raise.

        Parameters
        ----------
        task : its name
        answers : the names of the student's notebook
        """
        self._answers.names = answers
        try:
            _run(self.tests[task], self.given())
        except Exception as error:
            right = error.right if isinstance(error, WrongAnswer) else 0.0
            return Fault(type(error).__name__, str(error), right)
        return Fault()


class _Latest(Mapping[str, Any]):
    """The answers of the moment: `Check` keeps the mapping that it was made with."""

    names: Mapping[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _run(code: str, names: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "sheet", "exec"), names)
