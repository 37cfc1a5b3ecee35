"""The course folder of the teacher: sources, and the sheets as students get them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from repro.course import _nbgrader
from repro.course._cells import code_cells, read_notebook, source
from repro.course.sheets import Sheet

__all__ = ["make_course", "released"]

SECRETS = ("BEGIN SOLUTION", "BEGIN HIDDEN TESTS")


def make_course(root: Path, chosen: Mapping[str, Sheet], timeout: int = 60) -> Path:
    """Make `root` a course folder of nbgrader with the release of each sheet; returns `root`.

    The folder is made anew. Raises ImportError without nbgrader, FileExistsError if it holds files
    that were not made here, and RuntimeError if a release cannot be made or still shows a solution.
    """
    _nbgrader.new_course(root, timeout)
    for sheet in chosen.values():
        folder = root / "source" / sheet.name
        folder.mkdir(parents=True)
        shutil.copy(sheet.path, folder / f"{sheet.name}.ipynb")
        _nbgrader.generate(root, sheet.name)
        _check_blank(released(root, sheet.name))
    return root


def released(root: Path, sheet: str) -> Path:
    """The file of a sheet as students get it, in the course folder `root`."""
    return root / "release" / sheet / f"{sheet}.ipynb"


def _check_blank(path: Path) -> None:
    text = "\n".join(map(source, code_cells(read_notebook(path))))
    if shown := [secret for secret in SECRETS if secret in text]:
        raise RuntimeError(f"{path.name} for students still has {', '.join(shown)}")
