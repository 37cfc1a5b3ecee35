"""`make exercises` and `make grade` empty no folder of the user, and wait for each other."""

from __future__ import annotations

import importlib.util
import sqlite3
import sys
import threading
from pathlib import Path

import pytest

from repro import _folders, course
from repro.__main__ import main
from repro.course.build import MARK, make_anew
from repro.runner import checks, console, make_commands, needs


def test_a_folder_of_ours_is_emptied_and_another_is_not(tmp_path):
    ours, yours = tmp_path / "a" / "ours", tmp_path / "yours"
    make_anew(ours)
    (ours / "inner").mkdir()
    (ours / "inner" / "old").write_text("old")
    (ours / "file").write_text("old")
    make_anew(ours)
    assert [path.name for path in ours.iterdir()] == [MARK]
    yours.mkdir()
    make_anew(yours)  # empty
    (yours / MARK).unlink()
    (yours / "thesis.tex").write_text("mine")
    with pytest.raises(FileExistsError, match=r"not made here, and would be emptied; .*/yours$"):
        make_anew(yours)
    assert [path.name for path in yours.iterdir()] == ["thesis.tex"]


@pytest.mark.slow
def test_the_wheel_comes_into_a_folder_that_is_named_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert course.build("made") == Path("made")
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
    (wheel,) = (tmp_path / "made" / "students").glob("repro_streams-*.whl")
    assert f"./{wheel.name}" in (wheel.parent / "environment.yml").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nbgrader_config.py", "written by `make exercises`."),
        ("environment.yml", "name: exercises\n"),
    ],
)
def test_a_folder_of_an_earlier_version_is_known_by_a_file(tmp_path, name, text):
    start = '"""Settings of this course folder for nbgrader; ' if name.endswith("py") else ""
    (tmp_path / name).write_text(start + text)
    make_anew(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MARK]
    (tmp_path / MARK).unlink()
    (tmp_path / name).write_text("# mine\n" + text)
    with pytest.raises(FileExistsError, match="not made here"):
        make_anew(tmp_path)


def test_exercises_are_replaced_when_all_of_them_are_made(tmp_path, monkeypatch):
    module = sys.modules[make_anew.__module__]

    def course_of(root, chosen):
        make_anew(root)
        (root / "sheet").write_text(version)
        return root

    def fill(folder, *others):
        (folder / "sheet").write_text(version)

    monkeypatch.setattr(module, "make_course", course_of)
    monkeypatch.setattr(module, "_fill", fill)
    version = "old"
    where = course.build(tmp_path / "made", wheel=False)
    before = {path: path.read_bytes() for path in where.rglob("*") if path.is_file()}
    assert {path.name for path in where.iterdir()} == {"course", "students", "students.zip"}
    version = "new"
    with monkeypatch.context() as patch:
        patch.setattr(module, "_pack", lambda *paths: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            course.build(where, wheel=False)
    assert {path: path.read_bytes() for path in where.rglob("*") if path.is_file()} == before
    course.build(where, wheel=False)
    assert (where / "course/sheet").read_text() == (where / "students/sheet").read_text() == "new"
    assert {path.name for path in where.iterdir()} == {"course", "students", "students.zip"}


def test_a_link_in_a_folder_of_ours_is_removed_and_what_it_leads_to_stays(tmp_path):
    (tmp_path / "yours").mkdir()
    (tmp_path / "yours" / "file").write_text("mine")
    make_anew(tmp_path / "ours")
    (tmp_path / "ours" / "link").symlink_to(tmp_path / "yours", target_is_directory=True)
    make_anew(tmp_path / "ours")
    assert (tmp_path / "yours" / "file").read_text() == "mine"


@pytest.mark.parametrize("inner", ["course", "students"])
def test_the_command_refuses_a_folder_of_yours_in_one_line(tmp_path, capsys, inner):
    pytest.importorskip("nbgrader")
    (tmp_path / inner).mkdir()
    (tmp_path / inner / "thesis.tex").write_text("mine")
    assert main(["exercises", "--to", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("error: the folder holds files that were not made here")
    assert [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")] == [
        inner,
        f"{inner}/thesis.tex",
    ]


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ImportError("the course needs nbgrader"), 1, "error: the course needs nbgrader\n"),
        (RuntimeError("no release:\nlog\nwhy"), 1, "error: no release: why\n"),
        (FileExistsError(17, "File exists", "a"), 1, "error: [Errno 17] File exists: 'a'\n"),
        (FileNotFoundError("no folder x"), 2, "error: no folder x\n"),
        (ValueError("x must be y; got z"), 2, "error: x must be y; got z\n"),
        (sqlite3.OperationalError("disk is full\n[SQL: x]\n"), 1, "error: disk is full (in TO)\n"),
        (KeyError(), 1, "error: KeyError (in TO)\n"),
    ],
)
@pytest.mark.parametrize("command", ["exercises", "grade"])
def test_what_fails_is_one_line(tmp_path, monkeypatch, capsys, command, error, code, line):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(course, {"exercises": "build"}.get(command, command), fail)
    submitted = ["x"] if command == "grade" else []
    assert main([command, *submitted, "--to", str(tmp_path / "to")]) == code
    assert capsys.readouterr() == ("", line.replace("TO", str(tmp_path / "to")))


def test_two_commands_on_one_folder_come_one_after_the_other(tmp_path, monkeypatch):
    said_waiting, order = threading.Event(), []

    def build(folder, **_):
        order.append("start")
        assert len(order) > 1 or said_waiting.wait(60)
        order.append("end")
        return Path(folder)

    def say(text, **_):
        if text.startswith("waiting: "):
            said_waiting.set()

    monkeypatch.setattr(course, "build", build)
    monkeypatch.setattr(console, "say", say)
    monkeypatch.setenv("REPRO_CACHE", str(tmp_path / "cache"))
    target = ["exercises", "--to", str(tmp_path / "to")]
    both = [threading.Thread(target=main, args=(target,)) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert order == ["start", "end"] * 2


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch, capsys):
    found = importlib.util.find_spec
    monkeypatch.setattr(needs, "find_spec", lambda n: None if n == "sphinx" else found(n))
    monkeypatch.setattr(make_commands.subprocess, "run", None)  # nothing is started
    assert main(["site"]) == 1
    line = f"error: the site needs sphinx; install with: {_folders.install_command('site')}\n"
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize(
    ("part", "name"), [("lint", "ruff"), ("unit", "pytest"), ("notebooks", "nbval")]
)
def test_a_missing_tool_is_named_with_the_command_that_installs_it(monkeypatch, capsys, part, name):
    found, which = importlib.util.find_spec, needs.program
    monkeypatch.setattr(needs, "find_spec", lambda n: None if n == name else found(n))
    monkeypatch.setattr(needs, "program", lambda n: None if n == name else which(n))
    monkeypatch.setattr(checks.subprocess, "run", None)
    assert main(["test", "--only", part]) == 1
    line = f"error: the part {part} needs {name}; install with: {_folders.install_command('dev')}\n"
    assert capsys.readouterr() == ("", line)
