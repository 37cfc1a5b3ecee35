"""The folder of the grades: where it is, what may be overwritten, what students get back."""

from __future__ import annotations

import dataclasses
import hashlib
import zipfile
from collections.abc import Sequence
from datetime import date
from itertools import count
from pathlib import Path

from repro import _files
from repro._folders import need_checkout
from repro.course.submissions import Submission

__all__ = ["KEY", "POINTS", "check_same", "coded", "folder_of_grades", "new_folder"]
__all__ += ["pack_feedback", "refuse_grades"]

POINTS = "points.csv"  # written last: a folder that has it has all
KEY = "key.csv"  # whose the codes are


def new_folder(names: set[str]) -> Path:
    """A folder that is not there yet, named after the day and the sheets."""
    parent = need_checkout() / "build" / "grades"
    numbers = sorted(names) if len(names) == 1 else sorted(name[:2] for name in names)
    name = "-".join([date.today().isoformat(), *numbers])
    return next(
        path
        for i in count(1)
        if not (path := parent / (name if i == 1 else f"{name}-{i}")).exists()
    )


def coded(submissions: Sequence[Submission]) -> tuple[list[Submission], dict[str, str]]:
    """The submissions with a code for each student, and code -> student.

    Codes such as s01 are in the order of a hash of the names, not of the alphabet. They hide names
    from a glance only: who has the list of all students can work them out.
    """
    students = sorted({one.student for one in submissions}, key=_hash)
    digits = max(2, len(str(len(students))))
    codes = {student: f"s{i + 1:0{digits}}" for i, student in enumerate(students)}
    hidden = [dataclasses.replace(one, student=codes[one.student]) for one in submissions]
    return hidden, {code: student for student, code in codes.items()}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def folder_of_grades(output: Path | str | None) -> Path:
    """The folder `output`, which must have grades; FileNotFoundError if it has none."""
    if output is None or not (Path(output) / POINTS).is_file():
        rule = "output must be the folder of the grades to collect"
        raise FileNotFoundError(f"{rule}, with {POINTS}; got {output}")
    return Path(output)


def check_same(root: Path, graded: Sequence[Submission]) -> None:
    """Raise ValueError if the course folder `root` has grades of other notebooks."""
    here = {(one.key, one.sheet) for one in graded}
    if away := sorted({p.parts[-2:] for p in root.glob("submitted/*/*") if p.is_dir()} - here):
        rule = "folder must hold all notebooks that were graded, with the same --anonymous"
        raise ValueError(f"{rule}; {'/'.join(away[0])} is not there")
    for one in graded:
        copied = root / "submitted" / one.key / one.sheet / f"{one.sheet}.ipynb"
        if not copied.is_file():
            rule = "output must have grades of the notebooks in folder, with the same --anonymous"
            raise ValueError(f"{rule}; got none of {one.path}")
        if one.path is not None and copied.read_bytes() != one.path.read_bytes():
            raise ValueError(f"{one.path} has changed since it was graded; grade the folder again")


def refuse_grades(where: Path, replace: bool) -> None:
    """Raise FileExistsError if `where` has grades and they may not be replaced."""
    if (where / POINTS).exists() and not replace:
        rule = "the folder has grades, and corrections if the teacher has made some"
        how = "choose another folder, or ask for new ones (--replace, in Python replace=True)"
        raise FileExistsError(f"{rule}; {how}: {where}")


def pack_feedback(root: Path, graded: Sequence[Submission], folder: Path, target: Path) -> None:
    """The pages of feedback, under the names that the notebooks have in `folder`, and ``.html``."""
    with _files.replacing(target) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for one in graded:
            page = root / "feedback" / one.key / one.sheet / f"{one.sheet}.html"
            if page.is_file() and one.path is not None:
                name = one.path.relative_to(folder).with_suffix(".html")
                archive.write(page, name, zipfile.ZIP_DEFLATED)
