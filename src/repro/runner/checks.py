"""The project's own checks: style, types and spelling, unit tests, the tables of the notebooks.

Some show in minutes that an installation works: the tests marked `contract`, which say what every
learner, detector, stream and module keeps, all doctests, and the tables of two notebooks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from repro.runner import console, needs
from repro.runner.figures import share_of_cores

__all__ = ["PARTS", "STRIP", "Check", "checks_of", "perform"]

# A committed notebook keeps its outputs and counts, which nbval compares, but no run times.
STRIP = ["--keep-output", "--keep-count", "--keep-id", "--extra-keys"]
STRIP += ["metadata.papermill cell.metadata.papermill cell.metadata.execution"]
# One process per core. The unit tests do without nbval, which takes seconds to load.
UNIT = ["-p", "no:nbval", "--numprocesses", "auto", "--dist", "worksteal"]
# All cells of a notebook run in the same process.
NBVAL = ["--numprocesses", "auto", "--dist", "loadscope", "--nbval-lax"]
NBVAL += ["--nbval-cell-timeout=3600"]


# A minute or two each; the others take longer.
FAST = "02_estimators", "03_drift_detection"
# Half an hour each: continuous integration leaves them to the quick profile, and says so.
LONG = ("06_scenarios",)
SKIP_LONG = "REPRO_SKIP_LONG"
HOW = "(all: make test ALL=1, or python -m repro test --all)"


class Check(NamedTuple):
    """A command of the project, and the variables that it needs."""

    command: list[str]
    variables: Mapping[str, str | None]  # None removes a variable

    def run(self, root: Path) -> int:
        """Run it in `root`, after a line that says what runs; its exit code."""
        shown = [Path(self.command[0]).stem if i == 0 else a for i, a in enumerate(self.command)]
        console.say("$ " + " ".join(f"'{a}'" if " " in a else a for a in shown))
        environment = {**os.environ, **{k: v for k, v in self.variables.items() if v is not None}}
        for name in (k for k, v in self.variables.items() if v is None):
            environment.pop(name, None)
        return subprocess.run(self.command, cwd=root, env=environment, check=False).returncode


def checks_of(part: str, root: Path, scope: str = "all") -> Iterator[Check]:
    """The commands of one of the `PARTS`: all, those that are fast, or the rest."""
    yield from PARTS[part](root, scope)


def perform(parts: list[str], root: Path, scope: str = "all") -> int:
    """Run the commands of `parts` until one fails; its exit code, or 0."""
    for part in parts:
        for check in checks_of(part, root, scope):
            if code := check.run(root):
                return code
    return 0


def _lint(root: Path, scope: str) -> Iterator[Check]:
    """Style, spelling, types, and no run times in committed notebooks."""
    if scope == "rest":
        return
    lines = [["ruff", "check"], ["ruff", "format", "--check"], ["typos"], ["mypy"]]
    if notebooks := _notebooks(root):
        lines.append(["nbstripout", "--verify", *STRIP, *notebooks])
    needs.need("the part lint", "dev", programs=[tool for tool, *_ in lines])
    for tool, *arguments in lines:
        yield Check([needs.program(tool) or tool, *arguments], {})


def _unit(root: Path, scope: str) -> Iterator[Check]:
    """Unit tests and doctests; the fast ones are the contracts and the doctests."""
    needs.need("the part unit", "dev", packages=["pytest", "xdist", "hypothesis"])
    # pytest rewrites the assertions of every test file, unless it may keep bytecode.
    variables = {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": None}
    command = [sys.executable, "-m", "pytest", *UNIT]
    if scope != "fast" and os.environ.get(SKIP_LONG):
        console.say(f"left out, since {SKIP_LONG} is set: unit tests marked long")
        command += ["-m", "not long" if scope == "all" else "not contract and not long"]
    elif scope == "rest":
        command += ["-m", "not contract"]
    elif scope == "fast":
        tests = sorted((root / "tests").rglob("test_*.py"))
        files = [path for path in tests if "pytest.mark.contract" in path.read_text("utf-8")]
        console.say(
            f"left out: {len(tests) - len(files)} of {len(tests)} files of unit tests {HOW}"
        )
        doctests = [name for name in _test_paths(root) if name != "tests"]
        command += ["-m", "contract", *(p.relative_to(root).as_posix() for p in files), *doctests]
    yield Check(command, variables)


def _test_paths(root: Path) -> list[str]:
    """Where pytest looks for tests and doctests."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return list(settings["tool"]["pytest"]["ini_options"]["testpaths"])


def _tables(root: Path, scope: str) -> Iterator[Check]:
    """The tables of the notebooks; they write to build/, so the committed results do not change."""
    variables = {"REPRO_OUTPUT": str(root / "build" / "nbval"), "OMP_NUM_THREADS": "1"}
    notebooks = _notebooks(root)
    if notebooks:
        needs.need("the part notebooks", "dev", packages=["pytest", "xdist", "nbval"])
    fast = [name for name in notebooks if Path(name).stem in FAST]
    slow = [name for name in notebooks if name not in fast]
    if scope == "fast":
        left_out = ", ".join(Path(name).stem for name in slow)
        console.say(f"left out: the tables of {left_out} {HOW}")
        notebooks = fast
    elif scope == "rest":
        notebooks = slow
    if scope != "fast" and os.environ.get(SKIP_LONG):
        console.say(f"left out, since {SKIP_LONG} is set: {', '.join(LONG)}")
        notebooks = [name for name in notebooks if Path(name).stem not in LONG]
    if notebooks:
        command = [sys.executable, "-m", "pytest", *NBVAL, *notebooks]
        yield Check(command, variables | share_of_cores(len(notebooks)) | {"MPLBACKEND": None})


# The notebooks come last, since they use kernels that the unit tests compile.
PARTS = {"lint": _lint, "unit": _unit, "notebooks": _tables}


def _notebooks(root: Path) -> list[str]:
    paths = sorted(root.glob("notebooks/[0-9]*.ipynb"))
    stopped = (".FAILED", ".running")
    names = [p.relative_to(root).as_posix() for p in paths if not p.stem.endswith(stopped)]
    return names
