"""Which tests run a line of the library, and how long each takes: from one run with coverage.

    python tests/covered.py    # up to an hour on two cores; kept in build/covered

It is made again when a file of the library or of its tests has changed. Tests marked slow are left
out, and so are those of the site. Coverage sees no compiled code, and nothing in the processes that
tests start: their lines have no tests here.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
TESTS = ["-q", "-p", "no:nbval", "-p", "no:cacheprovider", "-m", "not slow and not long"]
TESTS += ["--numprocesses", "2", "--dist", "worksteal", "tests", "src", "--ignore=tests/site"]
SECONDS = "seconds.json"  # written last: without it a run did not come to its end
COVERAGE = ["--cov", "--cov-context=test", "--cov-report="]


class Covered(NamedTuple):
    """What a run of the tests has shown."""

    lines: CoverageData
    seconds: dict[str, float]  # by test

    def tests(self, file: str, lines: Iterable[int]) -> list[str]:
        """The tests that run one of the lines of a file, the quickest first."""
        by_line = self.lines.contexts_by_lineno(file)
        known = {name.rpartition("|")[0] for line in lines for name in by_line.get(line, ())}
        return self.by_time(known & {*self.seconds})

    def by_time(self, tests: Iterable[str]) -> list[str]:
        """The tests, the quickest first."""
        return sorted(tests, key=lambda name: (self.seconds[name], name))

    def of_files(self, files: Iterable[str]) -> list[str]:
        """All tests in files of tests, the quickest first."""
        wanted = {*files}
        return self.by_time(name for name in self.seconds if file_of(name) in wanted)

    def within(self, budget: float, tests: Iterable[str]) -> list[str]:
        """The first of the tests that take at most `budget` seconds together."""
        chosen = list[str]()
        for name in dict.fromkeys(tests):
            if (budget := budget - self.seconds[name]) < 0:
                break
            chosen.append(name)
        return chosen


def file_of(test: str) -> str:
    """The file of a test, or of the doctests of a module."""
    return test.partition("::")[0]


def lines_of_functions(file: str) -> set[int]:
    """The lines that run when functions are called, and not when the module is imported."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return {i for f in functions for i in range(f.body[0].lineno, (f.end_lineno or 0) + 1)}


def folder() -> Path:
    """Where a run of the tests as they are now is kept."""
    digest = hashlib.sha256()
    for path in sorted(p for top in ("src", "tests") for p in (ROOT / top).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return ROOT / "build" / "covered" / digest.hexdigest()[:16]


def kept(place: Path | None = None) -> Covered | None:
    """The run of the tests that is in a folder, by default of those as they are now, if any."""
    place = place or folder()
    if not (place / SECONDS).is_file():
        return None
    lines = CoverageData(str(place / "lines"))
    lines.read()
    return Covered(lines, json.loads((place / SECONDS).read_text(encoding="utf-8")))


def made() -> Covered:
    """The kept run; without one, the tests run now."""
    place = folder()
    if (known := kept(place)) is not None:
        return known
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, __file__, str(place)], cwd=ROOT, check=False)
    if folder() != place:  # some tests may have run the old code and others the new
        (place / SECONDS).unlink(missing_ok=True)
        raise SystemExit("a file of the library or of its tests changed during the run: once more")
    if (known := kept(place)) is None:
        raise SystemExit("the tests with coverage did not come to their end")
    return known


class _Timed:
    """Writes down at the end how long each test took."""

    def __init__(self, place: Path) -> None:
        self.place, self.seconds = place, dict[str, float]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        before = self.seconds.get(report.nodeid, 0.0)
        self.seconds[report.nodeid] = round(before + report.duration, 3)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            part = self.place.with_suffix(".part")
            part.write_text(json.dumps(self.seconds), encoding="utf-8")
            part.replace(self.place)  # what is there is whole


def run(place: Path) -> int:
    """Run the tests, and put what they show into a folder."""
    os.chdir(ROOT)
    os.environ["MPLBACKEND"] = "agg"
    # sys.monitoring, the default from Python 3.14 on, tells only the first test that runs a line.
    os.environ["COVERAGE_CORE"] = "ctrace"
    with tempfile.NamedTemporaryFile("w", suffix=".rc", encoding="utf-8") as settings:
        settings.write("[run]\nsource = repro\nrelative_files = true\n")
        settings.write(f"data_file = {place / 'lines'}\n")
        settings.flush()
        arguments = [*TESTS, *COVERAGE, f"--cov-config={settings.name}"]
        return int(pytest.main(arguments, plugins=[_Timed(place / SECONDS)]))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(run(Path(sys.argv[1])))
    made()
