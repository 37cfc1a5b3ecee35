"""Build the course, let a class hand in, and grade it with nbgrader in one go."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
import time
import zipfile
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pandas as pd
import pytest
import yaml
from class_of import automatic, hand_in, solutions, variants
from torturing.runs import processes_of

from repro.course import answer, build, grade, released, sheets
from repro.course._cells import code_cells, grading, read_notebook, source
from repro.course._confine import can_confine
from repro.course._predictions import EXPECT

pytest.importorskip("nbgrader")
from jupyter_core.utils import run_sync
from nbgrader.api import Gradebook
from traitlets.config.loader import PyFileConfigLoader

from repro.course._confined_kernel import ConfinedKernel
from repro.course._kernel import Examine, Restore

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sheets()
ENDLESS = "import time\nwhile True:\n    time.sleep(1)"
TIMEOUT = 60  # seconds of a cell: the machine may be busy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("exercises"), wheel=False)


def test_students_get_everything_but_solutions_and_hidden_tests(built):
    with zipfile.ZipFile(built / "students.zip") as archive:
        files = {Path(name).relative_to("exercises").as_posix() for name in archive.namelist()}
        texts = {name: archive.read(f"exercises/{name}").decode() for name in files}
    sheet_files = {f"{name}.ipynb" for name in SHEETS}
    long_versions = {f"notebooks/{name}" for name in sheet_files}
    assert files == sheet_files | long_versions | {
        "START.md",
        "environment.yml",
        "data/market.csv",
        "data/NSGT.csv",
    }
    for name in sheet_files:
        assert "SOLUTION" not in texts[name]
        assert "HIDDEN" not in texts[name]
        assert "mistakes" not in texts[name]
        tests = re.findall(r"raise NotImplementedError", texts[name])
        assert len(tests) == len(SHEETS[name.removesuffix(".ipynb")].tasks)
    needs = yaml.safe_load(texts["environment.yml"])["dependencies"]
    assert {"numba", "numpy", "jupyterlab", "python"} <= {re.split("[>=]", n)[0] for n in needs}
    assert "nbgrader" not in texts["environment.yml"]
    assert "py -m venv" in texts["START.md"]


def test_the_teacher_gets_a_course_folder_of_nbgrader(built):
    course = built / "course"
    assert {p.name for p in course.iterdir()} >= {
        *("source", "release", "gradebook.db", "nbgrader_config.py", "teaching.md")
    }
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config().Autograde
    assert Restore in settings.sanitize_preprocessors  # also for formgrader
    assert settings.autograde_preprocessors[0] is Examine
    for name, sheet in SHEETS.items():
        cells = code_cells(read_notebook(course / "source" / name / f"{name}.ipynb"))
        assert [source(c) for c in cells] == [
            source(c) for c in code_cells(read_notebook(sheet.path))
        ]


def mixed(sheet, k):
    """Student k's answers, a different mixture of right and wrong ones, and what each is worth."""
    chosen = {}
    for i, (task, answers) in enumerate(variants(sheet).items()):
        chosen[task] = answers[(k + i) % len(answers)] if k else answers[0]
    return {t: code for t, (code, _) in chosen.items()}, {t: w for t, (_, w) in chosen.items()}


# Answers of students who attack the grader: checks that pass whatever comes, files with solutions.
PATCH = """
import repro.course.check
from repro.course import Check
for how in ("close", "equal", "chose", "that", "returns", "number", "_fault"):
    setattr(Check, how, lambda *a, **k: None)
Check.__exit__ = lambda *a: True
q_all = 0
"""
READ = """
import os
for root, _, files in (entry for folder in PLACES for entry in os.walk(folder)):
    for name in files:
        try:
            with open(os.path.join(root, name), errors="replace") as file:
                if "HIDDEN TESTS" in file.read():
                    print("read", name)
        except OSError:
            pass
"""
KILLS_LATE = "def sliding(x, w):\n    import os\n    os._exit(1)"


