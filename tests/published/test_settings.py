"""Every setting has an origin, and cells that chose one are counted apart."""

import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest

from repro import _folders, papers, published
from repro.published.counts import counts_by_kind, read_rows
from repro.published.files import file_names
from repro.published.settings import ORIGINS, fitted, settings
from repro.published.words import CELLS

ROOT = _folders.checkout()
#: The settings of each notebook.
NAMES = {
    "01_testbed": "testbed",
    "02_estimators": "estimators",
    "03_drift_detection": "detection",
    "04_temporal_dependence": "temporal",
    "05_permutations": "permutations",
    "06_scenarios": "scenarios",
}
NOT_SETTINGS = {"stand_in", "jobs", "limit"}  # they do not change what a result is about
SECTION = re.compile(r"^## (\d\.\d+)", re.MULTILINE)


def notebook(name):
    return json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def parameters_of(name):
    """The text of the cell with the parameters."""
    (tagged,) = [c for c in notebook(name) if "parameters" in c["metadata"].get("tags", [])]
    return "".join(tagged["source"])


@pytest.mark.parametrize("name", NAMES.values())
def test_every_setting_has_an_origin(name):
    table = settings(name)
    assert set(table["origin"]) <= {*ORIGINS}
    assert not table["setting"].duplicated().any()
    assert (table["why"] != "").all()
    assert (table["tried"] >= 1).all()
    is_chosen = table["origin"] == "chosen"
    assert (is_chosen == (table["seen"] != "")).all()
    assert (table.loc[is_chosen, "tried"] > 1).all()


@pytest.mark.parametrize(("name", "paper"), NAMES.items(), ids=NAMES)
def test_every_parameter_of_a_notebook_is_a_setting(name, paper):
    parameters = set(re.findall(r"^(\w+):", parameters_of(name), re.MULTILINE))
    assert parameters - NOT_SETTINGS <= set(settings(paper)["setting"])


@pytest.mark.parametrize(("name", "paper"), NAMES.items(), ids=NAMES)
def test_a_number_among_the_settings_is_the_one_that_runs(name, paper):
    numbers = re.findall(r"^(\w+): (?:int|float) = ([\d._]+)", parameters_of(name), re.MULTILINE)
    values = settings(paper).set_index("setting")["value"]
    for parameter, value in numbers:
        shown = str(values[parameter]).partition(",")[0].replace(" ", "")
        assert float(shown) == float(value), parameter
    assert numbers


@pytest.mark.parametrize(("name", "paper"), NAMES.items())
def test_a_setting_names_a_section_of_its_notebook(name, paper):
    sections = set(SECTION.findall("\n".join("".join(c["source"]) for c in notebook(name))))
    assert set(settings(paper)["section"]) <= sections


@pytest.mark.parametrize(
    ("paper", "names"),
    [
        ("testbed", [*papers.testbed.LEARNERS, *published.read("testbed_table3")["stream"]]),
        ("detection", [*papers.drift_detection.LEARNERS, *papers.drift_detection.STREAMS]),
        ("temporal", [*papers.temporal_dependence.LEARNERS]),
        ("permutations", [*papers.permutations.LEARNERS]),
        ("scenarios", [*published.read("scenarios_table3")["classifier"]]),
    ],
)
def test_every_learner_and_stream_of_a_paper_is_a_setting(paper, names):
    assert set(names) <= set(settings(paper)["setting"])


@pytest.mark.parametrize(
    ("table", "where", "is_fitted"),
    [
        ("testbed_table3", {"stream": "NSCX", "learner": "NB"}, True),
        ("testbed_table3", {"stream": "NSGT", "learner": "DWM"}, True),
        ("testbed_table3", {"stream": "NSGT", "learner": "NB"}, False),
        ("estimators_table2", {"stream": "RT", "learner": "MC"}, True),
        ("estimators_table3", {"stream": "LED", "learner": "MC"}, False),
        ("scenarios_table3", {"classifier": "SNG", "scenario": "EXP"}, True),
        ("scenarios_table4", {"classifier": "ENSGEN", "scenario": "SEP"}, True),
        ("scenarios_table4", {"classifier": "ENSGEN", "scenario": "EXP"}, False),
    ],
)
def test_the_cells_that_a_choice_has_seen_are_fitted(table, where, is_fitted):
    cells = published.read(table)
    here = np.all([cells[column] == value for column, value in where.items()], axis=0)
    assert here.any()
    assert set(fitted(table, cells)[here]) == {is_fitted}


def test_a_selector_that_selects_nothing_is_an_error():
    cells = published.read("testbed_table3").query("stream == 'NSGT'")
    with pytest.raises(ValueError, match=r"seen must select cells of testbed_table3; got .*NSCX"):
        fitted("testbed_table3", cells)


def test_compare_marks_fitted_cells_and_counts_leave_them_out():
    frame = pd.DataFrame({"stream": ["NSCX"] * 2, "learner": ["NB"] * 2, "error": [0.1, 0.2]})
    cells = published.compare("testbed_table3", frame)
    kind = cells.set_index(["stream", "learner"])["kind"]
    assert kind["NSCX", "NB"] == "fitted"
    assert kind["NSGT", "NB"] == "cell"
    counts = published.count_verdicts(cells)["number"]
    assert counts["cells"] == (kind == "cell").sum() < len(kind)
    assert counts.sum() == len(kind)


def test_committed_cells_are_counted_as_their_settings_say():
    """A new choice, or a table of published numbers without its kind, is seen here."""
    for file in ("01_cells", "03_cells", "06_cells"):
        rows = read_rows(ROOT / "data" / "results" / f"{file}.csv", CELLS)
        kinds = counts_by_kind(rows)
        assert {"cell", "fitted"} <= set(kinds)
        assert sum(of.verdicts.total() for of in kinds.values()) == len(rows)


def test_all_settings_files_are_of_a_notebook():
    files = {name.removesuffix("_settings") for name in file_names() if name.endswith("_settings")}
    assert files == set(NAMES.values())


@pytest.mark.parametrize(
    ("paper", "setting", "name"),
    [
        ("temporal", "Ozone", "ozone"),
        ("temporal", "KDD99", "kdd99"),
        ("permutations", "Chess", "chess"),
        ("permutations", "Luxembourg", "luxembourg"),
    ],
)
def test_the_printed_size_is_that_of_the_file_that_is_read(paper, setting, name):
    """The file of KDD99 has one example more than the paper counts."""
    row = settings(paper).set_index("setting").loc[setting]
    text = f"{row['value']} {row['why']}".replace(" ", "")
    size = int(re.search(r"\d{3,}(?=examples|games)", text)[0])
    sources = tomllib.loads((ROOT / "data" / "sources.toml").read_text(encoding="utf-8"))
    assert sources[name]["examples"] - size == (name == "kdd99")
