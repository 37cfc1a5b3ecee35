"""Build the course, let a class of 30 hand in, and grade it with nbgrader in one go."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml
from class_of import hand_in, solutions, variants

from repro.course import answer, build, grade, released, sheets
from repro.course._cells import code_cells, grading, read_notebook, source

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sheets()
ENDLESS = "import time\nwhile True:\n    time.sleep(1)"
TIMEOUT = 90  # seconds of a cell: the machine may be busy

pytestmark = pytest.mark.slow
pytest.importorskip("nbgrader")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("exercises"), wheel=False)


def test_students_get_everything_but_solutions_and_hidden_tests(built):
    with zipfile.ZipFile(built / "students.zip") as archive:
        files = {Path(name).relative_to("exercises").as_posix() for name in archive.namelist()}
        texts = {name: archive.read(f"exercises/{name}").decode() for name in files}
    sheet_files = {f"{name}.ipynb" for name in SHEETS}
    assert files == sheet_files | {
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


def class_of_30(folder, course):
    """Let 30 students hand in; returns what each task of each must get, as a share."""
    expected = {}
    for name, sheet in SHEETS.items():
        blank = read_notebook(released(course, name))
        for k in range(4):
            student = f"{name[:2]}-student{k}"
            answers, worth = mixed(sheet, k)
            hand_in(folder / student, name, answer(blank, student, answers))
            expected |= {(student, name, task): right for task, right in worth.items()}
    name = "02_estimators"
    sheet, blank = SHEETS[name], read_notebook(released(course, name))
    full = solutions(sheet)
    odd = {
        "empty": {},
        "syntax": full | {"history": "def history(:"},
        "00-endless": full | {"gap": ENDLESS},
        "deleted": full,
    }
    lost = {"empty": set(full), "syntax": {"history"}, "00-endless": {"gap"}, "deleted": set()}
    for student, answers in odd.items():
        notebook = answer(blank, student, answers)
        if student == "deleted":  # the tests are gone: they come back
            kept = [c for c in notebook["cells"] if not grading(c).get("grade")]
            notebook["cells"] = kept
        renamed = "my homework (2)" if student == "syntax" else name
        hand_in(folder / student, renamed, notebook)
        expected |= {(student, name, task): task not in lost[student] for task in full}
    (folder / "broken").mkdir()
    (folder / "broken" / f"{name}.ipynb").write_text("{ this is no notebook")
    (folder / "absent").mkdir()
    return expected


def test_a_class_of_30_is_graded_in_one_go(tmp_path, built):
    """Points are as they must be for every task, and no notebook stops another's grading."""
    folder = tmp_path / "handed_in"
    expected = class_of_30(folder, built / "course")
    assert len(list(folder.iterdir())) == 30
    grades = grade(folder, tmp_path / "grades", timeout=TIMEOUT, feedback=False)
    found = grades.tasks.set_index(["student", "sheet", "task"])
    share = (found["points"] / found["of"]).to_dict()
    wrong = {
        key: (share.get(key), right) for key, right in expected.items() if share.get(key) != right
    }
    assert wrong == {}
    assert set(share) == set(expected)
    assert len(grades.table) == 30
    notes = grades.table["notes"]
    assert (
        notes["syntax"] == "02: was named my homework (2).ipynb; 02: cells with a syntax error: 1"
    )
    assert notes["00-endless"] == "02: cells stopped for taking too long: 1"
    assert notes["broken"].startswith("02_estimators.ipynb is not a notebook")
    assert notes["absent"] == "no notebook"
    assert grades.table.loc[["empty", "broken", "absent"], "sum"].tolist() == [0, 0, 0]
    best = grades.table.loc["03-student0"]
    assert best["sum"] == SHEETS["03_drift_detection"].points
    assert pd.isna(best[f"02_estimators (of {SHEETS['02_estimators'].points})"])
    saved = pd.read_csv(tmp_path / "grades" / "points.csv", index_col="student")
    assert saved["sum"].to_dict() == grades.table["sum"].to_dict()


def test_feedback_names_the_mistake_and_a_dead_kernel_gets_no_points(tmp_path, built):
    name = "02_estimators"
    blank, full = read_notebook(released(built / "course", name)), solutions(SHEETS[name])
    wrong = full | {"alpha_w": "alpha_w = 1 - 1 / w"}
    hand_in(tmp_path / "in" / "ada", name, answer(blank, "ada", wrong))
    dead = full | {"history": "import os\nos._exit(1)"}
    hand_in(tmp_path / "in" / "dead", name, answer(blank, "dead", dead))
    only = {name: SHEETS[name]}
    grades = grade(tmp_path / "in", tmp_path / "out", chosen=only, timeout=TIMEOUT)
    assert grades.table["sum"].to_dict() == {"ada": SHEETS[name].points - 1, "dead": 0}
    assert grades.table.loc["dead", "notes"] == "02: not graded: Kernel died"
    page = (grades.folder / "feedback" / "ada" / name / f"{name}.html").read_text()
    assert "1 - 1/w has the variance of a window twice as long" in page