def a_class(folder, course):
    """Let 12 students hand in; returns what each task of each must get, as a share."""
    expected = {}
    for k, (name, sheet) in enumerate(islice(SHEETS.items(), 3)):
        blank = read_notebook(released(course, name))
        student = f"{name[:2]}-student"
        answers, worth = mixed(sheet, k)
        hand_in(folder / student, name, answer(blank, student, answers))
        expected |= {(student, name, task): right for task, right in worth.items()}
    name = "02_estimators"
    sheet, blank = SHEETS[name], read_notebook(released(course, name))
    full = solutions(sheet)
    reads = READ.replace("PLACES", repr([str(ROOT / "notebooks"), str(course), str(folder)]))
    odd = {
        "empty": {},
        "syntax": full | {"history": "def history(:", "gap": reads},
        "00-endless": full | {"gap": ENDLESS},
        "split": full,
        "other editor": full,
        "kills": full | {"history": "import os\nos._exit(1)", "sliding": KILLS_LATE},
        "patches": {"q": PATCH},
    }
    lost = {name: set() for name in odd} | {"empty": set(full), "patches": set(full)}
    lost |= {"syntax": {"history", "gap"}, "kills": {"history", "sliding"}, "00-endless": {"gap"}}
    for student, answers in odd.items():
        notebook = answer(blank, student, answers)
        if student == "split":
            i = next(i for i, c in enumerate(notebook["cells"]) if c["id"] == "mcnemar")
            first, *rest = source(notebook["cells"][i]).splitlines(keepends=True)
            notebook["cells"].insert(i, copy.deepcopy(notebook["cells"][i]) | {"source": first})
            notebook["cells"][i + 1]["source"] = "".join(rest)
        if student == "other editor":
            for cell in notebook["cells"]:
                cell["metadata"] = {}
        if student == "split":  # the tests are gone, too: they come back
            kept = [c for c in notebook["cells"] if not grading(c).get("grade")]
            notebook["cells"] = kept
        renamed = "my homework (2)" if student == "syntax" else name
        hand_in(folder / student, renamed, notebook)
        expected |= {(student, name, task): task not in lost[student] for task in full}
    (folder / "broken").mkdir()
    (folder / "broken" / f"{name}.ipynb").write_text("{ this is no notebook")
    (folder / "absent").mkdir()
    return expected


def test_a_class_is_graded_in_one_go(tmp_path, built):
    """Points are as they must be for every task, and no notebook stops another's grading."""
    folder = tmp_path / "handed_in"
    expected = a_class(folder, built / "course")
    assert len(list(folder.iterdir())) == 12
    grades = grade(folder, tmp_path / "grades", timeout=TIMEOUT, feedback=False)
    found = grades.tasks.set_index(["student", "sheet", "task"])
    share = (found["points"] / found["of"]).to_dict()
    texts = [share.pop(key) for key in [*share] if key[2] == "interpretation"]
    assert texts == [0] * len(texts) != []  # nobody wrote one, so none waits
    wrong = {
        key: (share.get(key), right)
        for key, right in expected.items()
        if (share.get(key, 0) > 0.8 and not right) or (share.get(key) != 1 and right)
    }
    assert wrong == {}
    assert set(share) == set(expected)
    assert len(grades.table) == 12
    notes = grades.table["notes"]
    assert (
        notes["syntax"] == "02: was named my homework (2).ipynb; 02: cells with a syntax error: 1"
    )
    assert notes["00-endless"] == "02: cells stopped for taking too long: 1"
    assert grades.table["sum"]["patches"] == 0
    executed = (grades.folder / "autograded").rglob("*.ipynb")
    assert not [path for path in executed if "HIDDEN TESTS\\n" in path.read_text()]
    if can_confine():
        text = next((grades.folder / "autograded" / "syntax").rglob("*.ipynb")).read_text()
        assert "read 02_estimators.ipynb" not in text
    assert notes["broken"].startswith("02_estimators.ipynb is not a notebook")
    assert notes["absent"] == "no notebook"
    assert grades.table.loc[["empty", "broken", "absent"], "sum"].tolist() == [0, 0, 0]
    best = grades.table.loc["01-student"]
    assert best["sum"] == automatic(SHEETS["01_testbed"])
    assert pd.isna(best[f"02_estimators (of {SHEETS['02_estimators'].points})"])
    saved = pd.read_csv(tmp_path / "grades" / "points.csv", index_col="student")
    assert saved["sum"].to_dict() == grades.table["sum"].to_dict()


