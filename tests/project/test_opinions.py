"""Each public name that computes something has a test that compares it with another way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import opinions
import pytest

TESTS = Path(__file__).resolve().parents[1]
DECLARED = [*opinions.declared()]


def test_each_name_that_computes_has_a_second_opinion():
    without = set(opinions.computing()) - {o.name for o in DECLARED}
    assert not without, "mark a test that compares it with another implementation"


def test_opinions_are_about_names_that_there_are():
    assert {o.name for o in DECLARED} <= set(opinions.computing())


@pytest.mark.parametrize("opinion", DECLARED, ids=lambda o: f"{o.name}-{o.test}")
def test_the_name_occurs_in_the_file_of_the_test(opinion):
    text = (TESTS / opinion.file).read_text()
    assert opinion.name.rpartition(".")[2] in text.replace(f"{opinion.name} ", "").replace(
        f'{opinion.name}"', ""
    )


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
