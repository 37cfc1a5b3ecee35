"""Checks of answers, seeds of students, and what a folder of submissions holds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from repro.course import (
    Check,
    WrongAnswer,
    answer,
    environment,
    find_submissions,
    normalised,
    read_answers,
    read_sheet,
    student_of,
    student_seed,
)
from repro.course._cells import source

ROOT = Path(__file__).resolve().parents[2]

# --- students


def test_an_id_is_the_same_in_any_case_and_others_get_other_seeds():
    assert student_seed(" Ada01 ") == student_seed("ada01") == 316_942_191  # on every machine
    ids = [f"student{i}" for i in range(300)]
    assert len({student_seed(name) for name in ids}) == 300


@pytest.mark.parametrize("student", ["", "   "])
def test_an_empty_id_is_refused(student):
    with pytest.raises(ValueError, match=r"student must be an id, such as 'ada01'; got"):
        normalised(student)


def test_the_id_of_the_blank_sheet_is_refused():
    with pytest.raises(ValueError, match="write your own id into the first cell, in"):
        Check("Your-id", {})


# --- checks


def fault(check, how, *arguments, **options):
    """The message of a check, without an error the empty text."""
    try:
        getattr(check, how)(*arguments, **options)
    except WrongAnswer as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "right",
    [
        [0.25, 0.5],
        (0.25, 0.5),
        np.array([0.25, 0.5]),
        pd.Series([0.25, 0.5], index=[7, 9]),
        [np.float32(0.25), 0.5],
        [0.2504, 0.4996],
    ],
)
def test_lists_arrays_series_and_rounded_numbers_are_alike(right):
    assert fault(Check("a", {"x": right}), "close", "x", [0.25, 0.5], decimals=3) == ""


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (25.0, "give a share of 1, not percent"),
        (-0.25, "the sign is the other way round"),
        (0.75, "accuracy and error are mixed up"),
        (0.3, "the misses count"),
        ("0.25", "x must hold numbers; got '0.25'"),
        ([0.25, 0.25], r"x must be one number; got shape (2,)"),
        (float("nan"), "x must be 0.25; got nan"),
        (0.2511, "x must be 0.25; got 0.2511"),
    ],
)
def test_a_fault_says_what_is_wrong(wrong, says):
    mistakes = {"the misses count": 0.3}
    said = fault(Check("a", {"x": wrong}), "close", "x", 0.25, decimals=3, mistakes=mistakes)
    assert says in said


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_rounded_answer_is_right_and_one_off_by_a_digit_is_not(value, decimals):
    rounded = round(value, decimals)
    assert not fault(Check("a", {"x": rounded}), "close", "x", value, decimals=decimals)
    off = value + 10.0**-decimals
    assert fault(Check("a", {"x": off}), "close", "x", value, decimals=decimals)


def test_nan_equals_nan_and_the_first_difference_is_named():
    check = Check("a", {"x": [np.nan, 1.0, 2.0, 5.0]})
    assert fault(check, "close", "x", [np.nan, 1, 2, 5]) == ""
    said = fault(check, "close", "x", [np.nan, 1, 3, 4])
    assert said == "x[2] must be 3; got 2, and 1 more differ"


@pytest.mark.parametrize(
    ("value", "right", "wrong"),
    [
        (3, [3, 3.0, np.int64(3), np.array(3)], [4, "3", [3], None]),
        ("NB", ["nb", " NB "], ["N B", 1, None]),
        ([1, 2], [[1, 2], (1, 2), np.array([1, 2])], [[2, 1], [1], {1: 2}, "12"]),
        ({"a", "b"}, [{"b", "a"}, ["a", "b"], ("B", "a")], [{"a"}, "ab", None]),
    ],
)
def test_equal_takes_every_form_of_a_right_answer(value, right, wrong):
    for given_answer in right:
        assert fault(Check("a", {"x": given_answer}), "equal", "x", value) == "", given_answer
    for given_answer in wrong:
        assert fault(Check("a", {"x": given_answer}), "equal", "x", value), given_answer


def test_one_failure_hides_no_other():
    check = Check("a", {"x": 1.0, "f": lambda v: 1 / v})

    def all_at_once():
        with check:
            check.close("x", 2.0)
            check.number("y")
            check.returns("f", (0,), 1.0)
            check.returns("f", (2,), 0.5)
            check.that(False, "z must be last")
            check.value("x").no_such_method()

    with pytest.raises(WrongAnswer) as caught:
        all_at_once()
    said = str(caught.value).splitlines()
    assert said[0] == "5 faults"
    assert said[1:3] == [
        "- x must be 2; got 1",
        "- y is not there: run the cell in which you assign it",
    ]
    assert said[3] == "- f(0) raised ZeroDivisionError: division by zero"
    assert said[4:] == [
        "- z must be last",
        "- AttributeError: 'float' object has no attribute 'no_such_method'",
    ]


def test_a_check_without_a_fault_says_that_the_form_is_right_and_the_next_block_starts_anew(capsys):
    check = Check("a", {"x": 1.0})
    with pytest.raises(WrongAnswer), check:
        check.close("x", 2.0)
    assert capsys.readouterr().out == ""
    with check:
        check.number("x")
    said = capsys.readouterr().out
    assert said == "The form is right. Whether the answer is right, the grading says.\n"


def test_what_is_right_of_several_answers_is_counted():
    check = Check("a", {"x": 1.0, "y": 2.0})

    def right(*checks):
        """The share that is right when all the `checks` are made in a block."""
        try:
            with check:
                for one in checks:
                    one()
        except WrongAnswer as error:
            return error.right
        return 1.0

    def x_is_right():
        check.close("x", 1.0)

    assert right(x_is_right, lambda: check.close("y", 2.0)) == 1
    assert right(x_is_right, lambda: check.number("y"), lambda: check.close("y", 3.0)) == 0.5
    assert right(x_is_right, lambda: check.that(False, "x and y must differ by 3")) == 0
    assert right(x_is_right, lambda: {}["z"]) == 0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"a"}, ""),
        (["a"], ""),
        (np.array(["a"]), ""),
        (pd.Index(["a"]), ""),
        (pd.Series(["a"]), ""),
        ("a", "x must be a set; got 'a'"),
        (3, "x must be a set; got 3"),
        ({"a": 1}, "x must be a set; got {'a': 1}"),
    ],
    ids=repr,
)
def test_a_collection_of_any_kind_is_a_set(answer, says):
    assert fault(Check("a", {"x": answer}), "collection", "x") == says
    assert (fault(Check("a", {"x": answer}), "equal", "x", {"a"}) == "") == (says == "")


def test_a_function_gets_copies_of_its_arguments():
    def spoils(values):
        values[:] = 0
        return [1.0, 2.0]

    given_values = np.array([1.0, 2.0])
    assert fault(Check("a", {"f": spoils}), "returns", "f", (given_values,), [1.0, 2.0]) == ""
    assert given_values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("how", "arguments", "value", "says"),
    [
        ("number", ("x", 0, 1), 1.5, "x must be from 0 to 1; got 1.5"),
        ("number", ("x", 0), -1, "x must be from 0; got -1"),
        ("number", ("x",), [1, 2], "x must be one number; got [1, 2]"),
        ("array", ("x", 3), [1, 2], "x must have 3 numbers; got 2"),
        ("array", ("x",), 1.0, "x must be a sequence of numbers; got 1.0"),
        ("function", ("x", 1), 3, "x must be a function; got 3"),
        ("function", ("x", 1), lambda v: None, "x must return a value; got None"),
    ],
)
def test_checks_of_the_form_say_what_is_wrong(how, arguments, value, says):
    assert says in fault(Check("a", {"x": value}), how, *arguments)


def test_options_have_an_order_of_the_students_own(capsys):
    orders = set()
    for student in "abcdefgh":
        check = Check(student, {})
        check.ask("why", "first", "second", "third")
        shown = [line[3:] for line in capsys.readouterr().out.splitlines()]
        assert sorted(shown) == ["first", "second", "third"]
        assert shown["ABC".index(check.option("why", 2))] == "second"
        orders.add(tuple(shown))
    assert len(orders) > 2


def test_the_letter_of_the_right_option_is_right_in_any_form_and_others_are_not():
    names: dict[str, object] = {}
    check = Check("ada", names)
    check.ask("why", "first", "second", "third")
    right = check.option("why", 2)
    for letter in (right, right.lower(), f" {right}. "):
        names["why"] = letter
        assert fault(check, "chose", "why", 2) == ""
    for letter in {"A", "B", "C"} - {right}:
        names["why"] = letter
        assert f"why must be {right}" in fault(check, "chose", "why", 2)
    for letter in ("D", 2, None):
        names["why"] = letter
        assert fault(check, "chose", "why", 2)
        assert fault(check, "letter", "why")


def test_a_question_that_was_not_asked_has_no_letter():
    with pytest.raises(WrongAnswer, match="the options of why are not there"):
        Check("ada", {"why": "A"}).letter("why")


# --- a small sheet of its own


def cell(code, name=None, points=None):
    about = {"grade_id": name, "solution": points is None, "grade": points is not None}
    about |= {} if points is None else {"points": points}
    metadata = {"nbgrader": about} if name else {}
    return {"cell_type": "code", "metadata": metadata, "source": code, "outputs": []}


def small(**metadata):
    heading = {"cell_type": "markdown", "metadata": {}, "source": ["# A sheet\n", "text"]}
    task = {"cell_type": "markdown", "metadata": {}, "source": "## Task 1: one"}
    code = [cell('student = "your-id"  # yours'), task, cell("x = 1", "one")]
    about = {"minutes": 5, "teaches": "to count"} | metadata
    cells = [heading, *code, cell("assert x == 1", "one_test", 2)]
    return {"cells": cells, "metadata": {"repro": about}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "sheets" / "01_small.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(small()))
    return read_sheet(path)


def test_a_sheet_is_read_from_its_notebook(sheet):
    assert (sheet.name, sheet.title, sheet.minutes, sheet.points) == ("01_small", "A sheet", 5, 2)
    assert [(t.name, t.title, t.points) for t in sheet.tasks] == [("one", "Task 1: one", 2)]


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (lambda nb: nb["cells"].pop(), "a sheet must have a test after each solution"),
        (lambda nb: nb["cells"].pop(0), "a sheet must have a heading, and minutes"),
        (lambda nb: nb["metadata"]["repro"].pop("minutes"), "a sheet must have a heading"),
        (lambda nb: nb.pop("cells"), "it has no cells"),
    ],
)
def test_a_notebook_that_is_no_sheet_is_refused(tmp_path, break_it, says):
    notebook = small()
    break_it(notebook)
    path = tmp_path / "01_broken.ipynb"
    path.write_text(json.dumps(notebook))
    with pytest.raises(ValueError, match=says):
        read_sheet(path)


@pytest.mark.parametrize(
    ("stored", "text"),
    [("a\nb", "a\nb"), (["a\n", "b"], "a\nb"), (None, ""), (["a", None], "a"), ({"a": 1}, "")],
)
def test_the_text_of_a_cell_is_read_whatever_a_student_has_made_of_it(stored, text):
    assert source({"source": stored}) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[one]\nwrong = ['x = 2']", "one must have at least 2 wrong answers; got 1"),
        ("[two]\nwrong = ['x = 2', 'x = 3']", r"answers to each task and no others; got \['one"),
    ],
)
def test_answers_must_be_complete(sheet, text, says):
    sheet.answers_path.write_text(text)
    with pytest.raises(ValueError, match=says):
        read_answers(sheet)


def test_a_students_notebook_holds_the_id_and_the_answers():
    filled = answer(small(), "ada", {"one": "x = 2"})
    assert student_of(filled) == "ada"
    assert filled["cells"][3]["source"] == "x = 2"
    assert student_of(small()) == "your-id"  # the original is as it was


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("student = 4711  # mine", "4711"),
        ("student='x y'", "x y"),
        ('student = "" # id', ""),
        ("student = name", None),
    ],
)
def test_an_id_is_a_text_or_a_number(line, written):
    notebook = small()
    notebook["cells"][1]["source"] = line
    assert student_of(notebook) == written
    assert student_of(answer(notebook, "ada", {})) == ("ada" if written is not None else None)
    assert student_seed(4711) == student_seed("4711")


def test_submissions_are_recognised_by_what_they_hold(tmp_path, sheet):
    folder = tmp_path / "submitted"

    def put(where, text):
        path = folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return path

    put("ada/01_small.ipynb", answer(small(), "ada", {}))
    put("bob/deep/copy (1).ipynb", answer(small(), "Bob ", {}))
    put("cy/01_small.ipynb", answer(small(), "ada", {}))
    put("dan/01_small.ipynb", small())
    put("eve/01_small.ipynb", "{ not json")
    put("fay/other.ipynb", {"cells": [cell("1 + 1")], "metadata": {}})
    put("gus/.ipynb_checkpoints/01_small.ipynb", small())
    put("flat.ipynb", answer(small(), "hal", {}))
    put("ivy/old.ipynb", answer(small(), "ivy", {}))
    os.utime(folder / "ivy" / "old.ipynb", (1, 1))
    put("ivy/01_small.ipynb", answer(small(), "ivy", {}))
    found = {s.student: s for s in find_submissions(folder, {"01_small": sheet})}
    assert list(found) == ["ada", "bob", "cy", "dan", "eve", "fay", "hal", "ivy", "gus"]
    graded = {name for name, s in found.items() if s.sheet == "01_small"}
    assert graded == {"ada", "bob", "cy", "dan", "hal", "ivy"}
    notes = {name: "; ".join(s.notes) for name, s in found.items()}
    assert notes["ada"] == ""
    assert notes["bob"] == "was named copy (1).ipynb"
    assert found["cy"].written == "ada"
    assert notes["dan"] == "no id in the notebook"
    assert notes["eve"].startswith("01_small.ipynb is not a notebook")
    assert notes["fay"] == "other.ipynb is of no sheet"
    assert notes["gus"] == "no notebook"
    assert notes["ivy"] == "old.ipynb is older and was not graded"
    assert found["ivy"].path == folder / "ivy" / "01_small.ipynb"


def test_names_of_students_that_become_the_same_folder_stay_apart(tmp_path, sheet):
    for name in ("Ann B", "Ann_B", "Ann+B"):
        (tmp_path / "in" / name).mkdir(parents=True)
        text = json.dumps(answer(small(), "x", {}))
        (tmp_path / "in" / name / "a.ipynb").write_text(text)
    keys = [s.key for s in find_submissions(tmp_path / "in", {"01_small": sheet})]
    assert len(set(keys)) == 3
    assert "Ann_B" in keys


def test_a_folder_without_notebooks_is_refused(tmp_path, sheet):
    (empty := tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="folder must hold notebooks"):
        find_submissions(empty, {"01_small": sheet})
    with pytest.raises(FileNotFoundError, match="folder must be a folder of submissions; got"):
        find_submissions(tmp_path / "nowhere", {"01_small": sheet})


def test_the_environment_of_students_has_the_wheel_if_there_is_one():
    plain = yaml.safe_load(environment(ROOT))
    whole = yaml.safe_load(environment(ROOT, "repro.whl"))
    assert whole["dependencies"] == [*plain["dependencies"], "pip", {"pip": ["./repro.whl"]}]
    assert any(need.startswith("jupyterlab") for need in plain["dependencies"])
