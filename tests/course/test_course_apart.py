"""What was handed in is made whole, runs apart from the tests, and is compared with others'."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from repro.course import _confine, sheets
from repro.course._alike import flagged
from repro.course._cells import code_cells, grading, read_notebook, source
from repro.course._examiner import Examiner
from repro.course._exchange import Other, decode, encode, read_reply, result_of, value_of
from repro.course._restore import restored
from repro.course._roster import Roster
from repro.course.submissions import Submission

SHEET = sheets()["03_drift_detection"]
BLANK = read_notebook(SHEET.path)

# --- what crosses from a kernel to the tests

numbers = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
data = st.recursive(
    numbers,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.lists(inner).map(tuple),
)


@given(data)
def test_data_cross_as_they_are(value):
    assert decode(json.loads(json.dumps(encode(value)))) == value


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.array([0.5, np.nan]),
        np.zeros((0, 2)),
        np.array([True]),
        np.uint8(3),
    ],
    ids=repr,
)
def test_arrays_cross_with_their_type_and_shape(array):
    back = decode(json.loads(json.dumps(encode(array))))
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")
    assert np.shape(back) == np.shape(array)
    assert np.ndim(array) == 0 or back.dtype == array.dtype


def test_columns_and_sets_cross_and_the_rest_is_named():
    assert decode(encode(pd.Series([1, 2]))).tolist() == [1, 2]
    assert decode(encode(pd.Index(["a", "b"]))) == ["a", "b"]
    assert decode(encode({"a", 3})) == {"a", 3}
    function, thing = decode(encode(len)), decode(encode(SHEET))
    assert isinstance(function, Other)
    assert isinstance(thing, Other)
    assert (function.is_function, thing.is_function) == (True, False)
    assert repr(function) == repr(len)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"value": [1]}',
        '{"value": {"array": ["O", [1], "AAAA"]}}',
        '{"value": {"array": ["<f8", [9], "AAAA"]}}',
        '{"value": {"array": ["<c8", [1], "AAAAAAAAAAA="]}}',
        '{"value": {"dict": [[{"list": []}, 1]]}}',
        '{"value": {"pickle": "x"}}',
        '{"value": 1, "missing": 2}',
        '{"raised": 3}',
        '{"other": 3}',
        '{"value": ' + '{"list": [' * 2000 + "]}" * 2000 + "}",
    ],
    ids=lambda text: text[:40],
)
def test_a_reply_that_nobody_wrote_is_refused(text):
    with pytest.raises(ValueError, match="the reply cannot be read"):
        read_reply(text)


def test_a_kernel_replies_about_names_and_calls():
    names = {"x": [1, 2], "double": lambda v: 2 * v, "fails": lambda: 1 / 0}
    assert read_reply(value_of(names, "x")).value == [1, 2]
    assert read_reply(value_of(names, "y")).kind == "missing"
    sent = json.dumps(encode((np.array([1.0]),)))
    assert read_reply(result_of(names, "double", sent)).value.tolist() == [2]
    raised = read_reply(result_of(names, "fails", json.dumps(encode(()))))
    assert (raised.kind, raised.error, raised.value) == (
        *("raised", "ZeroDivisionError", "division by zero"),
    )


# --- tests that see the answers only


def test_an_answer_is_judged_by_its_value_whatever_the_student_has_done_to_the_library():
    examiner = Examiner(BLANK, "ada")
    right = examiner.given()["alarms"]
    delay = right[right >= 4_000][0] - 4_000
    assert examiner.fault("delay", {"delay": int(delay)}).kind == ""
    wrong = examiner.fault("delay", {"delay": 0, "metrics": None, "check": None, "alarms": []})
    assert wrong.kind == "WrongAnswer"
    assert wrong.text.startswith("1 fault\n- delay must be")


@pytest.mark.parametrize(("n_wrong", "points"), [(0, 2), (1, 1.5), (2, 1), (3, 0.5), (4, 0)])
def test_an_answer_of_several_parts_gets_points_for_each(n_wrong, points):
    examiner = Examiner(BLANK, "ada")
    names = examiner.given()
    exec(next(source(c) for c in code_cells(BLANK) if c["id"] == "counts"), names)
    for name in ("detected", "missed", "repeated", "false_alarms")[:n_wrong]:
        names[name] += 1
    assert examiner.fault("counts", names).points(2) == points


def test_a_rule_about_the_whole_answer_costs_all_of_it():
    examiner = Examiner(BLANK, "ada")
    fault = examiner.fault("useless", {"useless": [3_005, 7_005], "between": 1.0})
    assert fault.kind == "WrongAnswer"
    assert fault.points(2) == 0


# --- cells that were split, copied, moved or stripped


def names_in(notebook):
    return [grading(cell)["grade_id"] for cell in code_cells(notebook) if grading(cell)]


def handed_in():
    notebook = copy.deepcopy(BLANK)
    for cell in code_cells(notebook):
        if grading(cell).get("grade"):
            cell["source"] = "pass  # the student has emptied it"
    return notebook


def place(notebook, name):
    return next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == name)


def split(notebook):
    first = notebook["cells"][place(notebook, "counts")]
    second = copy.deepcopy(first)
    lines = source(first).splitlines(keepends=True)
    first["source"], second["source"] = "".join(lines[:2]), "".join(lines[2:])
    notebook["cells"].insert(place(notebook, "counts") + 1, second)


def copied_to_the_end(notebook):
    notebook["cells"].append(copy.deepcopy(notebook["cells"][place(notebook, "counts")]))


def without_metadata(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    notebook["metadata"] = {}


def without_ids(notebook):
    for cell in notebook["cells"]:
        del cell["id"]


def without_tests(notebook):
    notebook["cells"] = [c for c in notebook["cells"] if not grading(c).get("grade")]


def with_tests_twice(notebook):
    notebook["cells"] += copy.deepcopy([c for c in notebook["cells"] if grading(c).get("grade")])


@pytest.mark.parametrize(
    "change",
    [split, copied_to_the_end, without_metadata, without_ids, without_tests, with_tests_twice],
)
def test_a_changed_notebook_has_every_test_once_after_its_answer(change):
    notebook = handed_in()
    change(notebook)
    before = copy.deepcopy(notebook)
    whole = restored(notebook, BLANK)
    assert notebook == before
    assert sorted(names_in(whole)) == sorted(names_in(BLANK))
    order = names_in(whole)
    tests = {
        grading(c)["grade_id"]: source(c) for c in code_cells(BLANK) if grading(c).get("grade")
    }
    for cell in code_cells(whole):
        if grading(cell).get("grade"):
            name = grading(cell)["grade_id"]
            assert source(cell) == tests[name]
            assert order.index(name) > order.index(name.removesuffix("_test"))
    code = [source(c) for c in code_cells(whole) if not grading(c).get("grade")]
    kept = [source(c) for c in code_cells(notebook) if "has emptied it" not in source(c)]
    assert code == kept
    ids = [cell["id"] for cell in whole["cells"]]
    assert len(set(ids)) == len(ids)


def test_a_task_that_is_gone_with_its_test_is_tested_at_the_end():
    notebook = handed_in()
    gone = ("delay", "delay-test")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in gone]
    order = names_in(restored(notebook, BLANK))
    assert "delay" not in order
    assert order[-1] == "delay_test"
    assert len(order) == len(names_in(BLANK)) - 1


def interpretation_of(notebook):
    (cell,) = [c for c in notebook["cells"] if grading(c).get("grade_id") == "interpretation"]
    return cell


def made_code(cell):
    cell |= {"cell_type": "code", "outputs": [], "execution_count": 1}


@pytest.mark.parametrize(
    "change",
    [lambda cell: None, lambda cell: cell.pop("metadata"), lambda cell: cell.pop("id"), made_code],
)
def test_an_interpretation_comes_back_whatever_an_editor_did_to_its_cell(change):
    notebook = handed_in()
    cell = interpretation_of(notebook)
    cell["source"] = "It says nothing."
    change(cell)
    back = interpretation_of(restored(notebook, BLANK))
    blank = interpretation_of(BLANK)
    assert back["source"] == "It says nothing."
    assert (back["cell_type"], back["metadata"]) == ("markdown", blank["metadata"])
    assert "outputs" not in back


def test_an_interpretation_that_was_deleted_is_blank():
    notebook = handed_in()
    notebook["cells"].remove(interpretation_of(notebook))
    whole = restored(notebook, BLANK)
    assert source(interpretation_of(whole)) == source(interpretation_of(BLANK))
    assert names_in(whole) == names_in(BLANK)


def test_a_cell_of_the_students_before_a_test_stays_before_it():
    notebook = handed_in()
    own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "delay = 5", "outputs": []}
    notebook["cells"].insert(place(notebook, "delay-test"), own)
    whole = restored(notebook, BLANK)
    assert place(whole, "delay") < place(whole, "own") < place(whole, "delay-test")
    without_tests(notebook)
    whole = restored(notebook, BLANK)
    assert place(whole, "own") < place(whole, "delay-test") < place(whole, "counts")


# --- who shares what


def submitted(tmp_path, student, written, notebook):
    path = tmp_path / f"{student}.ipynb"
    path.write_text(json.dumps(notebook))
    return Submission(student, SHEET.name, path, (), written)


def test_shared_ids_and_equal_answers_are_noted_for_both(tmp_path):
    other = handed_in()
    other["cells"][place(other, "counts")]["source"] = "detected = 1"
    same = handed_in()
    cell = same["cells"][place(same, "counts")]
    cell["source"] = source(cell).replace("    ", "  ") + "\n# my own work\n"
    few = handed_in()
    for cell in code_cells(few):
        if grading(cell).get("solution") and cell["id"] not in ("delay", "lucky"):
            cell["source"] = "raise NotImplementedError"
    given_ids = {"a": "x1", "b": "X1 ", "c": "x3", "d": "x4", "e": "x5"}
    notebooks = {"a": handed_in(), "b": other, "c": same, "d": few, "e": few}
    found = flagged(
        [submitted(tmp_path, n, given_ids[n], notebooks[n]) for n in notebooks], {SHEET.name: SHEET}
    )
    notes = {one.student: list(one.notes) for one in found}
    assert notes["a"] == [
        "shares the id x1 with b",
        "all answers are word for word those of c",
    ]
    assert notes["b"] == ["shares the id X1  with a"]
    assert notes["c"] == ["all answers are word for word those of a"]
    assert notes["d"] == notes["e"] == []  # two short answers are no evidence


def test_a_platforms_list_gets_the_points_whatever_its_columns(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("\ufeffName,ID number,Group\nAda L.,007,1\nGrace H.,008,1\nAlan T.,009,2\n")
    roster = Roster(path, {"007", "009"})
    assert "009" in roster
    assert " 007" in roster
    assert "1" not in roster
    points = pd.DataFrame({"01 (of 9)": [3.5, 9.0]}, index=["folder a", "folder b"])
    table = roster.with_points(points, {"folder a": "009", "folder b": "007"})
    assert table["ID number"].tolist() == ["007", "008", "009"]
    assert table["01 (of 9)"].tolist()[::2] == [9.0, 3.5]
    assert pd.isna(table["01 (of 9)"][1])


def test_the_sum_of_an_id_with_two_folders_is_that_of_its_sheets(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("ID\n007\n008\n")
    points = pd.DataFrame({"01": [3.0, np.nan], "02": [np.nan, 4.0]}, index=["a", "b"])
    table = Roster(path, {"007"}).with_points(points, {"a": "007", "b": "007"})
    assert table["sum"][0] == 7
    assert pd.isna(table["sum"][1])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Name,Group\nAda,1\n", "roster must have a column with the ids that students wrote"),
        ('"', "roster must be a CSV file"),
        ("", "roster must be a CSV file"),
    ],
)
def test_a_list_without_the_ids_is_refused(tmp_path, text, says):
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=says):
        Roster(path, {"007"})
    with pytest.raises(FileNotFoundError, match="roster must be a CSV file; got"):
        Roster(tmp_path / "none.csv", {"007"})


# --- a process that reads and writes some folders only


@pytest.mark.skipif(not _confine.can_confine(), reason="this system has no Landlock")
def test_a_confined_process_reads_and_writes_its_folders_only(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "secret").write_text("hidden")
    code = f"""
