"""A few kills and damaged files of each kind; `make torture` tries hundreds."""

from __future__ import annotations

import random

import pytest
import torture
from page import written


@pytest.mark.long
def test_kills_and_damage_cost_time_only():
    outcome = torture.torture(kills=10, damages=2 * len(torture.KINDS), seed=1, quiet=True)
    assert sum(seen["kills"] for seen in outcome.kills.values()) == 10
    assert outcome.damages.keys() >= {"stored runs", "compiled kernels", "records of runs"}
    assert outcome.n_wrong == 0, outcome.tables()


def test_what_goes_wrong_is_counted(tmp_path):
    """A run that writes its result in two steps leaves half a file."""
    script = (
        "import pathlib, time\n"
        "file = pathlib.Path('results/table.csv'); file.parent.mkdir(exist_ok=True)\n"
        "if not file.exists():\n"
        "    file.write_text('a'); time.sleep(20); file.write_text('ab')\n"
    )
    work = torture.Work(
        "careless",
        lambda root: (root / "careless.py").write_text(script),
        lambda root: [torture.sys.executable, "careless.py"],
        torture.only("table.csv"),
    )
    (tmp_path / "before").mkdir()
    work.prepare(tmp_path / "before")
    prepared = torture.Prepared(work, tmp_path / "before", {"table.csv": b"ab"}, 0.0, 0)
    for seed in range(9):  # until a kill comes while it writes
        seen = torture.killed(prepared, tmp_path, random.Random(seed), f"careless-{seed}")
        if seen["half files"]:
            break
    assert seen["half files"] == seen["next run differs"] == 1
    outcome = torture.Outcome({"careless": seen})
    assert outcome.n_wrong == 2
    assert outcome.tables()["kills"].loc[0, "half files"] == 1


def test_counts_go_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- kills -->\nold\n<!-- end of kills -->\nb\n", encoding="utf-8")
    seen = torture.Counter({"kills": 3, "half files": 1})
    tables = torture.Outcome({"sweep": seen}).tables()
    written(page, {"kills": tables["kills"]})
    text = page.read_text("utf-8")
    assert text.startswith("a\n<!-- kills -->\n\n| killed | kills |")
    assert "| sweep | 3 | 0 | 1 | 0 |" in text
    assert text.endswith("|\n\n<!-- end of kills -->\nb\n")
    written(page, {"kills": tables["kills"]})
    assert page.read_text("utf-8") == text


@pytest.mark.parametrize("seed", range(20))
def test_damage_changes_a_file(seed):
    content = bytes(range(100))
    assert torture.altered(content, random.Random(seed)) != content
