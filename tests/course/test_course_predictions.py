"""What students expected, collected into one page for the class."""

from __future__ import annotations

import copy
import re

import nbformat
import pandas as pd
import pytest

pytest.importorskip("nbgrader")
pytest.importorskip("math_core")

from repro.course import find_submissions, sheets
from repro.course._cells import read_notebook, source, write_notebook
from repro.course._predictions import (
    EXPECT,
    SUFFIX,
    page_of,
    predictions_in,
    predictions_of,
    with_prediction_cells,
)

SHEETS = sheets()
SHEET = SHEETS["02_estimators"]
TASKS = [task.name for task in SHEET.tasks]


def with_predictions(texts, drop_ids=False):
    """A sheet in which a student has written these texts, in the order of its tasks."""
    notebook = with_prediction_cells(read_notebook(SHEET.path))
    own = [cell for cell in notebook["cells"] if source(cell) == EXPECT]
    for cell, text in zip(own, texts, strict=False):
        cell["source"] = text
    if drop_ids:
        for cell in notebook["cells"]:
            del cell["id"]
    return notebook


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_each_task_has_a_cell_for_the_prediction_and_nothing_else_changes(sheet):
    before = read_notebook(sheet.path)
    kept = copy.deepcopy(before)
    after = with_prediction_cells(before)
    nbformat.validate(nbformat.from_dict(after))
    assert before == kept
    own = [cell for cell in after["cells"] if source(cell) == EXPECT]
    assert len(own) == len(sheet.tasks)
    others = [source(cell) for cell in after["cells"] if cell not in own]
    assert others == [source(cell).removesuffix(EXPECT).rstrip() if EXPECT in source(cell)
                      else source(cell) for cell in before["cells"]]  # fmt: skip
    assert predictions_of(after, [task.name for task in sheet.tasks]) == {}


@pytest.mark.parametrize("drop_ids", [False, True])
def test_predictions_are_found_with_and_without_the_ids_of_cells(drop_ids):
    texts = [
        "*I expect 45 %.*",
        EXPECT,
        "I expect\nthe **window**",
        "",
        "*I expect ... about 3 ...*",
    ]
    found = predictions_of(with_predictions(texts, drop_ids), TASKS)
    assert found == {TASKS[0]: "45 %", TASKS[2]: "the window", TASKS[4]: "about 3"}


def test_a_text_of_no_task_is_no_prediction():
    """Neither a cell for a task that the sheet has not, nor a text whose id is that of a task."""
    notebook = with_predictions(["*I expect 45 %*"])
    for name in ("none-of-ours" + SUFFIX, TASKS[1]):
        cell = {"cell_type": "markdown", "id": name, "metadata": {}, "source": "about this sheet"}
        notebook["cells"].insert(0, cell)
    assert predictions_of(notebook, TASKS) == {TASKS[0]: "45 %"}


def test_a_text_of_other_words_counts_where_the_cell_is_known():
    texts = ["no idea", "*I expect .5*", "*I expect 2*3, **not** 2**3*"]
    found = predictions_of(with_predictions(texts), TASKS)
    assert found == {TASKS[0]: "no idea", TASKS[1]: ".5", TASKS[2]: "2*3, not 2**3"}


def test_an_interpretation_is_no_prediction():
    notebook = with_predictions(["*I expect 45 %*"], drop_ids=True)
    for cell in notebook["cells"]:
        if source(cell).startswith("### BEGIN SOLUTION") and cell["cell_type"] == "markdown":
            cell["source"] = "I expect nothing of it."
    assert "I expect nothing of it." in [source(cell) for cell in notebook["cells"]]
    assert predictions_of(notebook, TASKS) == {TASKS[0]: "45 %"}


def test_the_page_counts_what_the_class_expected_and_names_nobody(tmp_path):
    said = {"ada": "*I expect 45 %*", "bob": "45 %", "eve": "<b>1</b> & more", "dan": EXPECT}
    for name, text in said.items():
        path = tmp_path / name / "sheet.ipynb"
        path.parent.mkdir()
        write_notebook(path, with_predictions([text]))
    (tmp_path / "zoe").mkdir()
    table = predictions_in(find_submissions(tmp_path, SHEETS), SHEETS)
    assert table["student"].tolist() == ["ada", "bob", "eve"]
    assert set(table["task"]) == {TASKS[0]}
    points = pd.DataFrame({"sheet": SHEET.name, "task": TASKS[0], "points": [1, 1, 0], "of": 1})
    page = page_of(table, points, SHEETS)
    assert '<li>2<span style="background-size: 100% 100%">45 %</span></li>' in page
    assert '<li>1<span style="background-size: 50% 100%">&lt;b&gt;1&lt;/b&gt; &amp; more' in page
    assert page.count("nobody wrote a prediction") == len(TASKS) - 1
    assert "2 of 3 students have all points for it" in page
    assert "What will <code>history</code> say there?" in page
    assert "With <math>" in page
    assert not any(name in page for name in ("ada", "bob", "zoe"))


def test_many_different_predictions_do_not_fill_the_page():
    rows = [("s", SHEET.name, TASKS[0], f"about {i}") for i in range(40, 0, -1)]
    table = pd.DataFrame(rows, columns=["student", "sheet", "task", "prediction"])
    points = pd.DataFrame(columns=["sheet", "task", "points", "of"])
    page = page_of(table, points, SHEETS)
    assert '<li>28<span style="background-size: 0">others</span></li>' in page
    shown = re.findall(r">about (\d+)</span>", page)
    assert shown == [str(i) for i in range(40, 28, -1)]  # those written first


def test_a_sheet_of_ones_own_may_ask_for_few_predictions(tmp_path):
    """Grading must not fail at its end for that."""
    notebook = read_notebook(SHEET.path)
    asking = [cell for cell in notebook["cells"] if EXPECT in source(cell)]
    asking[0]["source"] = "## Task 1: the error over the whole history"
    notebook["cells"].append({"cell_type": "markdown", "id": "x", "metadata": {}, "source": EXPECT})
    write_notebook(tmp_path / SHEET.path.name, notebook)
    own = sheets(tmp_path)
    assert len(with_prediction_cells(notebook)["cells"]) == len(notebook["cells"]) + len(TASKS) - 1
    rows = [("s", SHEET.name, TASKS[1], "ten")]
    table = pd.DataFrame(rows, columns=["student", "sheet", "task", "prediction"])
    page = page_of(table, pd.DataFrame(columns=["sheet", "task", "points", "of"]), own)
    assert "How many more examples would it take until the two agree?" in page
    assert "What will <code>history</code> say there?" not in page
