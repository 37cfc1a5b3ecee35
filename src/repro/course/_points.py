"""The points of a class as tables: a row for each task, and a row for each student."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from repro.course import _nbgrader
from repro.course._cells import TEST
from repro.course.sheets import Sheet
from repro.course.submissions import Submission

__all__ = ["students_table", "tasks_table"]

UNREAD = "waits for a person to read it"


def tasks_table(
    root: Path, graded: Sequence[Submission], by_name: Mapping[str, Sheet]
) -> pd.DataFrame:
    """A row per student, sheet and task, from the gradebook; points that a person owes are nan."""
    names = {(one.key, one.sheet): one.student for one in graded}
    points = {(name, t.name): t.points for name, sheet in by_name.items() for t in sheet.graded}
    rows = [
        (
            names[score.student, score.sheet],
            score.sheet,
            task,
            score.points,
            points[score.sheet, task],
        )
        for score in _nbgrader.scores(root)
        if (task := score.task.removesuffix(TEST)) and (score.student, score.sheet) in names
    ]
    return pd.DataFrame(rows, columns=["student", "sheet", "task", "points", "of"])


def students_table(
    submissions: Sequence[Submission],
    tasks: pd.DataFrame,
    by_name: Mapping[str, Sheet],
    notes: Mapping[int, Sequence[str]],
) -> pd.DataFrame:
    """A row per student: points of each sheet, their sum, and notes."""
    students = sorted({one.student for one in submissions})
    handed_in = {(one.student, one.sheet) for one in submissions if one.sheet}
    sums = tasks.groupby(["student", "sheet"])["points"].sum()
    table = pd.DataFrame(index=pd.Index(students, name="student"))
    for name, sheet in by_name.items():
        column = [sums.get((s, name), 0.0) if (s, name) in handed_in else None for s in students]
        if any((s, name) in handed_in for s in students):
            table[f"{name} (of {sheet.points})"] = pd.Series(column, students, dtype=float)
    table["sum"] = table.sum(axis=1)
    texts: dict[str, list[str]] = {student: [] for student in students}
    unread = tasks[tasks["points"].isna()]
    for one in submissions:
        mine = notes.get(id(one), one.notes)
        texts[one.student] += [f"{one.sheet[:2]}: {note}" if one.sheet else note for note in mine]
    for student, sheet, task in unread[["student", "sheet", "task"]].itertuples(index=False):
        texts[student].append(f"{sheet[:2]}: {task} {UNREAD}")
    table["notes"] = ["; ".join(texts[student]) for student in students]
    return table
