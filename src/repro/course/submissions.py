"""The notebooks that a class has handed in: whose they are, and of which sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from repro._checks import as_path, check_values
from repro.course._cells import PLACEHOLDER, read_notebook
from repro.course._restore import shared_with
from repro.course.sheets import Sheet, student_of

__all__ = ["Submission", "find_submissions"]


@dataclass(frozen=True)
class Submission:
    """A notebook handed in, or the reason why there is nothing to grade.

    Parameters
    ----------
    student : the name of the student's folder, else the id in the notebook
    sheet : the sheet, by its name; empty if the notebook is of none
    path : the file; None if the student's folder has no notebook
    notes : what the teacher should know
    written : the id in the notebook; empty if there is none
    """

    student: str
    sheet: str
    path: Path | None
    notes: tuple[str, ...] = ()
    written: str = ""

    @property
    def key(self) -> str:
        """The student as the name of a folder: a checksum tells apart what becomes alike."""
        plain = re.sub(r"[^A-Za-z0-9_-]", "_", self.student)
        return plain if plain == self.student else f"{plain}-{crc32(self.student.encode()):08x}"


def find_submissions(folder: Path, chosen: Mapping[str, Sheet]) -> list[Submission]:
    """The submissions in `folder`: a folder for each student, or notebooks without folders.

    A sheet is recognised by its cells, so a notebook may have any name. Of several copies of a
    sheet the last one changed counts. What cannot be read is listed without a sheet, with a note.

    Parameters
    ----------
    folder : ``folder/student/anything.ipynb``, however deep, or ``folder/anything.ipynb``
    chosen : the sheets of the course, by name

    Raises FileNotFoundError if `folder` is no folder, ValueError if it has no notebook of a sheet.
    """
    folder = as_path(folder, name="folder", what="the path of a folder")
    check_values(chosen, Sheet, name="chosen", rule="names to sheets")
    if not folder.is_dir():
        raise FileNotFoundError(f"folder must be a folder of submissions; got {str(folder)!r}")
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if not _hidden(p.relative_to(folder))]
    submissions = [_read(folder, path, chosen) for path in paths]
    students = {submission.student for submission in submissions}
    empty = [d.name for d in sorted(folder.iterdir()) if d.is_dir() and not _hidden(Path(d.name))]
    submissions += [
        Submission(name, "", None, ("no notebook",)) for name in empty if name not in students
    ]
    if not any(submission.sheet for submission in submissions):
        rule = f"folder must hold notebooks of the sheets {', '.join(chosen)}"
        raise ValueError(f"{rule}; got none among {len(paths)} notebooks in {str(folder)!r}")
    return _newest(submissions)


def _read(folder: Path, path: Path, chosen: Mapping[str, Sheet]) -> Submission:
    inside = path.relative_to(folder).parts
    try:
        notebook = read_notebook(path)
    except ValueError as error:
        return Submission(inside[0] if inside[1:] else path.stem, "", path, (str(error),))
    written = student_of(notebook) or ""
    if written == PLACEHOLDER:
        written = ""
    student = inside[0] if inside[1:] else written or path.stem
    sheet = _sheet_of(notebook, chosen)
    notes = [] if sheet else [f"{path.name} is of no sheet"]
    if sheet and not written:
        notes.append("no id in the notebook")
    if sheet and path.stem != sheet:
        notes.append(f"was named {path.name}")
    return Submission(student, sheet, path, tuple(notes), written)


def _sheet_of(notebook: Mapping[str, Any], chosen: Mapping[str, Sheet]) -> str:
    """The sheet that shares most tasks with the notebook; empty if none does."""
    tasks = {s.name: frozenset(task.name for task in s.tasks) for s in chosen.values()}
    shared = {name: shared_with(notebook, names) for name, names in tasks.items()}
    best = max(shared, key=lambda name: shared[name], default="")
    return best if best and shared[best] else ""


def _newest(submissions: list[Submission]) -> list[Submission]:
    """The last changed copy of each sheet of each student, and all that have no sheet."""
    latest: dict[tuple[str, str], Submission] = {}
    for one in submissions:
        key = (one.student, one.sheet or str(one.path))
        if key in latest:
            older, newer = sorted((latest[key], one), key=lambda s: _changed(s.path))
            note = f"{older.path.name if older.path else ''} is older and was not graded"
            one = replace(newer, notes=(*newer.notes, note))
        latest[key] = one
    return list(latest.values())


def _changed(path: Path | None) -> float:
    return path.stat().st_mtime if path else 0.0


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)
