"""Mutants are changes of one place of the code, and tests decide about them."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import mutants
import pytest

FILE = "src/repro/wing/code.py"
CODE = '''
def f(a: int = 1, *, deep=True) -> int:
    """Say 1 < 2."""
    check(a, least=2)
    if a < 3 and not deep:
        return a + 1
    return [a][0]
'''
CHANGED = [
    ("1", "2"),
    ("True", "False"),
    ("check(a, least=2)", "pass"),
    ("least=2", ""),
    ("2", "3"),
    ("if a < 3 and (not deep):", "if not (a < 3 and (not deep)):"),
    ("a < 3 and (not deep)", "a < 3 or not deep"),
    ("a < 3", "a <= 3"),
    ("3", "4"),
    ("not deep", "deep"),
    ("a + 1", "a - 1"),
    ("1", "2"),
    ("0", "1"),
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A library of one module, with its test."""
    (tmp_path / "src/repro/wing").mkdir(parents=True)
    (tmp_path / FILE).write_text(CODE)
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants.covered, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "LIBRARY", tmp_path / "src/repro")
    return tmp_path


def test_each_place_is_changed_alone(project):
    plain = ast.unparse(ast.parse(CODE)) + "\n"
    made = [make() for make in mutants.mutants_of(FILE)]
    assert sorted((m.before, m.after) for m in made) == sorted(CHANGED)
    assert len({m.text for m in made} | {plain}) == len(made) + 1
    for mutant in made:
        assert mutant.wing == "wing"
        assert '"""Say 1 < 2."""' in mutant.text
        assert "def f(a: int=" in mutant.text
        ast.parse(mutant.text)


def test_a_sample_is_the_same_again_and_without_repeats(project):
    one, other = mutants.sampled(9, seed=1), mutants.sampled(9, seed=2)
    assert one == mutants.sampled(9, seed=1) != other
    assert len({m.text for m in one}) == 9
    assert len(mutants.sampled(100, seed=1)) == len(CHANGED)
    assert mutants.sampled(9, seed=1, only="streams") == []


def test_every_wing_of_the_library_has_its_share():
    wings = {path.name for path in mutants.LIBRARY.iterdir() if (path / "__init__.py").is_file()}
    chosen = mutants.sampled(30, seed=0)
    assert {m.wing for m in chosen} == wings | {"top"}
    for mutant in chosen:
        compile(mutant.text, mutant.file, "exec")


@pytest.mark.parametrize(
    ("text", "test", "what"),
    [
        ("N = 1\n", "def test_n(): assert code.N == 1\n", ("survives", "")),
        ("N = 2\n", "def test_n(): assert code.N == 1\n", ("killed", "test_it.py::test_n")),
        ("N = (\n", "def test_n(): assert code.N == 1\n", ("killed", "")),
        ("N = 1\n", "", ("no test", "")),
    ],
)
def test_a_mutant_is_killed_by_a_test_that_fails(tmp_path, text, test, what):
    (tmp_path / "src").mkdir()
    (tmp_path / "test_it.py").write_text(f"import code_of_mine as code\n{test}")
    assert mutants.passes(tmp_path, "src/code_of_mine.py", text, ["test_it.py"]) == what


def test_tests_that_are_stopped_have_seen_nothing(tmp_path):
    (tmp_path / "test_it.py").write_text("import time\ndef test_n(): time.sleep(100)\n")
    end = time.monotonic() + 4
    assert mutants.passes(tmp_path, "other.py", "", ["test_it.py"], end=end) == ("survives", "")


def test_a_test_that_takes_too_long_has_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "PATIENCE", 4)
    (tmp_path / "test_it.py").write_text("import time\ndef test_n(): time.sleep(100)\n")
    killed = "killed", "test_it.py::test_n"
    assert mutants.passes(tmp_path, "other.py", "", ["test_it.py"]) == killed


TESTS = """
from pathlib import Path
from repro.wing.code import f

def test_the_text(): assert "# a comment" in Path("src/repro/wing/code.py").read_text()
def test_the_function(): assert f({0}) == min({0}, 5)
"""


@pytest.mark.parametrize(("a", "what"), [(7, "killed"), (3, "survives")])
def test_a_test_that_fails_without_the_change_says_nothing(project, monkeypatch, a, what):
    """A mutant is written without comments: a test that reads them fails always."""
    (project / FILE).write_text("def f(a):  # a comment\n    return min(a, 5)\n")
    for package in ("repro", "repro/wing"):  # else the installed one is imported
        (project / "src" / package / "__init__.py").touch()
    (project / "test_it.py").write_text(TESTS.format(a))
    monkeypatch.setattr(mutants.touched, "rings_of", lambda _: iter([{"test_it.py"}]))
    monkeypatch.setattr(mutants, "COPIED", ("src", "test_it.py"))
    (make,) = mutants.mutants_of(FILE)
    copies = mutants.Copies(project)
    assert copies.tried(make()) == what
    assert copies.unsound == {"test_it.py::test_the_text"}


