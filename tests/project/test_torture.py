"""A few kills, damaged files and faults of each kind; `make torture` tries hundreds."""

from __future__ import annotations

import random
import sys
from collections import Counter

import pandas as pd
import pytest
import torture
from page import written
from torturing import works
from torturing.damages import altered
from torturing.kills import killed
from torturing.runs import Prepared


@pytest.mark.long
@pytest.mark.parametrize(("campaign", "n"), [("kills", 10), ("damages", 16), ("faults", 14)])
def test_kills_damage_and_faults_cost_time_only(campaign, n):
    outcome = torture.torture({campaign: n}, seed=1, quiet=True, at_random=campaign == "faults")
    rows = outcome.seen[campaign]
    assert sum(seen[campaign] for seen in rows.values()) == n
    assert len(rows) >= 5
    assert outcome.n_wrong == 0, outcome.tables()


def test_what_goes_wrong_is_counted(tmp_path):
    """A run that writes its result in two steps leaves half a file."""
    script = (
        "import pathlib, time\n"
        "file = pathlib.Path('results/table.csv'); file.parent.mkdir(exist_ok=True)\n"
        "if not file.exists():\n"
        "    file.write_text('a'); time.sleep(20); file.write_text('ab')\n"
    )
    work = works.Work(
        "careless",
        lambda root: (root / "careless.py").write_text(script),
        lambda root: [sys.executable, "careless.py"],
        works.only("table.csv"),
    )
    (tmp_path / "before").mkdir()
    work.prepare(tmp_path / "before")
    prepared = Prepared(work, tmp_path / "before", {"table.csv": b"ab"}, 0.0, 0)
    for seed in range(9):  # until a kill comes while it writes
        seen = killed(prepared, tmp_path, random.Random(seed), f"careless-{seed}")
        if seen["half files"]:
            break
    assert seen["half files"] == seen["next run differs"] == 1
    outcome = torture.Outcome({"kills": {"careless": seen}})
    assert outcome.n_wrong == 2
    assert outcome.tables()["kills"].loc[0, "half files"] == 1


@pytest.mark.parametrize(("minutes", "made"), [(0, 1), (60, 5)])
def test_a_campaign_that_is_out_of_time_begins_no_other_trial(monkeypatch, minutes, made):
    trial = ("a", "a", lambda folder, rng, mark: Counter(kills=1, damages=1))
    monkeypatch.setattr(torture, "WORKS", [])
    monkeypatch.setattr(torture, "trials_of", lambda campaign, prepared: [trial])
    outcome = torture.torture({"kills": 5, "damages": 5}, seed=1, quiet=True, minutes=minutes)
    assert outcome.is_whole
    assert [outcome.seen[name]["a"][name] for name in ("kills", "damages")] == [made, made]


def test_counts_go_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- kills -->\nold\n<!-- end of kills -->\nb\n", encoding="utf-8")
    seen = Counter({"kills": 3, "half files": 1})
    tables = torture.Outcome({"kills": {"sweep": seen}}).tables()
    written(page, {"kills": tables["kills"]})
    text = page.read_text("utf-8")
    assert text.startswith("a\n<!-- kills -->\n\n| what | kills |")
    assert "| sweep | 3 | 0 | 1 | 0 |" in text
    assert text.endswith("|\n\n<!-- end of kills -->\nb\n")
    written(page, {"kills": tables["kills"]})
    assert page.read_text("utf-8") == text


def test_parts_of_a_campaign_add_up_in_a_page(tmp_path):
    page = tmp_path / "page.md"
    marks = "<!-- {0} -->\n<!-- end of {0} -->\n"
    page.write_text(marks.format("mutants") + marks.format("survivors"), encoding="utf-8")
    counts = [("judge", 3, 1), ("top", 2, 0)], [("top", 5, 4), ("tables", 1, 1)]
    reasons = [("`a:1`", ""), ("`b:2`", "`x or y`")], [("`b:2`", "`x or y`"), ("`c:3`", "")]
    for rows, why in zip(counts, reasons, strict=True):
        tables = {
            "mutants": pd.DataFrame(rows, columns=["wing", "mutants", "killed"]),
            "survivors": pd.DataFrame(why, columns=["where", "why"]),
        }
        written(page, tables, add=True)
    text = page.read_text("utf-8")
    for row in ("judge | 3 | 1", "top | 7 | 4", "tables | 1 | 1", "`a:1` | ", "`c:3` | "):
        assert text.count(f"| {row} |") == 1
    assert text.count("| `b:2` | `x or y` |") == 1


@pytest.mark.parametrize("seed", range(20))
def test_damage_changes_a_file(seed):
    content = bytes(range(100))
    assert altered(content, random.Random(seed)) != content
