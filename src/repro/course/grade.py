"""Grade the notebooks of a class in one go; a bad one stops no other."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from repro import _files
from repro._checks import check_count, check_flag
from repro._progress import progress
from repro._spreadsheets import as_csv
from repro.course import _nbgrader
from repro.course._alike import flagged
from repro.course._cells import code_cells, read_notebook
from repro.course._grades import (
    KEY,
    POINTS,
    check_same,
    coded,
    folder_of_grades,
    new_folder,
    pack_feedback,
    refuse_grades,
)
from repro.course._points import students_table, tasks_table
from repro.course._predictions import page_of, predictions_in
from repro.course._roster import Roster
from repro.course.build import make_course
from repro.course.sheets import Sheet, sheets
from repro.course.students import normalised
from repro.course.submissions import Submission, find_submissions

__all__ = ["Grades", "grade"]

Step = Callable[[Path, str, str], str]
STEPS: tuple[Step, Step] = (_nbgrader.autograde, _nbgrader.feedback)
ERRORS = "errors.txt"  # what nbgrader says of a notebook that it cannot grade


@dataclass(frozen=True, eq=False, repr=False)
class Grades:
    """The points of a class.

    Attributes
    ----------
    table : a row per student; the points of each sheet, nan if it was not handed in; their sum,
        and notes such as a changed file name or a cell that was stopped. An interpretation that
        waits for a person counts 0, and a note says so.
    tasks : a row per student, sheet and task: points, nan if they wait, and the most that can be
        had.
    folder : the course folder of nbgrader, with the graded notebooks and the feedback.
    """

    table: pd.DataFrame
    tasks: pd.DataFrame
    folder: Path

    def __repr__(self) -> str:
        return self.table.to_string(na_rep="-")


def grade(
    folder: Path | str,
    output: Path | str | None = None,
    *,
    chosen: Mapping[str, Sheet] | None = None,
    roster: Path | str | None = None,
    jobs: int = 1,
    timeout: int = 60,
    limit: int = 600,
    feedback: bool = True,
    replace: bool = False,
    anonymous: bool = False,
    collect: bool = False,
) -> Grades:
    """Grade all notebooks in `folder` with nbgrader, each in a process of its own.

    Writes ``points.csv`` and ``tasks.csv`` beside the course folder, and for every notebook a page
    of feedback: in ``course/feedback``, and in ``feedback.zip`` under the names of the files that
    were handed in. What students expected is in ``predictions.csv`` and, without names, on one page
    for the class, ``predictions.html``. With a `roster` also ``platform.csv``, its table with the
    points. The code of students runs on this machine, in a kernel that has no hidden test; the
    tests run apart from it.

    The interpretation of a sheet, in the student's own words, waits for a person: in formgrader.
    Then `collect`, with the same other arguments, writes all of this again with what the person has
    given or corrected.

    Parameters
    ----------
    folder : of submissions, see `repro.course.find_submissions`
    output : where to write; by default a new folder in ``build/grades`` of the checkout, named
        after the day and the sheets
    chosen : the sheets by name; by default those of the checkout
    roster : a CSV file of the participants, such as a learning platform exports; one column has
        the ids that students write into their notebooks
    jobs : notebooks graded side by side
    timeout : seconds that a cell may take; it is then interrupted and counts as wrong
    limit : seconds that a notebook may take; it then gets no points
    feedback : whether to write the pages for the students
    replace : whether an `output` that has grades may be made anew
    anonymous : whether tables and the course folder have codes for names; ``key.csv`` says who is
        who, with the notes; what goes back to students and the platform keeps their names
    collect : run nothing, and take the points from the course folder in `output`

    Raises ImportError without nbgrader, FileNotFoundError for a `folder` or `roster` that is none,
    ValueError for a `folder` without notebooks of the sheets or a roster without their ids,
    FileExistsError for an `output` with grades unless `replace`, and for a folder ``course`` that
    was not made here. To `collect`: FileNotFoundError without grades, ValueError for those of
    other notebooks.
    """
    for name, value in {"jobs": jobs, "timeout": timeout, "limit": limit}.items():
        check_count(value, name=name)
    by_name = sheets() if chosen is None else chosen
    found, names = find_submissions(Path(folder), by_name), dict[str, str]()
    if check_flag(anonymous, name="anonymous"):
        found, names = coded(found)
    submissions = flagged(found, by_name)
    ids = {one.student: one.written or one.student for one in submissions}
    people = None if roster is None else Roster(Path(roster), set(map(normalised, ids.values())))
    if people is not None:
        submissions = [_looked_up(one, people) for one in submissions]
    graded = [submission for submission in submissions if submission.sheet]
    if check_flag(collect, name="collect"):
        where = folder_of_grades(output)
        root = where / "course"
        check_same(root, graded)
    else:
        where = Path(output) if output else new_folder({one.sheet for one in graded})
        refuse_grades(where, replace)
        root = make_course(where / "course", by_name, timeout)
        _hand_in(root, graded)
    steps = [step for step, wanted in zip(STEPS, (not collect, feedback), strict=True) if wanted]
    with ThreadPoolExecutor(jobs) as pool:
        run = partial(_graded, root=root, limit=limit, steps=steps)
        faults = list(progress(pool.map(run, graded), desc="grading", total=len(graded)))
    notes = {id(s): [*s.notes, *fault] for s, fault in zip(graded, faults, strict=True)}
    tasks = tasks_table(root, graded, by_name)
    table = students_table(submissions, tasks, by_name, notes)
    if feedback:
        pack_feedback(root, graded, Path(folder), where / "feedback.zip")
    if people is not None:
        people.with_points(table.drop(columns=["sum", "notes"]), ids).to_csv(
            where / "platform.csv", index=False
        )
    if anonymous:
        key = table[["notes"]].assign(name=pd.Series(names))[["name", "notes"]]
        _files.write(where / KEY, as_csv(key).encode())
        table = table.drop(columns="notes")
    for name, is_new in {"feedback.zip": feedback, "platform.csv": people, KEY: anonymous}.items():
        if not is_new:  # of the grades that are replaced
            (where / name).unlink(missing_ok=True)
    expected = predictions_in(graded, by_name)
    _files.write(where / "predictions.csv", as_csv(expected, index=False).encode())
    _files.write(where / "predictions.html", page_of(expected, tasks, by_name).encode())
    _files.write(where / "tasks.csv", as_csv(tasks, index=False).encode())
    _files.write(where / POINTS, as_csv(table).encode())
    return Grades(table, tasks, root)


def _looked_up(one: Submission, people: Roster) -> Submission:
    if not one.sheet or not one.written or one.written in people:
        return one
    return dataclasses.replace(
        one, notes=(*one.notes, f"the id {one.written} is not in the roster")
    )


def _hand_in(root: Path, graded: Sequence[Submission]) -> None:
    """Copy the notebooks to where nbgrader looks for them."""
    for one in graded:
        folder = root / "submitted" / one.key / one.sheet
        folder.mkdir(parents=True, exist_ok=True)
        if one.path is not None:
            shutil.copy(one.path, folder / f"{one.sheet}.ipynb")


def _graded(one: Submission, root: Path, limit: int, steps: Sequence[Step]) -> list[str]:
    """Grade one submission in a process that ends after `limit` seconds; notes on what failed."""
    # A fork server imports nbgrader once for all. Windows has none: each process imports it.
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload([_nbgrader.__name__, "repro.course._kernel"])
    process = context.Process(target=_work, args=(root, one.sheet, one.key, steps))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.kill()
        process.join()
        return [f"stopped after {limit} s, not graded"]
    path = root / "autograded" / one.key / one.sheet / f"{one.sheet}.ipynb"
    if process.exitcode or not path.is_file():
        return [f"not graded: {_reason(root / 'submitted' / one.key / one.sheet / ERRORS)}"]
    return _stopped(path)


def _work(root: Path, sheet: str, student: str, steps: Sequence[Step]) -> None:
    """Grade one submission: what the process of its own does; it ends with the one that waits."""
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()
    for step in steps:
        if (fault := step(root, sheet, student)) and step is _nbgrader.autograde:
            path = root / "submitted" / student / sheet / ERRORS
            path.write_text(fault, encoding="utf-8")
            raise SystemExit(1)


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _reason(path: Path) -> str:
    """The last error that nbgrader reports, such as "Kernel died"."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    named = re.findall(r"^ *[\w.]+(?:Error|Exception|Exists): (.+)$", text, re.MULTILINE)
    return named[-1] if named else f"see {ERRORS} in the folder of the submission"


def _stopped(path: Path) -> list[str]:
    """How many cells of the graded notebook were stopped, and how many are not Python."""
    outputs = [out for cell in code_cells(read_notebook(path)) for out in cell.get("outputs", ())]
    raised = Counter(out.get("ename") for out in outputs)
    texts = {
        "CellTimeoutError": "stopped for taking too long",
        "SyntaxError": "with a syntax error",
    }
    return [f"cells {text}: {raised[name]}" for name, text in texts.items() if raised[name]]
