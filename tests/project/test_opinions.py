"""Each public name that computes something has a test that compares it with another way."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import opinions
import pytest

TESTS = Path(__file__).resolve().parents[1]
DECLARED = [*opinions.declared()]


def test_each_name_that_computes_has_a_second_opinion():
    without = set(opinions.computing()) - {o.name for o in DECLARED}
    assert not without, "mark a test that compares it with another implementation"


def test_opinions_are_about_public_names_that_their_files_use():
    for opinion in DECLARED:
        module, name = opinion.name.split(".")
        assert name in import_module(f"repro.{module}").__all__
        file = TESTS / opinion.file
        helpers = [path for path in file.parent.glob("*.py") if not path.name.startswith("test_")]
        texts = " ".join(path.read_text() for path in (file, *helpers))
        declared = rf"{re.escape(opinion.name)}(?=[ \"])"
        used = {name, "online"} if name.startswith("Online") else {name}  # what `online` returns
        assert used & {*re.findall(r"\w+", re.sub(declared, "", texts))}, opinion


def test_comparisons_are_counted_by_their_numbers(monkeypatch):
    for name in ("assert_allclose", "assert_array_equal", "assert_equal"):
        monkeypatch.setattr(np.testing, name, getattr(np.testing, name))
    counter = opinions.Counter()
    np.testing.assert_allclose(np.ones(3), 1)
    counter.running = ("file", "test")
    np.testing.assert_allclose(np.ones((3, 4)), 1)
    np.testing.assert_array_equal(1, [1, 1])
    counter.pytest_assertion_pass()
    with pytest.raises(AssertionError):
        np.testing.assert_equal([1, 2], [1, 3])
    assert counter.counts == {("file", "test"): 15}
    rows = opinions.table_of({(o.file, o.test): 2 for o in DECLARED if o.name == "metrics.kappa"})
    kappa = rows.set_index("name").loc["`metrics.kappa`"]
    assert int(kappa["comparisons"]) == 2 * sum(o.name == "metrics.kappa" for o in DECLARED)
    assert "scikit-learn" in kappa["agrees with"]
