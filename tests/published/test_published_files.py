"""The files of published numbers: read by name, also in an installed package."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from repro import published
from repro.published.files import file_names, read_file
from repro.published.words import CELLS, CLAIMS

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "data" / "published").glob("*.csv"))

COMPARE = """
import pandas as pd
from repro import _folders, published
assert _folders.checkout() is None
rows = [("NSGT", "NB", k, 0.2527 + 0.001 * k) for k in (-1, 0, 1)]
sweep = pd.DataFrame(rows, columns=["stream", "learner", "seed", "error"])
print(published.compare("testbed_table3", sweep)["verdict"].value_counts().to_dict())
print(len(published.read("estimators_table2")), published.__file__)
"""


def test_every_file_can_be_read_by_its_name():
    assert file_names() == NAMES
    for name in NAMES:
        assert len(read_file(name)) == len(pd.read_csv(ROOT / f"data/published/{name}.csv"))
    with pytest.raises(ValueError, match=r"name must be one of .*estimators_table2, .*; got 'x'"):
        published.read("x")


def test_a_file_without_a_form_of_its_own_is_read_as_it_is(monkeypatch):
    monkeypatch.setattr("repro.published.comparison.TABLES", ())
    pd.testing.assert_frame_equal(
        published.read("estimators_table2"),
        pd.read_csv(ROOT / "data/published/estimators_table2.csv"),
    )
    with pytest.raises(ValueError, match=r"name must be one of .*estimators_text, .*; got 'estim"):
        published.compare("estimators_table2", pd.DataFrame())


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("_text")])
def test_numbers_of_a_text_say_where_they_are_and_are_printed_with_their_decimals(name):
    table = published.read(name)
    assert table["quantity"].is_unique
    assert table["section"].str.fullmatch(r"\d+(\.\d+)*").all()
    for row in table.itertuples():
        assert round(row.published, row.decimals) == row.published
        assert row.kind in ("cell", "constant")


def test_the_wheel_holds_the_published_numbers(tmp_path):
    """Built, unpacked and used away from the checkout."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    done = subprocess.run(
        [sys.executable, "-c", COMPARE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "REPRO_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts, origin = done.stdout.splitlines()
    assert counts == "{'not run': 71, 'agrees': 1}"
    assert origin == f"88 {installed / 'repro' / 'published' / '__init__.py'}"


def test_the_words_load_without_numpy_and_pandas():
    """`python -m repro verdicts` starts with them."""
    code = "import sys, repro.published.words; print({'numpy', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
    assert list(CELLS) == ["agrees", "too coarse to tell", "differs", "not run"]
    known = ["holds", "not refuted", "does not hold", "cannot be told", "too few runs to tell"]
    assert list(CLAIMS) == known