import os
def tried(path, mode):
    try:
        with open(path, mode) as file:
            return file.read() if mode == "r" else str(file.write("x"))
    except PermissionError:
        return "refused"
os.chdir({str(tmp_path / "own")!r})
print(tried("note", "w"), tried("note", "r"), tried({str(tmp_path / "secret")!r}, "r"),
      tried({str(tmp_path / "secret")!r}, "w"), tried({str(tmp_path / "new")!r}, "w"))
"""
    system = ["/usr", "/lib", "/lib64", "/etc", "/proc", "/dev", sys.prefix, sys.base_prefix]
    settings = json.dumps({"read": system, "write": [str(tmp_path / "own")]})
    command = [sys.executable, "-I", _confine.__file__, settings, sys.executable, "-I", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1", "x", "refused", "refused", "refused"], done.stderr
    assert (tmp_path / "secret").read_text() == "hidden"


@pytest.mark.skipif(not _confine.can_confine(), reason="this system has no Landlock")
def test_a_kernel_may_read_neither_the_sheets_nor_what_is_handed_in(tmp_path):
    pytest.importorskip("jupyter_client")
    from repro.course._confined_kernel import ConfinedKernel

    kernel = ConfinedKernel()
    kernel.home, kernel.hidden = str(tmp_path), [Path("/usr/share/course")]
    settings = json.loads(kernel.format_kernel_cmd([])[3])
    assert settings["write"] == [str(tmp_path), "/dev/null"]
    assert "/lib" in settings["read"]
    assert "/usr" not in settings["read"]  # it would show the course
    for path in (SHEET.path, tmp_path.parent / "points.csv", Path.home() / ".ssh"):
        allowed = [Path(place) for place in settings["read"] if Path(place) != Path(place).parent]
        assert not [place for place in allowed if path.is_relative_to(place)], path
