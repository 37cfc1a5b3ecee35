"""The parts of nbgrader that the course uses: its settings, assignments, grading, feedback.

nbgrader is imported when it is needed, since students do without it.
"""

from __future__ import annotations

import os
import re
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from repro._folders import install_command

__all__ = ["Score", "autograde", "feedback", "generate", "need_nbgrader", "new_course", "scores"]

# The settings of a course folder. In it, the commands of nbgrader do what `make grade` does.
SETTINGS = '''\
"""Settings of this course folder for nbgrader; written by `make exercises`."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, ClearOutput
from nbgrader.preprocessors import GetGrades, LimitOutput, OverwriteKernelspec, SaveAutoGrades
from repro.course._formulas import Formulas
from repro.course._kernel import Examine, Restore

c = get_config()
root = Path(__file__).resolve().parent
c.CourseDirectory.root = str(root)
c.CourseDirectory.course_id = "repro"
# Several notebooks are graded at a time, and each waits for its turn to write.
c.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}?timeout=60"
c.ClearSolutions.text_stub = "*I think ...*"
c.ClearSolutions.code_stub = {"python": "# write your answer here\\nraise NotImplementedError"}
# Tests come from the sheet and run apart from the student's code.
c.Autograde.sanitize_preprocessors = [ClearOutput, Restore, OverwriteKernelspec, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    *(Examine, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata)
]
c.GenerateFeedback.preprocessors = [GetGrades, Formulas, CSSHTMLHeaderPreprocessor]
c.Execute.timeout = 60  # seconds of a cell, which is then interrupted; the next cell runs
c.Execute.iopub_timeout = 10  # seconds until the outputs of a cell are there
c.Execute.raise_on_iopub_timeout = False
c.Execute.extra_arguments = ["--log-level=ERROR"]
'''


LOADED = re.compile(r'<script src="https?://[^"]*">\s*</script>')


class Score(NamedTuple):
    """The points of one student for one task; nan if it waits for a person."""

    student: str
    sheet: str
    task: str
    points: float


def need_nbgrader() -> None:
    """Raise ImportError, with the command that installs it, where nbgrader is missing."""
    try:
        import math_core  # noqa: F401
        import nbgrader  # noqa: F401
    except ImportError:
        how = install_command("teacher")
        raise ImportError(f"the course needs nbgrader; install it with: {how}") from None


def new_course(root: Path, timeout: int) -> None:
    """Make the empty folder `root` a course folder; a cell may take `timeout` seconds."""
    text = SETTINGS.replace("timeout = 60", f"timeout = {timeout}")
    (root / "nbgrader_config.py").write_text(text, encoding="utf-8")
    with _scripts_on_path():
        _gradebook(root).close()


def generate(root: Path, sheet: str) -> None:
    """Make the release of `sheet` from its source: without solutions and hidden tests."""
    from nbgrader.converters import GenerateAssignment

    def start(**parts: Any) -> Any:
        app = GenerateAssignment(**parts)
        app.create_assignment = True
        return app

    if fault := _run(start, root, sheet):
        raise RuntimeError(f"nbgrader did not make the release of {sheet}:\n{fault}")


def autograde(root: Path, sheet: str, student: str) -> str:
    """Run and grade one submission; what went wrong with the notebook as a whole, or nothing."""
    from nbgrader.converters import Autograde

    # The kernel of the student's notebook inherits these.
    os.environ["REPRO_PROGRESS"] = "0"
    os.environ.setdefault("MPLBACKEND", "agg")
    return _run(Autograde, root, sheet, student)


def feedback(root: Path, sheet: str, student: str) -> str:
    """Write the graded notebook as a page for the student, with points and messages.

    The page loads nothing from elsewhere: nbgrader's would get MathJax, which it does not need.
    """
    from nbgrader.converters import GenerateFeedback

    fault = _run(GenerateFeedback, root, sheet, student)
    for page in (root / "feedback" / student / sheet).glob("*.html"):
        page.write_text(LOADED.sub("", page.read_text("utf-8")), "utf-8")
    return fault


def scores(root: Path) -> list[Score]:
    """The points of every graded task in the gradebook of `root`."""
    rows = []
    with _gradebook(root) as gradebook:
        for assignment in gradebook.assignments:
            for submission in gradebook.assignment_submissions(assignment.name):
                grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
                rows += [
                    Score(
                        submission.student.id,
                        assignment.name,
                        grade.name,
                        float("nan" if grade.needs_manual_grade else grade.score),
                    )
                    for grade in grades
                ]
    return rows


def _gradebook(root: Path) -> Any:
    from nbgrader.api import Gradebook

    return Gradebook(f"sqlite:///{root / 'gradebook.db'}", "repro")


@contextmanager
def _scripts_on_path() -> Iterator[None]:
    """For a new gradebook nbgrader starts the command alembic, also where no venv is activated."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _run(make: Callable[..., Any], root: Path, sheet: str, student: str | None = None) -> str:
    """Run one of nbgrader's converters on `sheet`; its error as a text, empty if there is none."""
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.utils import capture_log
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    folder = CourseDirectory(config=config)
    folder.assignment_id = sheet
    if student is not None:
        folder.student_id = student
    app = make(coursedir=folder, config=config)
    app.force = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of nbgrader say nothing about the notebook
        result = capture_log(app)
    return "" if result["success"] else result.get("log") or result["error"]