def test_the_lines_of_a_mutant_are_those_of_its_statement(project):
    """Line 2 has the arguments of the function, so any line of its body tells who calls it."""
    made = {(m.line, m.before): m.lines for m in map(_call, mutants.mutants_of(FILE))}
    assert made[2, "1"] == (3, 4, 5, 6, 7)
    assert made[5, "a < 3"] == made[5, "3"] == (5,)
    assert made[6, "a + 1"] == (6,)
    assert made[4, "check(a, least=2)"] == (4,)
    (project / FILE).write_text("N = 1\n\ndef f():\n    return N\n")
    assert [make().lines for make in mutants.mutants_of(FILE)] == [()]
    assert mutants.covered.lines_of_functions(FILE) == {4}


def _call(make):
    return make()


OF_BRANCHES = """
import time
import pytest
from repro.wing.code import f

@pytest.mark.parametrize("a", [1, 3, 5])
def test_both(a):
    time.sleep(0.2 * a)
    assert f(a) > 0

def test_neither():
    pass
"""


@pytest.mark.slow
def test_coverage_says_which_tests_run_a_line(project):
    """In a process of its own, where another run is already followed."""
    (project / FILE).write_text("def f(a):\n    if a < 4:\n        return 1\n    return 2\n")
    for package in ("repro", "repro/wing"):
        (project / "src" / package / "__init__.py").touch()
    (project / "tests").mkdir()
    (project / "tests/test_it.py").write_text(OF_BRANCHES)
    shutil.copy(mutants.covered.__file__, project / "tests")
    (project / "pytest.ini").write_text("[pytest]\nmarkers = slow\n  long\n")
    code = "import covered; run = covered.made(); assert covered.kept().seconds == run.seconds; "
    code += "print([run.tests('src/repro/wing/code.py', [i]) for i in (2, 3, 4, 5)]); "
    code += "print(run.within(1.0, run.of_files(['tests/test_it.py'])))"
    ours = {"PYTHONPATH": f"{project}/src:{project}/tests", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code]
    said = subprocess.run(
        command, env=os.environ | ours, cwd=project, capture_output=True, text=True, check=True
    )
    *_, by_line, first = said.stdout.splitlines()
    one, three, five = (f"tests/test_it.py::test_both[{a}]" for a in (1, 3, 5))
    assert ast.literal_eval(by_line) == [[one, three, five], [one, three], [five], []]
    assert ast.literal_eval(first) == ["tests/test_it.py::test_neither", one, three]


def test_a_run_during_which_a_file_changed_is_not_kept(project, monkeypatch):
    def edited(command, **_):
        Path(command[-1], "seconds.json").write_text("{}")
        (project / FILE).write_text("N = 1\n")

    monkeypatch.setattr(mutants.covered.subprocess, "run", edited)
    with pytest.raises(SystemExit, match="changed during the run"):
        mutants.covered.made()
    assert not [*project.rglob("seconds.json")]


def test_tests_that_run_the_line_come_first(project, monkeypatch):
    """Those of near files before others, the quick before the slow, within the time there is."""
    seconds = {"a.py::slow": 30.0, "a.py::quick": 1.0, "b.py::far": 0.1, "a.py::beside": 0.5}
    lines = SimpleNamespace(contexts_by_lineno=lambda _: {7: [f"{t}|run" for t in [*seconds][:3]]})
    run = mutants.Covered(lines, seconds)
    monkeypatch.setattr(mutants.touched, "rings_of", lambda _: iter([{"a.py"}]))
    (project / "a.py").touch()
    mutant = mutants.Mutant(FILE, 7, "", "", "", (7,))
    copies = mutants.Copies(Path("unused"), run)
    assert copies.nearest(mutant) == ["a.py::quick", "a.py::slow", "b.py::far", "a.py::beside"]
    monkeypatch.setattr(mutants, "BUDGET", 31.05)
    assert copies.nearest(mutant) == ["a.py::quick", "a.py::slow"]
    assert mutants.Copies(Path("unused")).nearest(mutant) == [FILE, "a.py"]


def test_a_campaign_that_is_stopped_keeps_what_was_counted(monkeypatch):
    """Also if Ctrl-C comes several times, as a process group may get it."""

    class Stopped:
        def __init__(self, place, run):
            pass

        def tried(self, mutant):
            if mutant.line == 3:
                for _ in range(3):
                    os.kill(os.getpid(), signal.SIGINT)
            return "killed"

    monkeypatch.setattr(mutants, "Copies", Stopped)
    before = signal.getsignal(signal.SIGINT)
    chosen = [mutants.Mutant(FILE, line, "", "", "", ()) for line in range(200)]
    by_wing, survivors = mutants.tried(chosen, jobs=1, quiet=True)
    assert (list(by_wing), survivors) == (["wing"], [])
    assert by_wing["wing"].keys() == {"killed"}
    assert by_wing["wing"].total() >= 1
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.long
def test_most_of_a_few_mutants_are_killed():
    """73 % of the table in docs/reliability.md; two standard errors of a share of 40 are 14 %."""
    by_wing, _ = mutants.tried(mutants.sampled(40, seed=1), jobs=2, quiet=True)
    seen = sum(by_wing.values(), Counter())
    assert seen.total() == 40
    assert seen["killed"] >= 24, seen