def test_feedback_names_the_mistake_and_grades_are_not_overwritten(tmp_path, built):
    name = "02_estimators"
    blank, full = read_notebook(released(built / "course", name)), solutions(SHEETS[name])
    wrong = full | {"alpha_w": "alpha_w = 1 - 1 / w"}
    handed_in = answer(blank, "ada", wrong)
    expected = [cell for cell in handed_in["cells"] if source(cell) == EXPECT]
    expected[0]["source"] = "*I expect 45 %*"
    hand_in(tmp_path / "in" / "ada", name, handed_in)
    only = {name: SHEETS[name]}
    (tmp_path / "roster.csv").write_text("Username,Email\nADA,a@b\nbob,b@b\n")
    how = {"chosen": only, "timeout": TIMEOUT, "roster": tmp_path / "roster.csv"}
    grades = grade(tmp_path / "in", tmp_path / "out", **how)
    assert grades.table["sum"].to_dict() == {"ada": automatic(SHEETS[name]) - 1}
    assert grades.table.loc["ada", "notes"] == ""
    listed = pd.read_csv(tmp_path / "out" / "platform.csv")
    assert listed["Username"].tolist() == ["ADA", "bob"]
    assert listed["sum"].tolist()[0] == automatic(SHEETS[name]) - 1
    with zipfile.ZipFile(tmp_path / "out" / "feedback.zip") as archive:
        assert archive.namelist() == [f"ada/{name}.html"]
    with pytest.raises(FileExistsError, match="the folder has grades, and corrections"):
        grade(tmp_path / "in", tmp_path / "out", **how)
    page = (grades.folder / "feedback" / "ada" / name / f"{name}.html").read_text()
    assert "<mfrac>" in page
    said = pd.read_csv(tmp_path / "out" / "predictions.csv")
    assert said.values.tolist() == [["ada", name, SHEETS[name].tasks[0].name, "45 %"]]
    assert "45 %</span>" in (tmp_path / "out" / "predictions.html").read_text("utf-8")
    assert 'src="http' not in page
    assert "1 - 1/w has the variance of a window twice as long" in page
    assert "HIDDEN" not in page
    assert "mistakes" not in page


def test_codes_stand_for_names_and_the_key_says_whose_they_are(tmp_path, built):
    name = "05_permutations"
    blank, full = read_notebook(released(built / "course", name)), solutions(SHEETS[name])
    points = {"ada": full, "bob": full, "cyd": {}}
    for student, answers in points.items():
        hand_in(tmp_path / "in" / student, name, answer(blank, f"{student}01", answers))
    (tmp_path / "roster.csv").write_text("Username\nada01\nbob01\ncyd01\n")
    how = {"chosen": {name: SHEETS[name]}, "timeout": TIMEOUT, "roster": tmp_path / "roster.csv"}
    grades = grade(tmp_path / "in", tmp_path / "out", anonymous=True, **how)
    key = pd.read_csv(tmp_path / "out" / "key.csv", index_col="student")
    assert sorted(grades.table.index) == sorted(key.index) == ["s01", "s02", "s03"]
    whole = automatic(SHEETS[name])
    sums = dict(zip(key["name"], grades.table["sum"].reindex(key.index), strict=True))
    assert sums == {"ada": whole, "bob": whole, "cyd": 0}
    codes = {student: code for code, student in key["name"].items()}
    assert f"word for word those of {codes['bob']}" in key.loc[codes["ada"], "notes"]
    for table in ("points.csv", "tasks.csv", "predictions.csv", "predictions.html"):
        text = (tmp_path / "out" / table).read_text("utf-8")
        assert not [student for student in points if student in text]
    assert {path.name for path in (grades.folder / "submitted").iterdir()} == set(key.index)
    with zipfile.ZipFile(tmp_path / "out" / "feedback.zip") as archive:
        assert sorted(archive.namelist()) == [f"{student}/{name}.html" for student in points]
    platform = pd.read_csv(tmp_path / "out" / "platform.csv")
    assert platform["sum"].tolist() == [whole, whole, 0]
    how["roster"] = None
    named = grade(tmp_path / "in", tmp_path / "out", replace=True, feedback=False, **how)
    assert sorted(named.table.index) == sorted(points)
    there = {path.name for path in (tmp_path / "out").iterdir()}
    assert not there & {"key.csv", "platform.csv", "feedback.zip"}


