"""The pages of docs/ agree with the code, and their links resolve."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml
from docs_script import script

import repro
from repro import course, detectors, learners, prequential, streams
from repro.kernels import mode
from repro.seeds import generator

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


MAKE = script("make_learners")
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
    text = (ROOT / "tests/learners/test_bad_input.py").read_text()
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


def test_the_changelog_begins_with_results_and_ends_in_a_version():
    """A heading names a version and the day of its release, or says that it is in preparation."""
    text = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    heading = r"\d+\.\d+\.\d+, (\d{4}-\d\d-\d\d|in preparation)"
    assert [v for v in versions if not re.fullmatch(heading, v)] == []
    assert repro.__version__ in [version.partition(", ")[0] for version in versions]
    for section in re.split(r"^## .+\n", text, flags=re.MULTILINE)[1:]:
        assert section.lstrip().startswith(("### Results", "Results: none changed"))


def test_security_names_files_folders_and_variables_that_exist():
    """And says what it must: whose rights, which folders, which machines, and how to report."""
    text = (ROOT / "SECURITY.md").read_text()
    sources = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    assert [v for v in re.findall(r"REPRO_\w+", text) if not re.search(rf"\b{v}\b", sources)] == []
    paths = re.findall(r"`((?:src|data)/[\w/.]+)`", text)
    assert [p for p in paths if not (ROOT / p).exists()] == ["data/raw"]  # made by the user
    for word in ("make grade", "kernels-*", "*.run", "cloudpickle", "sha256", "Report a"):
        assert word in text


def test_security_states_the_limits_of_grading():
    """The defaults of `grade`, and what the settings of the course say."""
    text = (ROOT / "SECURITY.md").read_text()
    limits = inspect.signature(course.grade).parameters
    seconds = [str(limits[name].default) for name in ("timeout", "limit")]
    assert re.findall(r"after (\d+)", text) == seconds


@pytest.mark.parametrize("name", ["number_differs.yml", "differs_from_moa.yml"])
def test_a_form_for_issues_asks_what_is_needed_to_repeat_a_number(name):
    """Its fields have identifiers of their own, labels, and kinds that forms know."""
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / name).read_text())
    assert {"name", "description", "body"} <= form.keys()
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert len(set(names)) == len(names)
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert all(field["attributes"]["label"] for field in fields)
    needed = {field["id"] for field in fields if field.get("validations", {}).get("required")}
    asked = {
        "number_differs.yml": "place paper numbers command profile provenance status versions",
        "differs_from_moa.yml": "learner settings version command stream first call",
    }
    assert set(asked[name].split()) <= needed


def test_forms_name_files_profiles_and_commands_that_exist():
    (number,) = (form for form in FORMS if form.name == "number_differs.yml")
    body = {
        part.get("id"): part["attributes"] for part in yaml.safe_load(number.read_text())["body"]
    }
    profiles = {"paper", *(path.stem for path in (ROOT / "profiles").glob("*.toml"))}
    assert profiles <= set(body["profile"]["options"])
    for form in FORMS:
        text = form.read_text()
        assert "://" not in text
        pages = re.findall(r"docs/\w+\.md", text)
        assert [page for page in pages if not (ROOT / page).exists()] == []


def test_the_call_in_the_form_runs():
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/differs_from_moa.yml").read_text())
    (call,) = (p["attributes"]["placeholder"] for p in form["body"] if p.get("id") == "call")
    exec(call.replace("20000", "200"), {})


def test_the_steps_of_a_release_name_targets_of_make_and_every_place_of_the_version():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text.partition("## How to release\n")[2]
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"make ([a-z]+)", section))
    assert {"lock", "figures", "test"} <= named <= set(targets)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == repro.__version__
    wheels = re.findall(r"repro_streams-([\d.]+)-py3", (DOCS / "teaching.md").read_text())
    assert set(wheels) == {repro.__version__}
    places = ("pyproject.toml", "CITATION.cff", "src/repro/__init__.py", "docs/teaching.md")
    assert [place for place in places if f"`{place}`" not in section] == []
