"""Make what a course needs: a zip for students and the course folder of the teacher.

Of folders that exist, only those are made anew that were made here, and empty ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from repro import streams
from repro._checks import as_folder, as_path, check_flag, check_text
from repro._folders import need_checkout
from repro.course import _nbgrader
from repro.course._cells import read_cells, read_notebook, source, with_points, write_notebook
from repro.course._predictions import with_prediction_cells
from repro.course._self_study import SELF_STUDY, for_readers, with_tests
from repro.course.sheets import Sheet, sheets

__all__ = ["MARK", "build", "environment", "make_anew", "make_course", "released"]

START = "START.md"  # how to start, for students; beside the sheets
TEACHING = Path("docs") / "teaching.md"
SECRETS = ("BEGIN SOLUTION", "BEGIN HIDDEN TESTS")
MARK = ".made-by-repro"
SAYS = "Made by the exercises of repro, which empties this folder when it makes it again.\n"
# Folders that an earlier version made without a mark: a file in them, and how it starts.
UNMARKED = {
    "nbgrader_config.py": '"""Settings of this course folder for nbgrader; written by `make exe',
    "environment.yml": "name: exercises\n",
}


def build(
    output: Path | str | None = None, *, wheel: bool = True, self_study: bool = False
) -> Path:
    """Make the exercises from the sheets with solutions; returns the folder that holds them.

    ``course`` is nbgrader's folder, with sources and releases; ``students.zip`` is for the class:
    the sheets, the notebooks that they are made from, generated streams as CSV,
    ``environment.yml``, this package as a wheel, and a page on how to start. All are made anew,
    unless they hold files that were not made here.

    Parameters
    ----------
    output : the folder to make; by default ``build/exercises`` of the checkout
    wheel : whether to build the wheel, which takes seconds; without it students need this package
    self_study : make ``self-study.zip`` in place of ``students.zip``: checks say what is right

    Raises ImportError without nbgrader, `repro._folders.NoCheckout` outside a checkout,
    FileExistsError for a folder with other files, and RuntimeError if the wheel or a release cannot
    be made.
    """
    root, by_name = need_checkout(), sheets()
    check_flag(self_study, name="self_study")
    where = Path(output) if output else root / "build" / "exercises"
    folder = where / (SELF_STUDY if self_study else "students")
    _refuse_others(where / "course", folder)
    making = where / ".making"  # all of it, before anything is replaced
    make_anew(making)
    try:
        course = make_course(making / "course", by_name)
        shutil.copy(root / TEACHING, course / TEACHING.name)
        make_anew(making / folder.name)
        _fill(making / folder.name, root, course, by_name, wheel)
        _pack(making / folder.name, making / f"{folder.name}.zip")
        for name in ("course", folder.name):
            if (where / name).exists():
                os.replace(where / name, making / f"old-{name}")
            os.replace(making / name, where / name)
        os.replace(making / f"{folder.name}.zip", where / f"{folder.name}.zip")
    finally:
        shutil.rmtree(making)
    return where


def make_course(root: Path, chosen: Mapping[str, Sheet], timeout: int = 60) -> Path:
    """Make `root` a course folder of nbgrader with the release of each sheet; returns `root`.

    The folder is made anew. Raises ImportError without nbgrader, FileExistsError if it holds files
    that were not made here, and RuntimeError if a release cannot be made or still shows a solution.
    """
    _nbgrader.need_nbgrader()
    make_anew(root)
    _nbgrader.new_course(root, timeout)
    for sheet in chosen.values():
        folder = root / "source" / sheet.name
        folder.mkdir(parents=True)
        shutil.copy(sheet.path, folder / f"{sheet.name}.ipynb")
        _nbgrader.generate(root, sheet.name)
        path = released(root, sheet.name)
        write_notebook(path, with_points(with_prediction_cells(read_notebook(path))))
        _check_blank(path)
    return root


def released(root: Path, sheet: str) -> Path:
    """The file of a sheet as students get it, in the course folder `root`."""
    check_text(sheet, name="sheet")
    folder = as_path(root, name="root", what="the path of a folder")
    return folder / "release" / sheet / f"{sheet}.ipynb"


def environment(root: Path, package: str = "") -> str:
    """The text of a student's ``environment.yml``: this package's requirements and JupyterLab.

    Parameters
    ----------
    root : the checkout, whose pyproject.toml names the requirements
    package : the file of the wheel, to be installed as well; none if empty
    """
    root = as_folder(root, name="root")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [*project["dependencies"], *project["optional-dependencies"]["student"]]
    lines = ["name: exercises", "channels:", "  - conda-forge", "dependencies:"]
    lines += [f"  - python{project['requires-python']}", *(f"  - {need}" for need in needs)]
    if package:
        lines += ["  - pip", "  - pip:", f"      - ./{package}"]
    return "\n".join(lines) + "\n"


def make_anew(folder: Path) -> None:
    """Make `folder` empty, but for the file `MARK`; see `_refuse_others`."""
    _refuse_others(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(SAYS, encoding="utf-8")  # first: this may be interrupted
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != MARK:
            path.unlink()


def _fill(
    folder: Path, root: Path, course: Path, by_name: Mapping[str, Sheet], wheel: bool
) -> None:
    """Write what students get into `folder`."""
    (folder / "data").mkdir()
    self_study = folder.name == SELF_STUDY
    for name, sheet in by_name.items():
        notebook = read_notebook(released(course, name))
        if self_study:
            notebook = with_tests(notebook, read_notebook(sheet.path))
        write_notebook(folder / f"{name}.ipynb", notebook)
    (folder / "notebooks").mkdir()
    for path in (root / "notebooks" / f"{name}.ipynb" for name in by_name):
        if path.is_file():
            shutil.copy(path, folder / "notebooks")
    streams.export(streams.electricity_like(seed=0), folder / "data" / "market.csv")
    streams.export(streams.TESTBED["NSGT"].sample(seed=0), folder / "data" / "NSGT.csv")
    package = _wheel(root, folder) if wheel else ""
    (folder / "environment.yml").write_text(environment(root, package), encoding="utf-8")
    page = (root / "notebooks" / "exercises" / START).read_text(encoding="utf-8")
    page = for_readers(page, SELF_STUDY if self_study else "class")
    page = page.replace("WHEEL", package or "repro_streams-*.whl")
    (folder / START).write_text(page, encoding="utf-8")


def _wheel(root: Path, folder: Path) -> str:
    """Build this package into `folder`; the name of the file."""
    # Not by pip, which environments of uv do not have; nothing is downloaded.
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    command += ["--directory", str(folder.resolve())]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    built = sorted(path.name for path in folder.glob("*.whl"))
    if done.returncode or not built:
        raise RuntimeError(f"the wheel could not be built:\n{done.stderr.strip()}")
    return built[0]


def _pack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != MARK):
            archive.write(path, Path("exercises") / path.relative_to(folder))


def _check_blank(path: Path) -> None:
    text = "\n".join(map(source, read_cells(read_notebook(path))))
    if shown := [secret for secret in SECRETS if secret in text]:
        raise RuntimeError(f"{path.name} for students still has {', '.join(shown)}")


def _refuse_others(*folders: Path) -> None:
    """Raise FileExistsError if one of the `folders` holds anything and was not made here."""
    for folder in folders:
        if folder.is_dir() and any(folder.iterdir()) and not _is_ours(folder):
            rule = "the folder holds files that were not made here, and would be emptied"
            raise FileExistsError(f"{rule}; move it away or choose another place: {folder}")


def _is_ours(folder: Path) -> bool:
    if (folder / MARK).is_file():
        return True
    files = (folder / name for name in UNMARKED if (folder / name).is_file())
    return any(
        path.read_text(encoding="utf-8", errors="replace").startswith(UNMARKED[path.name])
        for path in files
    )