def test_a_folder_without_a_sheet_is_refused_and_leaves_earlier_grades(tmp_path):
    (tmp_path / "in" / "results").mkdir(parents=True)
    (tmp_path / "in" / "results" / "numbers.csv").write_text("1")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "points.csv").write_text("kept")
    with pytest.raises(ValueError, match="folder must hold notebooks of the sheets 01_testbed, "):
        grade(tmp_path / "in", tmp_path / "out", replace=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["points.csv"]


def test_an_interpretation_waits_for_a_person_whose_points_are_collected(tmp_path, built):
    name = "05_permutations"
    blank, full = read_notebook(released(built / "course", name)), solutions(SHEETS[name])
    text = {"interpretation": "The spread over orders is no standard error."}
    for student, answers in {"ada": full | text, "bob": full, "cyd": text}.items():
        hand_in(tmp_path / "in" / student, name, answer(blank, f"{student}01", answers))
    how = {"chosen": {name: SHEETS[name]}, "timeout": TIMEOUT}
    with pytest.raises(FileNotFoundError, match="output must be the folder of the grades"):
        grade(tmp_path / "in", tmp_path / "out", collect=True, **how)
    whole = automatic(SHEETS[name])
    grades = grade(tmp_path / "in", tmp_path / "out", **how)
    assert grades.table["sum"].to_dict() == {"ada": whole, "bob": whole, "cyd": 0}
    waits = {s: "waits for a person" in note for s, note in grades.table["notes"].items()}
    assert waits == {"ada": True, "bob": False, "cyd": True}  # bob wrote nothing

    with Gradebook(f"sqlite:///{grades.folder / 'gradebook.db'}", "repro") as book:  # as formgrader
        for student, points in {"ada": 2, "cyd": 3}.items():
            score = book.find_grade("interpretation", name, name, student)
            score.manual_score, score.needs_manual_grade = points, False
        book.find_comment("interpretation", name, name, "ada").manual_comment = "which spread?"
        book.db.commit()
    again = grade(tmp_path / "in", tmp_path / "out", collect=True, **how)
    assert again.table["sum"].to_dict() == {"ada": whole + 2, "bob": whole, "cyd": 3}
    assert "waits" not in "".join(again.table["notes"])
    saved = pd.read_csv(tmp_path / "out" / "points.csv", index_col="student")
    assert saved["sum"].to_dict() == again.table["sum"].to_dict()
    with zipfile.ZipFile(tmp_path / "out" / "feedback.zip") as archive:
        page = archive.read(f"ada/{name}.html").decode()
    assert "which spread?" in page
    assert "The spread over orders is no standard error." in page

    hand_in(tmp_path / "part" / "bob", name, answer(blank, "bob01", full))
    with pytest.raises(ValueError, match=r"must hold all notebooks that were graded.* ada/05"):
        grade(tmp_path / "part", tmp_path / "out", collect=True, **how)
    for options, says in (({"anonymous": True}, "with the same --anonymous"), ({}, "has changed")):
        if not options:
            hand_in(tmp_path / "in" / "bob", name, answer(blank, "bob01", full | text))
        with pytest.raises(ValueError, match=says):
            grade(tmp_path / "in", tmp_path / "out", collect=True, **options, **how)
    assert saved.equals(pd.read_csv(tmp_path / "out" / "points.csv", index_col="student"))


def test_a_grader_that_is_killed_leaves_no_process(tmp_path, built):
    name = "05_permutations"
    blank, full = read_notebook(released(built / "course", name)), solutions(SHEETS[name])
    slow = full | {"lift": f"open('started', 'w').close()\n{ENDLESS}"}
    hand_in(tmp_path / "in" / "ada", name, answer(blank, "ada", slow))
    mark = f"grading-{tmp_path}"
    command = [sys.executable, "-m", "repro", "grade", "in", "--to", "out"]
    environment = os.environ | {"REPRO_TORTURE": mark}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while len(processes_of(mark)) < 4 and time.monotonic() < until:  # it, server, worker, kernel
        time.sleep(0.1)
    assert process.poll() is None
    process.kill()
    process.wait()
    until = time.monotonic() + 30
    while processes_of(mark) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_of(mark) == []


@pytest.mark.skipif(os.name != "posix", reason="this system has no sockets that are files")
def test_the_kernel_of_a_notebook_takes_no_port_of_the_machine():
    """Of two kernels that start at once, one could find its port taken."""
    with TemporaryDirectory() as home:
        step = Examine()
        step.nb = nbformat.v4.new_notebook()
        step.kernel_manager_class = ConfinedKernel
        step._home, step._course = home, Path(home, "course")
        manager = step.create_kernel_manager()
        run_sync(manager.start_kernel)()
        client = manager.client()
        try:
            client.start_channels()
            run_sync(client.wait_for_ready)(timeout=TIMEOUT)
            assert len([*Path(home).glob("k-*")]) == 5  # one for each channel
        finally:
            client.stop_channels()
            run_sync(manager.shutdown_kernel)(now=True)
