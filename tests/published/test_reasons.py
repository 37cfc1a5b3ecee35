"""Each number that differs, and each sentence that does not hold, has a reason and its place."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "data" / "results").glob("[0-9][0-9]_c[el]*s.csv"))
EXPLAINED = re.compile(r"Section (\d+\.\d+): \S.*")
NOT_EXPLAINED = re.compile(r"not explained; excluded: \S.*, Section (\d+\.\d+)")


def rows_with_reason(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if row["verdict"] in ("differs", "does not hold")]


def sections(number):
    """The numbers of the sections of a notebook, from its headings."""
    (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return set(re.findall(r"(?m)^#+ (\d+\.\d+)\b", text))


def test_every_notebook_has_both_tables():
    numbers = {path.name[:2] for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert {path.name for path in FILES} == {
        f"{number}_{kind}.csv" for number in numbers for kind in ("cells", "claims")
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_reason_names_a_section_that_exists(path):
    known = sections(path.name[:2])
    assert known
    for row in rows_with_reason(path):
        reason = row["reason"]
        found = EXPLAINED.fullmatch(reason) or NOT_EXPLAINED.fullmatch(reason)
        assert found, (row, "Section N.M: cause, or: not explained; excluded: ..., Section N.M")
        assert found[1] in known, reason
