"""The exercise sheets: their form, and every kept answer of every task, right and wrong."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import pickle
import re
import secrets
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest
from class_of import Desk, solutions, variants
from PIL import Image

from repro.course import WrongAnswer, sheets, slides
from repro.course._cells import grading, read_notebook, source, with_points
from repro.course._self_study import with_tests

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sheets()
every_sheet = pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)


def test_there_is_a_sheet_for_each_notebook_of_the_paper():
    notebooks = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
    assert list(SHEETS) == notebooks


@every_sheet
def test_a_sheet_fills_a_lesson_and_each_task_has_one_idea(sheet):
    assert 45 <= sheet.minutes <= 90
    assert len(sheet.tasks) >= 8
    assert len({task.title for task in sheet.tasks}) == len(sheet.tasks)
    assert all(re.match(rf"Task {i}: ", task.title) for i, task in enumerate(sheet.tasks, start=1))


@every_sheet
def test_the_headings_that_students_see_add_up_to_the_points(sheet):
    before = read_notebook(sheet.path)
    texts = [source(cell) for cell in with_points(before)["cells"]]
    shown = re.findall(r"^## (.+) \((\d+) points?\)$", "\n".join(texts), re.MULTILINE)
    assert [(task.title, str(task.points)) for task in sheet.graded] == shown
    assert before == read_notebook(sheet.path)
    assert len(texts) == len(before["cells"])


@every_sheet
def test_a_sheet_is_a_valid_notebook_without_outputs(sheet):
    notebook = nbformat.read(sheet.path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert notebook.metadata.repro.sheet == sheet.name


@every_sheet
def test_each_task_asks_for_a_prediction_and_hides_its_tests(sheet):
    notebook = nbformat.read(sheet.path, as_version=4)
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    asked = [text for text in texts if "\n## Task " in f"\n{text}"]
    assert len(asked) == len(sheet.tasks)
    parts = "**Question.**", "\n\n<details><summary>Hint</summary>\n\n", "**Prediction.**"
    assert all(all(t.count(part) == 1 for part in parts) for t in asked)
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution"):
            assert cell.source.count("### BEGIN SOLUTION") == 1
            assert about.grade == (cell.cell_type == "markdown")
        elif about.get("grade"):
            assert cell.source.count("### BEGIN HIDDEN TESTS") == 1
            assert about.locked
            visible = cell.source.partition("### BEGIN HIDDEN TESTS")[0]
            assert visible.startswith("with check:\n    ")
            assert "check." in visible.removeprefix("with check:")
        else:
            assert "### " not in cell.source.replace("\n### ", "")
            assert "HIDDEN" not in cell.source


@every_sheet
def test_a_sheet_asks_once_for_an_interpretation_and_says_what_counts(sheet):
    cells = read_notebook(sheet.path)["cells"]
    (asked,) = [source(c) for c in cells if "## In your own words" in source(c)]
    rubric = asked.partition("**What counts.**")[2]
    assert len(re.findall(r"^\* you ", rubric, re.MULTILINE)) == sheet.interpretation.points == 3
    assert re.search(r"Task \d|your sheet|length of its memory", asked)
    place = [source(c).startswith("### BEGIN SOLUTION") for c in cells].index(True, len(cells) - 3)
    assert grading(cells[place])["grade_id"] == sheet.interpretation.name
    assert re.search(r"\.|Task \d", source(cells[place]))


@every_sheet
def test_a_class_uses_generated_streams_only(sheet):
    assert "streams.load" not in sheet.path.read_text()


@pytest.mark.slow
@every_sheet
@pytest.mark.parametrize("student", ["ada01", "Grace H."])
def test_right_answers_pass_and_wrong_ones_fail_for_any_student(sheet, student):
    """In one process, by the cells of the sheet; test_course_grading.py uses nbgrader."""
    desk = Desk(sheet, student)
    judged = {
        (task, code): (worth, desk.fault(task, code))
        for task, answers in variants(sheet).items()
        for code, worth in answers
    }
    assert {key: f for key, (worth, f) in judged.items() if worth and f} == {}
    assert [key for key, (worth, f) in judged.items() if not worth and not f] == []
    assert all("WrongAnswer" in f for worth, f in judged.values() if not worth)
    unanswered = [task for task in variants(sheet) if not desk.fault(task, "")]
    assert unanswered == []


# Other ids in every run: what fails, names its id. The variable asks for more of them.
N_OTHERS = int(os.environ.get("REPRO_STUDENTS", "4"))


@pytest.mark.slow
@every_sheet
def test_solutions_get_all_points_whoever_hands_in(sheet):
    lost = []
    for student in (f"student-{secrets.token_hex(4)}" for _ in range(N_OTHERS)):
        desk = Desk(sheet, student)
        faults = {task: desk.fault(task, code) for task, code in solutions(sheet).items()}
        lost += [(student, task, said) for task, said in faults.items() if said]
    assert lost == []


@pytest.mark.slow
@every_sheet
def test_each_task_has_other_answers_for_other_students(sheet):
    """Of three students; but for a function, and for what each makes up."""
    desks = [Desk(sheet, student) for student in ("ada01", "Grace H.", "z9")]
    alike = []
    for task, code in solutions(sheet).items():
        stores = (n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name))
        names = sorted({n.id for n in stores if isinstance(n.ctx, ast.Store)})
        answers = [desk.answers(code, names) for desk in desks]
        if answers[0] and len({pickle.dumps(each) for each in answers}) == 1:
            alike.append(task)
    assert alike == (["useless"] if sheet.name == "03_drift_detection" else [])


def test_the_right_options_come_in_no_order_that_a_source_shows():
    places = [
        int(number)
        for sheet in SHEETS.values()
        for number in re.findall(r'check.chose\(\\"\w+\\", (\d)', sheet.path.read_text())
    ]
    assert len(places) >= 9
    assert max(places.count(k) for k in set(places)) <= len(places) / 2
    assert set(places) == {1, 2, 3, 4}


@pytest.mark.slow
@pytest.mark.parametrize("student", ["ada01", "Grace H."])
def test_a_short_memory_relabels_and_a_long_one_keeps(student):
    """The lesson of task 5 of sheet 6 shows in everybody's numbers."""
    names = dict(Desk(SHEETS["06_scenarios"], student).names)
    exec(solutions(SHEETS["06_scenarios"])["memory"], names)
    assert names["kept_long"] > names["kept_short"] + 0.4
    assert names["relabelled_short"] > names["relabelled_long"] + 0.4


