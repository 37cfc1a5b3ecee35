"""`make check` finds the tests of what was touched."""

from __future__ import annotations

import sys

import pytest
import touched


@pytest.mark.parametrize(
    ("file", "test"),
    [
        (
            "src/repro/learners/bagging.py",
            "tests/learners/test_ensembles.py",
        ),  # through `repro.learners`
        ("src/repro/metrics/kappa.py", "tests/metrics/test_kappa.py"),  # as `metrics.kappa`
        (
            "src/repro/learners/_tree.py",
            "tests/learners/test_trees.py",
        ),  # private: of those who use it
        (
            "src/repro/evaluation/prequential.py",
            "tests/evaluation/test_evaluation.py",
        ),  # through `repro`
        ("tests/toy_checkout.py", "tests/runner/test_run.py"),
        ("tests/metrics/test_kappa.py", "tests/metrics/test_kappa.py"),
        ("environment.yml", "tests/project/test_environment.py"),
        ("docs/learners.md", "tests/project/test_docs.py"),
        ("notebooks/01_testbed.ipynb", "tests/runner/test_notebooks.py"),
        ("README.md", "README.md"),
    ],
)
def test_the_test_of_a_file_is_chosen(file, test):
    chosen, left = touched.nearest_tests([file])
    assert test in chosen
    assert not set(chosen) & set(left)


def test_only_the_nearest_tests_are_chosen():
    """`OzaBag` is used by few files, though nearly all of them import `repro.learners`."""
    chosen, left = touched.nearest_tests(["src/repro/learners/bagging.py"])
    assert "tests/metrics/test_kappa.py" in left
    assert len(chosen) < len(left)


def test_every_module_has_a_test():
    modules = [file for file in touched.MODULES.values() if not file.endswith("__init__.py")]
    assert [file for file in modules if not touched.tests_of(file)] == []


def test_a_changed_module_is_linted_typed_and_tested_but_for_slow_tests():
    ruff, formatted, mypy, pytest_ = touched.commands(["src/repro/seeds.py"], ["tests/test_a.py"])
    assert (ruff[0], formatted[:2], mypy) == ("ruff", ["ruff", "format"], ["mypy"])
    assert pytest_[-1] == "tests/test_a.py"
    assert pytest_[pytest_.index("-m") + 1] == "not slow"
    assert list(touched.commands([], [])) == []


def test_where_nothing_was_touched_nothing_runs(monkeypatch, capsys):
    monkeypatch.setattr(touched, "git", lambda *_: [])
    monkeypatch.setattr(touched, "run", None)
    monkeypatch.setattr(sys, "argv", ["touched.py"])
    assert touched.main() == 0
    assert capsys.readouterr().out.startswith("nothing differs from the last commit")
