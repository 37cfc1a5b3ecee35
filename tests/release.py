"""Build the archives of a version, and try them as their users will: ``make release``.

The wheel and the source archive are built into ``build/release``. Each is looked through, and the
wheel is installed into an empty environment of every Python that the project allows and that uv
finds or can download; another is named by its path. There the examples of README.md run, in a
folder that holds nothing else. Nothing is uploaded and no tag is set: the last lines say what is
left to do by hand.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "release"
PYTHONS = "3.11", "3.12", "3.13", "3.14"
#: What users miss if the wheel does not have it.
NEEDED = "py.typed", "__init__.pyi", "sources.toml", "published/numbers/testbed_table3.csv"
#: What no archive may have: data of others, caches, environments, what a run left behind.
FOREIGN = re.compile(
    r"(^|/)(build|lab|\.venv|__pycache__|\.ipynb_checkpoints)/|\.(pyc|arff|parquet)$"
    r"|\.(FAILED|running)\.ipynb$"
)
UV = sys.executable, "-m", "uv"
# With the build backend of this environment: nothing is downloaded to build.
BUILD = *UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable


class Refused(Exception):
    """An archive that must not be published; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check and try; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    text = "versions or paths of the Pythons to try the wheel with; default %(default)s"
    parser.add_argument("--pythons", default=",".join(PYTHONS), help=text)
    options = parser.parse_args(arguments)
    try:
        version = version_of(ROOT)
        wheel, source = build(FOLDER)
        check_wheel(wheel)
        check_source(source)
        check_same(wheel, source)
        tried = [try_wheel(wheel, python) for python in options.pythons.split(",")]
    except (Refused, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not any(tried):
        print("error: no Python was there to try the wheel with", file=sys.stderr)
        return 1
    for path in (wheel, source):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}")
    for line in left_to_do(ROOT, version):
        print(f"left to you: {line}")
    return 0


def version_of(root: Path) -> str:
    """The version, which four files must agree on."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    found = {
        "pyproject.toml": project["version"],
        "CITATION.cff": yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"],
        "src/repro/__init__.py": _first(r'__version__ = "(.+?)"', root / "src/repro/__init__.py"),
        "CHANGELOG.md": _first(r"## (\d\S*?),", root / "CHANGELOG.md"),
    }
    if len(set(found.values())) > 1:
        said = ", ".join(f"{file} {version}" for file, version in found.items())
        raise Refused(f"all files must name one version; got {said}")
    return str(found["pyproject.toml"])


def _first(pattern: str, path: Path) -> str:
    match = re.search(pattern, path.read_text("utf-8"))
    return match[1] if match else "none"


def build(folder: Path) -> tuple[Path, Path]:
    """Build the wheel and the source archive into `folder`, which holds nothing else then."""
    shutil.rmtree(folder, ignore_errors=True)
    print(f"release 1/3: archives in {folder.relative_to(ROOT)} (a few seconds)", flush=True)
    subprocess.run([*BUILD, "--out-dir", str(folder)], cwd=ROOT, check=True)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def check_wheel(wheel: Path) -> None:
    """Raise `Refused` unless the wheel has what users need, and nothing of others."""
    print("release 2/3: what the archives hold", flush=True)
    names = zipfile.ZipFile(wheel).namelist()
    for needed in NEEDED:
        if f"repro/{needed}" not in names:
            raise Refused(f"{wheel.name} must have repro/{needed}")
    outside = [n for n in names if not n.startswith(("repro/", "repro_streams-"))]
    _check_names(wheel, names, outside)


def check_source(source: Path) -> None:
    """Raise `Refused` if the source archive has what is of others."""
    with tarfile.open(source) as archive:
        _check_names(source, archive.getnames(), [])


def _check_names(archive: Path, names: Sequence[str], outside: Sequence[str]) -> None:
    if foreign := [*outside, *filter(FOREIGN.search, names)]:
        raise Refused(f"{archive.name} must not have {foreign[0]} ({len(foreign)} such files)")


def check_same(wheel: Path, source: Path) -> None:
    """Raise `Refused` unless the wheel that the source archive gives is this one."""
    folder = FOLDER / "again"
    command = [*BUILD, "--wheel", "--out-dir", str(folder), str(source)]
    subprocess.run(command, cwd=ROOT, check=True)
    again = zipfile.ZipFile(folder / wheel.name)
    here = zipfile.ZipFile(wheel)
    differ = {i.filename for i in here.infolist()} ^ {i.filename for i in again.infolist()}
    differ |= {n for n in here.namelist() if n not in differ and here.read(n) != again.read(n)}
    shutil.rmtree(folder)
    if differ:
        raise Refused(f"{source.name} gives another wheel: {min(differ)} differs")


def try_wheel(wheel: Path, python: str) -> bool:
    """Run the examples of README.md with the wheel in an empty environment of this `python`.

    They read a Parquet file, for which the extra "data" is there.

    False if there is no such Python. Raises `Refused` if an example fails.
    """
    folder = FOLDER / f"python-{python}".replace(os.sep, "_")
    made = [*UV, "venv", "--quiet", "--python", python, str(folder / "env")]
    if subprocess.run(made, capture_output=True, check=False).returncode:
        print(f"release 3/3: not tried with Python {python}, which uv does not find", flush=True)
        return False
    print(f"release 3/3: the examples of README.md with Python {python} (a minute)", flush=True)
    program = folder / "env" / "bin" / "python"
    with_uv = [*UV, "pip", "install", "--quiet", "--python", str(program), f"{wheel}[data]"]
    if subprocess.run(with_uv, capture_output=True, check=False).returncode:
        # uv does not read pip's configuration: where only pip reaches the packages, pip installs.
        with_pip = [sys.executable, "-m", "pip", "--python", str(program), "install", "--quiet"]
        subprocess.run([*with_pip, f"{wheel}[data]"], check=True)
    empty = folder / "empty"
    empty.mkdir()
    shutil.copy(ROOT / "README.md", empty)
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "REPRO_"))}
    variables["REPRO_CACHE"] = str(folder / "cache")
    command = [str(program), "-m", "doctest", "README.md"]
    done = subprocess.run(command, cwd=empty, env=variables, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"with Python {python} an example fails:\n{done.stdout[-2000:]}")
    shutil.rmtree(folder)
    return True


def left_to_do(root: Path, version: str) -> Iterator[str]:
    """What a person does before and after: the date, a clean checkout, the tag, the upload."""
    if re.search(rf"## {re.escape(version)}, in preparation", (root / "CHANGELOG.md").read_text()):
        yield f"write the date of {version} into CHANGELOG.md, and build again"
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=False
    )
    if status.stdout.strip():
        yield "commit what is not committed, and build again"
    yield f"git tag -a v{version} -m 'repro {version}' && git push --tags"
    yield "upload the two archives of build/release; write the archive's DOI into CITATION.cff"


if __name__ == "__main__":
    sys.exit(main())