def test_the_teachers_page_has_the_sheets_as_they_are():
    page = (ROOT / "docs" / "teaching.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    kept = [(s.name, s.teaches, str(s.minutes), str(s.points)) for s in SHEETS.values()]
    assert rows == kept


@pytest.mark.slow
def test_slides_are_the_figures_of_a_sheet_large_enough_for_a_wall(tmp_path):
    sheet = sheets()["05_permutations"]
    saved = slides(tmp_path, {sheet.name: sheet})
    assert sorted(saved) == sorted(tmp_path.iterdir())
    *pictures, deck = saved
    assert deck.name == "05_permutations.pdf"
    assert deck.read_bytes().count(b"/Type /Page ") == len(pictures) >= 3
    for path in pictures:
        assert path.name.startswith("05_")
        with Image.open(path) as picture:
            assert picture.width > 1000


@pytest.mark.slow
@every_sheet
def test_a_sheet_for_self_study_says_whether_an_answer_is_right(sheet):
    """All cells run from above, with the solutions and then with other answers."""
    notebook = read_notebook(sheet.path)
    blank = json.loads(re.sub(r"### (BEGIN|END) HIDDEN TESTS", "", json.dumps(notebook)))
    alone = with_tests(blank, notebook)
    cells = [(c["id"], source(c)) for c in alone["cells"] if c["cell_type"] == "code"]
    tests = {grading(c).get("grade_id"): source(c) for c in alone["cells"]}
    text = "\n".join(source(cell) for cell in alone["cells"])
    assert "HIDDEN" not in text
    assert "right form" not in text
    names: dict[str, object] = {"__name__": "notebook"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell, code in cells:
            code = 'student = "alone"' if cell == "student" else code
            if not cell.endswith("-plot"):
                exec(compile(code, cell, "exec"), names)
    plt.close("all")
    assert said.getvalue().count("Right.\n") == len(sheet.tasks)
    assert "form is right" not in said.getvalue()
    wrong = {
        task: next(code for code, worth in answers if not worth)
        for task, answers in variants(sheet).items()
    }
    for task in solutions(sheet):
        kept = dict(names)
        with contextlib.suppress(Exception):
            exec(wrong[task], names)
        with pytest.raises(WrongAnswer):
            exec(tests[f"{task}_test"], names)
        names |= kept
