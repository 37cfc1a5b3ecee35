"""The totals of the campaigns are those of their tables, and of no earlier run."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pandas as pd
import pytest
import reliability
from page import table_in, written


def test_totals_add_up_what_was_tried_and_what_went_wrong(tmp_path):
    page = tmp_path / "page.md"
    shutil.copy(reliability.PAGE, page)
    kills = {"what": ["a", "b"], "kills": [12, 1_003], "half files": [1, 0], "tracebacks": [2, 3]}
    mutants = {"wing": ["x"], "mutants": [9], "killed": [4], "survives": [2], "unclear": [3]}
    calls = {"module": ["x", "y"], "calls": ["50,097", "3"], "refused": [8, 1], "raw": [0, 0]}
    tables = {"kills": kills, "mutants": mutants, "calls": calls}
    written(page, {name: pd.DataFrame(table) for name, table in tables.items()})
    found = reliability.totals(page).set_index("what")
    assert found.loc["kills"].tolist() == ["1,015", "6"]
    assert found.loc["mutants"].tolist() == ["9", "5"]
    assert found.loc["absurd calls"].tolist() == ["50,100", "0"]


def test_the_page_has_each_table_and_the_totals():
    assert list(reliability.totals(reliability.PAGE)["what"]) == list(
        table_in(reliability.PAGE, "totals")["what"]
    )


@pytest.mark.parametrize("stops", [None, "load.py"])
def test_the_totals_are_of_this_run_or_none_are_written(tmp_path, monkeypatch, stops):
    """A campaign in which something went wrong counts; one that did not end does not."""
    page, made = tmp_path / "page.md", {}
    shutil.copy(reliability.PAGE, page)
    names = {"torture.py": ("kills", "damages", "faults"), "fuzz.py": ("calls",)}
    monkeypatch.setattr(reliability, "HERE", tmp_path / "build" / "page.md")

    def run(command, **_):
        script = command[1].rpartition("/")[2]
        assert command[-2:] == ["--write", str(reliability.HERE)]
        made[script] = names.get(script, (script.removesuffix(".py"),))
        if script != stops:
            of = {name: table_in(reliability.PAGE, name) for name in made[script]}
            written(reliability.HERE, of)
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(reliability.subprocess, "run", run)
    monkeypatch.setattr("sys.argv", ["reliability.py", "--write", str(page)])
    written(page, {"totals": pd.DataFrame({"what": ["kills"], "tried": [1], "went wrong": [0]})})
    before = page.read_bytes()
    if stops:
        with pytest.raises(ValueError, match="has no table of load"):
            reliability.main()
        assert page.read_bytes() == before
    else:
        assert reliability.main() == 1
        assert table_in(page, "totals").equals(reliability.totals(reliability.PAGE))
    assert list(made) == list(reliability.PARTS)
