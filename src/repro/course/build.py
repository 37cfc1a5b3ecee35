"""Make what a course needs: a zip for students and the course folder of the teacher."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from repro import _files, streams
from repro._folders import need_checkout
from repro.course._made import MARK, make_anew, refuse_others
from repro.course.release import make_course, released
from repro.course.sheets import Sheet, sheets

__all__ = ["build", "environment"]

START = "START.md"  # how to start, for students; beside the sheets
TEACHING = Path("docs") / "teaching.md"


def build(output: Path | str | None = None, *, wheel: bool = True) -> Path:
    """Make the exercises from the sheets with solutions; returns the folder that holds them.

    ``course`` is nbgrader's folder, with sources and releases; ``students.zip`` is for the class:
    the notebooks, generated streams as CSV, ``environment.yml``, this package as a wheel, and a
    page on how to start. Both are made anew, unless they hold files that were not made here.

    Parameters
    ----------
    output : the folder to make; by default ``build/exercises`` of the checkout
    wheel : whether to build the wheel, which takes seconds; without it students need this package

    Raises ImportError without nbgrader, `repro._folders.NoCheckout` outside a checkout,
    FileExistsError for a folder with other files, and RuntimeError if the wheel or a release cannot
    be made.
    """
    root, chosen = need_checkout(), sheets()
    where = Path(output) if output else root / "build" / "exercises"
    folder = where / "students"
    refuse_others(where / "course", folder)
    course = make_course(where / "course", chosen)
    shutil.copy(root / TEACHING, course / TEACHING.name)
    make_anew(folder)
    _fill(folder, root, course, chosen, wheel)
    with _files.replacing(where / "students.zip") as temporary:
        _pack(folder, temporary)
    return where


def _pack(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != MARK):
            archive.write(path, Path("exercises") / path.relative_to(folder))


def environment(root: Path, package: str = "") -> str:
    """The text of a student's ``environment.yml``: this package's requirements and JupyterLab.

    Parameters
    ----------
    root : the checkout, whose pyproject.toml names the requirements
    package : the file of the wheel, to be installed as well; none if empty
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [*project["dependencies"], *project["optional-dependencies"]["student"]]
    lines = ["name: exercises", "channels:", "  - conda-forge", "dependencies:"]
    lines += [f"  - python{project['requires-python']}", *(f"  - {need}" for need in needs)]
    if package:
        lines += ["  - pip", "  - pip:", f"      - ./{package}"]
    return "\n".join(lines) + "\n"


def _fill(folder: Path, root: Path, course: Path, chosen: Mapping[str, Sheet], wheel: bool) -> None:
    """Write what students get into `folder`."""
    (folder / "data").mkdir()
    for name in chosen:
        shutil.copy(released(course, name), folder / f"{name}.ipynb")
    streams.export(streams.electricity_like(seed=0), folder / "data" / "market.csv")
    streams.export(streams.TESTBED["NSGT"].sample(seed=0), folder / "data" / "NSGT.csv")
    package = _wheel(root, folder) if wheel else ""
    (folder / "environment.yml").write_text(environment(root, package), encoding="utf-8")
    page = (root / "notebooks" / "exercises" / START).read_text(encoding="utf-8")
    page = page.replace("WHEEL", package or "repro_streams-*.whl")
    (folder / START).write_text(page, encoding="utf-8")


def _wheel(root: Path, folder: Path) -> str:
    """Build this package into `folder`; the name of the file."""
    # The requirements are not built, and nothing is downloaded: hatchling is installed.
    how = ["pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir"]
    command = [sys.executable, "-m", *how, str(folder), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    built = sorted(path.name for path in folder.glob("*.whl"))
    if done.returncode or not built:
        raise RuntimeError(f"the wheel could not be built:\n{done.stderr.strip()}")
    return built[0]
