"""The pages of docs/ agree with the code, and their links resolve."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import repro
from repro import detectors, learners, prequential, streams
from repro.kernels import mode
from repro.seeds import generator

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def script():
    """The module docs/make_learners.py."""
    spec = importlib.util.spec_from_file_location("make_learners", DOCS / "make_learners.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = script()
CLASSES = MAKE.public(learners) + MAKE.public(detectors)


def test_the_page_agrees_with_the_classes():
    assert MAKE.render() == (DOCS / "learners.md").read_text(), "run: make docs"


def test_every_public_learner_and_detector_has_an_entry():
    """Learners, detectors and the temporal wrappers of learners."""
    wanted = [getattr(m, name) for m in (learners, detectors) for name in m.__all__]
    wanted = {
        thing.__name__
        for thing in wanted
        if isinstance(thing, type)
        and issubclass(thing, learners.Learner | learners.Temporal | detectors.Detector)
        and thing not in (learners.Learner, learners.Temporal, detectors.Detector)
        and thing is not detectors.ForeignDetector  # another's detector, so without a paper
    }
    assert {cls.__name__ for cls in CLASSES} == wanted | {"BayesOptimal"}
    headings = re.findall(r"^### (\w+)$", (DOCS / "learners.md").read_text(), re.MULTILINE)
    assert headings == [cls.__name__ for cls in CLASSES]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_page_says_who_used_a_class_and_what_differs(cls):
    assert cls.__name__ in MAKE.USED
    assert cls.__name__ in MAKE.DIFFERENCES


def test_the_page_names_no_removed_class():
    names = {cls.__name__ for cls in CLASSES}
    assert MAKE.USED.keys() <= names
    assert MAKE.DIFFERENCES.keys() <= names


@pytest.mark.parametrize("name", sorted(MAKE.USED))
def test_settings_of_the_papers_are_valid_for_the_class(name):
    """Names in `code` are fields of the class, and complete calls run."""
    named = vars(learners) | vars(detectors)
    fields = set(getattr(named[name], "__dataclass_fields__", ()))
    for _, how in MAKE.USED[name]:
        for code in re.findall(r"`([^`]+)`", how):
            if re.fullmatch(r"\w+\(.*\)", code) and "(p)" not in code:
                assert eval(code, dict(named)) is not None
            else:
                words = [part.split("=")[0].strip() for part in code.split(",")]
                assert set(words) <= fields | {"RandomAlarms(p)"} or code.endswith(")")


def test_the_tests_of_bad_input_exist():
    text = (ROOT / "tests" / "test_bad_input.py").read_text()
    missing = [test for _, _, test in MAKE.BAD_INPUT if f"def {test}(" not in text]
    assert missing == []


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if target.startswith(("http", "mailto")):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        if anchor:
            assert anchor in anchors(other), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_formulas_are_closed_and_docstring_markup_is_removed(page):
    text = page.read_text()
    assert text.count("$$") % 2 == 0
    assert ":math:" not in text
    assert ".. math" not in text
    assert ">>>" not in re.sub(r"```pycon\n.*?```", "", text, flags=re.DOTALL)


@pytest.mark.slow
def test_the_commands_of_the_page_on_kernels_run(tmp_path):
    """And every mode gives the same numbers."""
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / "kernels.md").read_text(), re.DOTALL)
    (tmp_path / "build").mkdir()
    first, second = (
        subprocess.run(
            ["bash", "-ec", block],
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
        for block in (blocks if mode.LINKED else [blocks[0], "echo 0 characters"])
    )
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert len(first.stdout.splitlines()) == 5
    assert len(set(first.stdout.splitlines())) == 1
    assert "characters" in second.stdout


@pytest.mark.parametrize("heading", ["detector", "stream"])
def test_the_first_versions_of_contributing_run(heading):
    """The code under "How to add a ...", after the imports that it assumes."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (section,) = re.findall(rf"## How to add a {heading}\n(.*?)\n## ", text, re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    stream = streams.sudden(streams.SEA(), streams.SEA(7.0), at=500, n=1000).sample(0)
    run = prequential(learners.Majority(), stream)
    scope = vars(repro).copy() | {"np": np, "dataclass": dataclass, "generator": generator}
    scope |= {name: getattr(repro, name) for name in repro.__all__} | {"stream": stream, "run": run}
    exec(code, scope)
